/** The main thread rehearses with facts of calls in memory: they are encoded like those of a run, and none of them remains. */
import t from 'tap';
import { readPolicy } from '../policy/policy.ts';
import { warmUp } from '../run/threads/warm-up.ts';
import { Rehearsal } from './rehearsal.ts';

t.test('all of a rehearsal, from its first call to its end', async (t) => {
  const rehearsal = new Rehearsal();
  const policy = await readPolicy(null);
  const limits = { calls: 300, cpuMs: 60_000, ms: 60_000 };
  const never = () => false;
  let ended = 0;
  await warmUp(limits, policy, never, (facts, plan) => {
    ended += facts.outcomes.length;
    // As it is passed from one thread to the other.
    rehearsal.take(structuredClone(facts), structuredClone(plan));
  });
  t.equal(ended, 300);
  t.equal(rehearsal.encoded, 300, 'each of their ends');
});
