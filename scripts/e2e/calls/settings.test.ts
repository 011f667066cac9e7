/**
 * Settings of testers, as the far end sees them: Expires of REGISTER, waits before a retry, the packet time, how long a caller
 * waits for an answer, the source address of calls.
 */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 2;
const SECONDS = 3;
const EXPIRES = 77;
const PACKET_MS = 40;
const WAIT_SECONDS = 2;
/** Of the registrar that is out of service at first, as in sipp/registrar-in-trouble.xml. */
const RETRY_AFTER_SECONDS = 3;
const RETRY = { afterSeconds: 2, withinSeconds: 300 };

const net = ownLoopback();
const pbx = await startKamailio(net.address(60), 'registrar');
t.teardown(() => pbx.stop());
const peer = await startBehavingPeer(net.address(150), {
  rings: { sends: [], answersAfterMs: 60_000 },
  echoes: { sends: 'ECHO' },
});
t.teardown(() => peer.close());

/** An address of this host that no agent reports; and one of another host. */
const SOURCE = net.address(152);
const FOREIGN = '192.0.2.7';
/** Agents of a lab have IPv4. */
const OTHER_FAMILY = '2001:db8::7';

const busy = await startSipp({ address: net.address(151), scenario: { file: 'registrar-in-trouble.xml' } });
t.teardown(() => busy.stop());

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
      ...[SOURCE, FOREIGN].map((sourceAddress) => ({
        slug: sourceAddress === SOURCE ? 'source' : 'foreign',
        name: 'trunk',
        uri: `sip:${net.address(150)}:${peer.port}`,
        register: false,
        sourceAddress,
      })),
      { slug: 'six', name: 'six', uri: `sip:[${OTHER_FAMILY}]`, register: false },
      {
        slug: 'pbx-source',
        name: 'pbx-source',
        uri: pbx.uri,
        sourceAddress: SOURCE,
        sipAccounts: ['1', '2'].map((username) => ({ username, password: passwordOf(username) })),
      },
      {
        slug: 'busy',
        name: 'busy',
        uri: `sip:${net.address(151)}:${busy.port}`,
        sipAccounts: ['7', '8'].map((username) => ({ username, password: passwordOf(username) })),
      },
    ],
    tests: [
      ...['source', 'foreign'].map((slug) =>
        callsTo(peer.uri('echoes'), slug, { endpoints: CALLS, durationSeconds: 1, registrar: slug }),
      ),
      callsTo(`sip:9000@[${OTHER_FAMILY}]`, 'six', { endpoints: 1, durationSeconds: 1, registrar: 'six' }),
      callsTo(`sip:112@${net.address(150)}:${peer.port}`, 'emergency', { endpoints: 1, durationSeconds: 1 }),
      callsAmongAgents('registers-from', { endpoints: 1, durationSeconds: 1, registrar: 'pbx-source' }),
      ...(['tries', 'hurries'] as const).map((slug, i) => {
        const media = {
          mode: 'REGISTER' as const,
          registerRetry: slug === 'tries' ? RETRY : { afterSeconds: 1, withinSeconds: 1 },
        };
        const [test, account] = [{ endpoints: 1, durationSeconds: 1, registrar: 'busy' }, ['7', '8'][i] ?? ''];
        const callers = callsTo('sip:nobody@127.0.0.1', slug, { ...test, media, sipAccounts: [account] });
        return {
          ...callers,
          groups: (callers.groups ?? []).map((one) => ({ ...one, callee: { mode: 'NONE' as const } })),
        };
      }),
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

const [set, waits, tries, hurries] = await Promise.all(
  ['set', 'waits', 'tries', 'hurries'].map((slug) =>
    slug === 'set' || slug === 'waits' ? lab.runWhole(slug) : lab.runToEnd(slug),
  ),
);

t.test('REGISTER asks for the time that was set', async (t) => {
  t.match(set, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
  const { projectId } = lab;
  const asked = await lab.call('listTestRunMessages', { projectId, testRunId: set!.id, text: `Expires: ${EXPIRES}` });
  const registrants = new Set(asked.rows.filter((one) => one.method === 'REGISTER').map((one) => one.callId));
  t.equal(registrants.size, 2 * CALLS, 'each registers for it');
});

t.test(
  'a REGISTER that failed is sent again after the time that was set, or that the registrar asks for',
  async (t) => {
    t.equal(tries?.status, 'COMPLETED');
    for (const { outcome } of await lab.endpoints(tries!.id)) t.equal(outcome, 'SUCCESS');
    const { projectId } = lab;
    const said = await lab.call('listTestRunMessages', { projectId, testRunId: tries!.id, text: 'REGISTER' });
    // Timer E sends one again if the registrar is held up for half a second.
    const sent = said.rows.filter(
      (one) => one.direction === 'SENT' && one.method === 'REGISTER' && !one.retransmission,
    );
    t.equal(sent.length, 4, 'two that failed, one that was granted, one that removes the binding');
    t.equal(new Set(sent.map((one) => one.callId)).size, 1);
    const at = sent.map((one) => Date.parse(one.at)).sort((a, b) => a - b);
    const [first = 0, second = 0, third = 0] = at;
    t.ok(second - first >= RETRY_AFTER_SECONDS * 1000, `the second came ${second - first} ms after the first`);
    t.ok(third - second >= RETRY.afterSeconds * 1000, `the third came ${third - second} ms after the second`);
  },
);

t.test('a registrar that asks for more time than there is has refused', async (t) => {
  for (const { failure, outcome } of await lab.endpoints(hurries!.id))
    t.match({ failure, outcome }, { outcome: 'REGISTRATION_FAILED', failure: { sipStatus: 503 } });
});

t.test('packets are as long as was set', async (t) => {
  const rows = await lab.query<{ sent: number; octets: number }>(
    'select packets_sent as sent, octets_sent as octets from streams where run_id = $1',
    [set!.id],
  );
  t.equal(rows.length, 2 * CALLS);
  // PCMU has 8 octets a millisecond.
  for (const { sent, octets } of rows) t.equal(Number(octets), sent * PACKET_MS * 8, `${sent} packets`);
});

t.test('a caller waits as long as was set, then gives up', async (t) => {
  t.match(waits, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: 0 } });
  for (const { failure } of await lab.endpoints(waits!.id))
    t.match(failure, { cause: 'NO_ANSWER', reason: `not answered within ${WAIT_SECONDS} s` });
});

