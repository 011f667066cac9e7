/** What testers set of times, as the far end sees it: Expires of REGISTER, the length of packets, how long a caller waits for an answer. */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';

const CALLS = 2;
const SECONDS = 3;
const EXPIRES = 77;
const PACKET_MS = 40;
const WAIT_SECONDS = 2;

const net = ownLoopback();
const pbx = await startKamailio(net.address(60), 'registrar');
t.teardown(() => pbx.stop());
const peer = await startBehavingPeer(net.address(150), { rings: { sends: [], answersAfterMs: 60_000 } });
t.teardown(() => peer.close());

const usernames = Array.from({ length: 2 * CALLS }, (_, i) => String(1000 + i));
const lab = await openLab(t, {
  net,
  provision: () => ({
    registrars: [
      {
        slug: 'pbx',
        name: 'pbx',
        uri: pbx.uri,
        sipAccounts: usernames.map((username) => ({ username, password: passwordOf(username) })),
      },
    ],
    tests: [
      callsAmongAgents('set', {
        endpoints: CALLS,
        durationSeconds: SECONDS,
        registrar: 'pbx',
        media: { registerExpiresSeconds: EXPIRES, packetMs: PACKET_MS },
      }),
      callsTo(peer.uri('rings'), 'waits', {
        endpoints: CALLS,
        durationSeconds: SECONDS,
        media: { answerTimeoutSeconds: WAIT_SECONDS },
      }),
    ],
  }),
});

const [set, waits] = await Promise.all(['set', 'waits'].map((slug) => lab.runToEnd(slug)));

t.test('REGISTER asks for the time that was set', async (t) => {
  t.match(set, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
  const { projectId } = lab;
  const asked = await lab.call('listTestRunMessages', { projectId, testRunId: set!.id, text: `Expires: ${EXPIRES}` });
  const registrants = new Set(asked.rows.filter((one) => one.method === 'REGISTER').map((one) => one.callId));
  t.equal(registrants.size, 2 * CALLS, 'each registers for it');
});

t.test('packets are as long as was set', async (t) => {
  const rows = await lab.query<{ sent: number; skipped: number }>(
    'select packets_sent as sent, sends_skipped as skipped from streams where run_id = $1',
    [set!.id],
  );
  t.equal(rows.length, 2 * CALLS);
  for (const { sent, skipped } of rows)
    t.ok(sent + skipped <= (SECONDS * 1000) / PACKET_MS + 2, `${sent} packets were sent, ${skipped} skipped`);
});

t.test('a caller waits as long as was set, then gives up', async (t) => {
  t.match(waits, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: 0 } });
  for (const { failure } of await lab.endpoints(waits!.id))
    t.match(failure, { cause: 'NO_ANSWER', reason: `not answered within ${WAIT_SECONDS} s` });
});
