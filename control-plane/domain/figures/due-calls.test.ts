/** Calls that are due by an instant: the number of instants of the load before it, including changed loads. */

import type { Load } from '@carillon/proto/load/shapes/shapes.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { instantsOf } from '../run/load/load.ts';
import { type LoadChange, loadNow, presentLoad } from '../run/load/load-change.ts';
import { dueCalls } from './due-calls.ts';

const lasting = (load: Load): TestConfig =>
  ({ load, groups: [{ subPopulations: [{ role: 'CALLER', endpoints: 4, calls: null }] }] }) as never;
const due = (load: Load, changes: readonly LoadChange[] = []) => dueCalls(lasting(load), 0, new Set(), changes);

const steps = fc.array(
  fc.record({ callsPerSecond: fc.integer({ min: 1, max: 50 }), seconds: fc.integer({ min: 1, max: 10 }) }),
  { minLength: 1, maxLength: 5 },
);
const loads = fc.oneof(
  steps.map((of): Load => ({ shape: 'STEPS', steps: of })),
  fc
    .record({ callsPerSecond: fc.integer({ min: 1, max: 50 }), seconds: fc.integer({ min: 1, max: 30 }) })
    .map((of): Load => ({ shape: 'RATE', ...of })),
  fc
    .record({
      callsPerSecond: fc.integer({ min: 1, max: 50 }),
      calls: fc.integer({ min: 1, max: 300 }),
      seed: fc.nat(),
    })
    .map((of): Load => ({ shape: 'POISSON', ...of })),
);
const changes = fc.array(
  fc.record({ fromSeconds: fc.integer({ min: 0, max: 40 }), callsPerSecond: fc.integer({ min: 0, max: 80 }) }),
  { maxLength: 3 },
);

t.test('as many as the instants before', (t) => {
  fc.assert(
    fc.property(loads, changes, fc.nat({ max: 60_000 }), (load, unsorted, ms) => {
      const inOrder = [...unsorted].sort((a, b) => a.fromSeconds - b.fromSeconds);
      const order = presentLoad(lasting(load), inOrder);
      // Instants are in whole milliseconds.
      const at = ms + 0.5;
      return due(load, inOrder)?.(at) === (order ? instantsOf(order) : []).filter((instant) => instant < at).length;
    }),
  );
  t.end();
});

t.test('nobody knows when calls are due that wait for the end of others', (t) => {
  t.equal(due({ shape: 'CONCURRENCY', callsPerSecond: 5, seconds: 5 }), null);
  t.end();
});

t.test('a load of millions is not worked out call by call', (t) => {
  const most = due({ shape: 'POISSON', callsPerSecond: 10_000, seconds: 1000, seed: 1 });
  t.equal(most?.(500_000), 5_000_000, 'on average');
  t.end();
});

t.test('a load as it is now', (t) => {
  const [pause, slow] = [
    { fromSeconds: 10, callsPerSecond: 0 },
    { fromSeconds: 20, callsPerSecond: 2 },
  ];
  const load: Load = {
    shape: 'STEPS',
    steps: [
      { callsPerSecond: 5, seconds: 5 },
      { callsPerSecond: 8, seconds: 55 },
    ],
  };
  const cases: [LoadChange[], number, [number, number] | null][] = [
    [[], 0, [5, 5]],
    [[], 4.9, [5, 5]],
    [[], 5, [8, 8]],
    [[], 60, null],
    [[pause], 12, [0, 8]],
    [[pause], 9.8, [0, 8]],
    [[pause, slow], 30, [2, 2]],
  ];
  for (const [changes, seconds, rates] of cases) {
    const now = loadNow(lasting(load), changes, seconds);
    t.same(now && [now.callsPerSecond, now.callsPerSecondUnpaused], rates, `${changes.length} changes, ${seconds} s`);
    if (now) t.match(now, { shape: 'STEPS', endpoints: 4, seconds: 60 });
  }
  const each = { ...lasting(load), groups: [{ subPopulations: [{ role: 'CALLER', endpoints: 4 }] }] } as never;
  t.equal(loadNow(each, [], 1), null, 'each endpoint places one call');
  t.end();
});
