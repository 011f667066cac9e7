/** Idle processes cost almost nothing: an agent without allocations, a control plane with its database without requests. */
import t from 'tap';
import { idleShares } from '../../peers/lab/idle.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';

/** Percent of a core: twice the goal. */
const MOST = { agent: 1, controlPlane: 3 } as const;
const SECONDS = 10;
/** Remaining work after a run ends within half a minute: SIP's last timers, compilation of used code, garbage. */
const LOOKS = 9;

t.test('after a run both come to rest', { timeout: 240_000 }, async (t) => {
  const lab = await openLab(t, {
    database: 'embedded',
    provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: 2, durationSeconds: 1 })] }),
  });
  await lab.runToEnd('calls');
  const looks: string[] = [];
  let hasRest = false;
  while (!hasRest && looks.length < LOOKS) {
    const { agent, controlPlane } = await idleShares(lab, SECONDS);
    looks.push(`agent ${agent.toFixed(2)} %, control plane ${controlPlane.toFixed(2)} %`);
    hasRest = agent <= MOST.agent && controlPlane <= MOST.controlPlane;
  }
  t.ok(hasRest, looks.join('; '));
});
