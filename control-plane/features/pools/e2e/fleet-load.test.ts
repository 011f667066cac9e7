/** Eight agents of one pool: each has a change of the rate at the same instant, which is in its order. */
import t from 'tap';
import { openLab, stallMs } from '../../../../scripts/peers/lab/lab.ts';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { openSipp } from './come-and-go.ts';
import { againstPlan, changeRates, changesOf, fleetTest, joinFleet, plannedInstants } from './fleet-load.ts';

const AGENTS = 8;
const RATE = 24;
/** From a request to the instant of its change, less the time of its orders. */
const LEAD_MS = 200;
const net = ownLoopback();
const sipp = await openSipp(net);
t.teardown(() => sipp.stop('SIGKILL'));
const lab = await openLab(t, { net, agents: 0, provision: () => ({ tests: [fleetTest(sipp.uri, RATE)] }) });

t.test('the rate is changed, paused and raised: every call of every agent is one of the plan', async (t) => {
  const { agents } = await joinFleet(lab, net, AGENTS);
  t.teardown(() => Promise.all(agents.map((agent) => agent.stop('SIGKILL'))));
  const id = await lab.startRun('fleet');
  await lab.reaches(id, 'has begun', ({ starts }) => starts.planned >= RATE);
  await changeRates(lab, id, [2 * RATE, 0, RATE, RATE / 2, 0]);
  await lab.call('cancelTestRun', { projectId: lab.projectId, testRunId: id });
  const { startedAt, starts, validity } = await lab.ended(id);
  const calls = await lab.calls(id);
  const changes = await changesOf(lab, id);
  t.equal(changes.length, 5);
  const instants = plannedInstants(RATE, changes, 3_600_000);
  const found = againstPlan(calls, startedAt ?? '', instants);
  t.comment(JSON.stringify({ ...found, starts, verdict: validity?.verdict }));
  t.equal(found.agents, AGENTS);
  t.equal(found.twice, 0, 'no call of the plan was placed twice');
  t.equal(calls.length, starts.started);
  // An agent that stands still has an order later than its instant, and the verdict says so.
  if (stallMs({ validity }) >= LEAD_MS) {
    t.not(validity?.verdict, 'VALID');
    return;
  }
  t.equal(found.strange, 0, 'and none at an instant of a rate that no longer was');
  t.equal(starts.planned, instants.length, 'each call of the plan had its agent');
});
