/** Four disposable agents come and go for twenty seconds under calls: every call is in one state, and SIPp's count is ours. */
import t from 'tap';
import { openLab } from '../../../../scripts/peers/lab/lab.ts';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { comeAndGo, comingTest, openSipp } from './come-and-go.ts';

const COMING = { agents: 4, seconds: 20, callsPerSecond: 20, secondsOfRun: 6, everySeconds: 4 };
const net = ownLoopback();
const sipp = await openSipp(net);
t.teardown(() => sipp.stop('SIGKILL'));
const lab = await openLab(t, { net, agents: 0, provision: () => ({ tests: [comingTest(sipp.uri, COMING)] }) });

t.test('no call is lost, and none is twice', async (t) => {
  const found = await comeAndGo(lab, net, sipp, COMING);
  t.comment(JSON.stringify(found));
  t.ok(found.calls > 0);
  t.equal(found.inStates, found.calls, 'every call is in one state');
  t.equal(found.open, 0);
  t.equal(found.calls, found.sipp, "SIPp's count is ours");
  t.same(found.wrongExits, [], 'each agent left in order');
  t.equal(found.left, found.begun, 'and its worker is archived');
});
