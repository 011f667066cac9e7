/** Four simulated agents carry 500 calls a second of one folded run: its figures are theirs, to the unit. */
import t from 'tap';
import { openLab } from '../../../../scripts/peers/lab/lab.ts';
import { EndsFleet, endRun, endsTest, faultsOf } from './fleet-ends.ts';

const AGENTS = 4;
const RATE = 500;
const SECONDS = 10;

const lab = await openLab(t, { agents: 0, graceSeconds: 10, provision: () => ({ tests: [endsTest(RATE)] }) });

t.test('agents and the control plane are killed: each call counts once', async (t) => {
  const fleet = await EndsFleet.join(lab, AGENTS);
  t.teardown(() => fleet.close());
  const id = await lab.startRun('ends');
  await lab.reaches(id, 'has calls', ({ starts }) => starts.planned >= (RATE * SECONDS) / 2, 500);
  await fleet.disturb();
  const { starts } = await lab.run(id);
  await lab.reaches(id, 'goes on', (now) => now.starts.planned >= starts.planned + (RATE * SECONDS) / 2, 500);
  const run = await endRun(lab, id);
  const expected = await fleet.expected();
  t.same(run.figures, { from: 'SUMS', relativeError: 0.01 });
  t.ok(expected.ended >= RATE * SECONDS);
  t.same(faultsOf(run, expected), []);
});
