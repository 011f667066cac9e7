/** What the kernel's settings mean, by tables. */
import t from 'tap';
import { openFiles, portsInUse, processorTime, reservedPorts, socketBuffers } from '../doctor/kernel.ts';

t.test('open files', async (t) => {
  t.match(openFiles(4200, 1000), { state: 'OK' });
  t.match(openFiles(4199, 1000), { state: 'WARN', cure: /ulimit -n 4200/ });
  t.match(openFiles(Number.POSITIVE_INFINITY, 100_000), { state: 'OK', said: /unlimited/ });
});

t.test('socket buffers', async (t) => {
  t.match(socketBuffers('212992\n', '4194304\n'), [
    { state: 'WARN', cure: 'sysctl -w net.core.rmem_max=4194304' },
    { state: 'OK' },
  ]);
  t.match(socketBuffers(null, null), [{ state: 'UNKNOWN' }, { state: 'UNKNOWN' }]);
});

t.test('RTP ports and those of the kernel', async (t) => {
  const rtp = { from: 16_384, to: 32_767 };
  for (const [range, reserved, state, said] of [
    ['32768\t60999\n', '\n', 'OK', 'apart'],
    ['16384 60999', '', 'WARN', '16384-32767 of it'],
    ['1024 20000', '', 'WARN', '16384-20000 of it'],
    ['30000 60999', '16384-32767', 'OK', 'reserved'],
    ['30000 60999', '30000-31000', 'WARN', '31001-32767 of it'],
    ['30000 60999', '31001-32767,30000-31000', 'OK', 'reserved'],
    ['30000 60999', '5060,30001-32767', 'WARN', '30000-32767 of it'],
    [null, null, 'UNKNOWN', 'does not tell'],
  ] as const) {
    t.match(reservedPorts(rtp, range, reserved), { state, said: new RegExp(said) }, `${range} less ${reserved}`);
  }
});

t.test('ports in use', async (t) => {
  const table = (ports: readonly number[]) =>
    [
      '  sl  local_address rem_address',
      ...ports.map((p, i) => `  ${i}: 0100007F:${p.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 07`),
    ].join('\n');
  const rtp = { from: 20_000, to: 20_009 };
  t.match(portsInUse(rtp, [table([20_000, 20_001, 19_999, 20_010]), null]), { state: 'OK', said: /^2 of 10/ });
  t.match(portsInUse(rtp, [table([20_000, 20_001, 20_002]), table([20_002, 20_003, 20_009])]), {
    state: 'WARN',
    said: /^5 of 10/,
  });
  t.match(portsInUse(rtp, [null, null]), { state: 'UNKNOWN' });
});

t.test('processor time', async (t) => {
  const stat = (...columns: number[]) => `cpu  ${columns.join(' ')} 0 0\ncpu0 1 2 3`;
  const before = stat(100, 0, 100, 1000, 0, 0, 0, 0);
  t.match(processorTime(before, stat(110, 0, 110, 1080, 0, 0, 0, 0), 2), [
    { check: 'processor', state: 'OK', said: /80 % idle on 2/ },
    { check: 'steal', state: 'OK', said: '0.0 %' },
  ]);
  t.match(processorTime(before, stat(180, 0, 115, 1000, 0, 0, 0, 5), 1), [
    { state: 'WARN', said: /^0 % idle/ },
    { state: 'WARN', said: /5\.0 %.*SUSPECT/ },
  ]);
  t.match(processorTime(before, stat(100, 0, 100, 1050, 0, 0, 0, 50), 1), [
    { state: 'OK' },
    { state: 'WARN', said: /VOID/ },
  ]);
  t.match(processorTime(null, null, 1), [{ state: 'UNKNOWN' }]);
});
