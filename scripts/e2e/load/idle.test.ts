/**
 * Idle processes do almost nothing: an agent without allocations, a control plane with its database without requests. It is
 * counted, since CPU time depends on the host.
 */
import t from 'tap';
import { idleEvents } from '../../peers/lab/idle.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';

/**
 * Each second. Agent: a signalling thread that takes itself for busy is woken 500 times (BUSY_TURN_MS), a media thread that
 * waits for packets 1,000 times (its tick). Control plane: the queue looks for each of its kinds of job every 2 s, which is 8 or
 * 9 transactions; whatever else polls, once for each run or connection, shows beside them.
 */
const MAX_EVENTS = { agentWakeUps: 200, controlPlaneWakeUps: 150, transactions: 15 } as const;
const SECONDS = 10;
/** Remaining work after a run ends within half a minute: SIP's last timers, compilation of used code, garbage. */
const LOOKS = 9;

t.test('after a run both come to rest', async (t) => {
  const lab = await openLab(t, {
    database: 'embedded',
    provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: 2, durationSeconds: 1 })] }),
  });
  await lab.runToEnd('calls');
  const looks: string[] = [];
  let hasRest = false;
  while (!hasRest && looks.length < LOOKS) {
    const events = await idleEvents(lab, SECONDS);
    looks.push(JSON.stringify(events));
    hasRest = (Object.keys(MAX_EVENTS) as (keyof typeof MAX_EVENTS)[]).every(
      (name) => events[name] <= MAX_EVENTS[name],
    );
    t.comment(looks.at(-1));
  }
  t.ok(hasRest, looks.join('; '));
});