t.test('calls of a trunk come from the address that was set, SIP and media', async (t) => {
  const run = await lab.runWhole('source');
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
  const calls = peer.callsOf('echoes').slice(-CALLS);
  t.equal(calls.length, CALLS);
  for (const { from, heardFrom } of calls) t.same([from, [...heardFrom]], [SOURCE, [SOURCE]]);
  const received = calls.reduce((sum, call) => sum + call.received.length, 0);
  t.equal(received, run.summary.totalPacketsSent, 'every packet came from there');
});

t.test('endpoints that register from there are called there', async (t) => {
  const run = await lab.runWhole('registers-from');
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
  t.equal(run.progress.failures, 0);
  const { projectId } = lab;
  const said = await lab.call('listTestRunMessages', { projectId, testRunId: run.id, text: `@${SOURCE}:` });
  const contacts = said.rows.filter((one) => one.method === 'REGISTER' && one.direction === 'SENT');
  t.ok(contacts.length > 0, 'Contact names it');
});

t.test('what no agent can send from, and what no policy lets be dialled, is named before a call is made', async (t) => {
  const { projectId } = lab;
  const cases = [
    ['foreign', 'WORKERS', new RegExp(`agent-1 lacks the address ${FOREIGN}`)],
    ['six', 'WORKERS', new RegExp(`agent-1 lacks an IPv6 address to reach ${OTHER_FAMILY} from`)],
    ['emergency', 'POLICY', /No agent's policy allows the number 112 that group callers dials/],
  ] as const;
  for (const [slug, name, says] of cases) {
    const { checks, isReady } = await lab.call('preflightTest', { projectId, testId: lab.testId(slug) });
    t.notOk(isReady, slug);
    t.match(
      checks.find(({ check }) => check === name),
      { verdict: 'FAIL', message: says },
    );
    const run = await lab.ended(await lab.begin(slug));
    t.match(run, { status: 'CANNOT_RUN_FOR_NOW', error: { message: slug === 'emergency' ? /112/ : says } });
  }
});
