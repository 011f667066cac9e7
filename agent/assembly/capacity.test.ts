import t from 'tap';
import { capacityWithin } from './capacity.ts';

t.test('an endpoint has two streams, a stream two sockets, and 200 descriptors are for all else', async (t) => {
  const ports = { from: 16_384, to: 32_767 };
  const rows: [string, number, number, { endpoints: number; streams: number }][] = [
    ['no limit', 1000, Number.POSITIVE_INFINITY, { endpoints: 1000, streams: 2000 }],
    ['enough', 1000, 4200, { endpoints: 1000, streams: 2000 }],
    ['enough without video', 1000, 2200, { endpoints: 1000, streams: 1000 }],
    ['few: for those without media there is room', 1000, 1024, { endpoints: 1000, streams: 412 }],
    ['few ports', 10_000, Number.POSITIVE_INFINITY, { endpoints: 10_000, streams: 8192 }],
    ['none', 1000, 100, { endpoints: 0, streams: 0 }],
  ];
  for (const [what, endpoints, files, expected] of rows)
    t.match(capacityWithin(endpoints, files, ports), expected, what);
  t.same(capacityWithin(1000, 1024, { from: 20_001, to: 20_004 }).limits, {
    own: 1000,
    openFileStreams: 412,
    portStreams: 2,
  });
});
