/** Many concurrent calls between two agents: all of them established together, the memory of each, and no missing data. */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { residentBytes } from '../../peers/process.ts';
import { checkWholeness } from '../wholeness.ts';

const CALLS = 150;
const FIRST_CALLS = 20;
const BUILDUP = 3;
const SECONDS = 8;
/** As for a thousand calls (scripts/measure/bench/calls-at-once.ts), plus the growth of an agent's heaps before a collection. */
const CALL_BYTES = 48_000;
const SLACK_BYTES = 24 * 2 ** 20;

const lab = await openLab(t, {
  agents: 2,
  provision: () => {
    const calls = (name: string, endpoints: number, buildup: number, seconds: number) =>
      callsAmongAgents(
        name,
        { endpoints, buildup, durationSeconds: buildup + seconds, workers: ['agent-1'] },
        { workers: ['agent-2'] },
      );
    return { tests: [calls('first', FIRST_CALLS, 0, 1), calls('many', CALLS, BUILDUP, SECONDS)] };
  },
});
const [caller, callee] = lab.agents;
const resident = () => Promise.all([residentBytes(caller!.pid), residentBytes(callee!.pid)]);

t.test(`${CALLS} calls at once`, async (t) => {
  // What a first run loads and compiles does not count as the cost of a call.
  await lab.runToEnd('first');
  const idle = await resident();
  const id = await lab.startRun('many');
  await lab.reaches(id, 'has every call up', (run) => run.progress.phases.INCALL === 2 * CALLS);
  const most = [0, 0];
  const sample = async () => {
    for (const [i, bytes] of (await resident()).entries()) most[i] = Math.max(most[i]!, bytes);
  };
  let sampled = Promise.resolve();
  await lab.reaches(id, 'ends its calls', (run) => {
    sampled = sampled.then(sample);
    return run.progress.phases.INCALL < 2 * CALLS;
  });
  await sampled;
  await lab.ended(id);
  for (const [i, role] of ['calling', 'called'].entries()) {
    const bytes = most[i]! - idle[i]!;
    t.ok(bytes < SLACK_BYTES + CALLS * CALL_BYTES, `the ${role} agent: ${(bytes / 2 ** 20).toFixed(1)} MiB more`);
  }
  await checkWholeness(t, lab, id, CALLS);
});
