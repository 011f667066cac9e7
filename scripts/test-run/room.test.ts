/** Room for one more test file: on an idle machine, a machine that this run fills, and one that other programs fill. */
import { spawn } from 'node:child_process';
import t from 'tap';
import { isRoomBetween, look, type MachineLook } from './room.ts';

/** A second of two processors: parts of their time. `waiting`: for each ns that a program runs. */
const second = (idle: number, own: number, waiting: number): [MachineLook, MachineLook] => {
  const runNs = own * 2e9;
  const at = (n: number): MachineLook => ({
    machine: { idle: 1000 + n * idle * 200, all: 5000 + n * 200 },
    own: new Map([['7', [5e9 + n * runNs, 3e9 + n * runNs * waiting]]]),
  });
  return [at(0), at(1)];
};

t.test('what there is room for', async (t) => {
  const rows: [what: string, idle: number, own: number, waiting: number, room: boolean][] = [
    ['a quiet machine', 0.9, 0.05, 0, true],
    ['a machine that this run fills', 0.02, 0.93, 0.4, false],
    ['two others that compute, and a file that mostly waits', 0, 0.1, 0.2, true],
    ['two others that compute, and a file that computes', 0, 0.3, 1, true],
    ['half of it is ours', 0, 0.5, 1, false],
    ['twenty others that compute', 0, 0.1, 9, false],
    ['others, and a run that does nothing at all', 0, 0, 0, false],
  ];
  for (const [what, idle, own, waiting, room] of rows)
    t.equal(isRoomBetween(...second(idle, own, waiting)), room, what);
  const [before, after] = second(0, 0.5, 1);
  t.ok(isRoomBetween({ ...before, machine: null }, { ...after, machine: null }), 'where the system does not say it');
  t.ok(
    isRoomBetween({ ...before, own: new Map() }, { ...after, own: new Map([['8', [1e8, 0]]]) }),
    'of a new thread all counts',
  );
});

t.test('what this machine says of a program that computes', async (t) => {
  const dir = t.testdir();
  const program = spawn(process.execPath, ['-e', 'for (;;);'], { env: { TMPDIR: dir }, stdio: 'ignore' });
  t.teardown(() => program.kill('SIGKILL'));
  const runNs = () => [...look(dir).own.values()].reduce((sum, [run]) => sum + run, 0);
  let [first, last] = [0, 0];
  while (first === 0) first = runNs();
  while (last <= first + 1e7) last = runNs();
  t.ok(last > first);
});
