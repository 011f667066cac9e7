/** SIP features beyond the simple call, in whole runs: names, TLS, redirects, 100rel and session timers; small runs in parallel. */
import t from 'tap';
import { nowMs } from '../../../agent/clock.ts';
import { agentOf, answering, closeSides, side } from '../../../agent/testing/sip/sides.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { NameServer, naptr, srv } from '../../peers/network/name-server.ts';

const net = ownLoopback();
const far = await side({ address: net.address(70) });
const tlsPort = (await far.engine.listenTls()).port;
const { address, port } = far.engine.local;
agentOf(far, '9', { onIncomingCall: answering });
agentOf(far, 'moved', {
  onIncomingCall: (call) => {
    call.redirect(302, [`sip:9@${address}:${port}`]);
    return answering(call);
  },
});
const turns = setInterval(() => far.engine.turn(nowMs()), 2);
const names = await NameServer.start({
  'NAPTR pbx.example': [naptr(1, 1, 'SIP+D2U', '_sip._udp.pbx.example')],
  'SRV _sip._udp.pbx.example': [srv(10, 0, port, 'a.pbx.example')],
  'A a.pbx.example': [address],
});
t.teardown(() => {
  clearInterval(turns);
  names.close();
  closeSides();
});

const CALLS = 2;
const shape = { endpoints: CALLS, durationSeconds: 1 };
const lab = await openLab(t, {
  net,
  agentEnv: { CARILLON_DNS: names.place },
  provision: () => ({
    registrars: [
      {
        slug: 'trunk',
        name: 'trunk',
        uri: `sip:${address}:${tlsPort}`,
        protocol: 'TLS',
        register: false,
        tls: { verify: 'SKIP' },
      },
    ],
    tests: [
      callsTo('sip:9@pbx.example', 'named', shape),
      callsTo(`sip:9@${address}:${tlsPort};transport=tls`, 'secure', { ...shape, registrar: 'trunk' }),
      callsTo(`sip:moved@${address}:${port}`, 'moved', { ...shape, media: { signalling: { maxRedirects: 2 } } }),
      callsAmongAgents(
        'careful',
        { ...shape, media: { signalling: { reliableProvisional: 'REQUIRED', sessionTimer: { expiresSeconds: 90 } } } },
        { media: { signalling: { reliableProvisional: 'REQUIRED', provisional: 183, sessionTimer: {} } } },
      ),
    ],
  }),
});

const slugs = ['named', 'secure', 'moved', 'careful'];
const runs = new Map(
  await Promise.all(
    slugs.map(async (slug) => {
      const run = await lab.runWhole(slug);
      const endpoints = await Promise.all(
        (await lab.endpoints(run.id)).map(({ id: endpointId }) =>
          lab.call('getTestRunEndpoint', { projectId: lab.projectId, testRunId: run.id, endpointId }),
        ),
      );
      return [slug, { run, endpoints }] as const;
    }),
  ),
);
const ended = (slug: string) => {
  const found = runs.get(slug);
  if (found === undefined) throw new Error(slug);
  t.match(found.run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } }, slug);
  return found;
};
const times = (run: { sipRequests: { method: string; sent: number }[] }, method: string): number =>
  run.sipRequests.find((one) => one.method === method)?.sent ?? 0;

t.test('by a name: the call has the time of its DNS queries', (t) => {
  const { endpoints } = ended('named');
  for (const one of endpoints) t.match(one, { connectMs: null, tlsMs: null, tls: null, registrationRefreshes: null });
  t.ok(
    endpoints.some(({ dnsMs }) => dnsMs !== null),
    'of the first one at least',
  );
  t.ok(names.asked.some((question) => question.includes('SRV _sip._udp.pbx.example')));
  t.end();
});

t.test('over TLS: connect and handshake, of the side that opened the connection', (t) => {
  const { endpoints } = ended('secure');
  const opened = endpoints.filter(({ connectMs }) => connectMs !== null);
  t.ok(opened.length >= 1);
  for (const { tlsMs, tls, dnsMs } of opened) {
    t.ok((tlsMs ?? 0) > 0);
    t.match(tls, /^TLSv1\.3 /);
    t.equal(dnsMs, null, 'a number needs no DNS');
  }
  t.end();
});

t.test('redirects are followed', (t) => {
  const { run } = ended('moved');
  t.match(run.sipResponses.find(({ statusCode }) => statusCode === 302)?.methods, { INVITE: CALLS });
  t.equal(times(run, 'INVITE'), 2 * CALLS);
  t.end();
});

t.test('100rel and a session timer, between agents', async (t) => {
  const { run } = ended('careful');
  const { projectId } = lab;
  const timed = await lab.call('listTestRunMessages', {
    projectId,
    testRunId: run.id,
    text: 'Session-Expires: 90;refresher=',
  });
  t.ok(timed.rows.length >= CALLS, 'the answers agree to it');
  t.equal(times(run, 'PRACK'), CALLS);
  t.ok((run.summary.totalStreams ?? 0) > 0);
});
