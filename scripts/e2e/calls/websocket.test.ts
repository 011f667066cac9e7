/**
 * Calls over WebSockets to a server that has a name, a path and a private authority (RFC 7118); and the result of a registrar
 * check for each fault.
 */
import t from 'tap';
import { Authority } from '../../../agent/testing/sip/certificates.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, type MediaInput, type RegistrarInput, type TestInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { NameServer, naptr, srv } from '../../peers/network/name-server.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';

const CALLS = 3;

const net = ownLoopback();
const authority = new Authority('private authority');
const server = authority.issue('ignored', 'DNS:pbx.example');
const client = authority.issue('agent.example', 'DNS:agent.example');
const files = { certificateFile: server.certificateFile, keyFile: server.keyFile, authorityFile: authority.file };
const pbx = await startKamailio(net.address(60), 'registrar', { sharedMiB: 32, files, webSocketPath: '/ws' });
t.teardown(() => pbx.stop().finally(() => authority.remove()));
const names = await NameServer.start({
  'NAPTR pbx.example': [
    naptr(1, 1, 'SIPS+D2W', '_sips._ws.pbx.example'),
    naptr(1, 2, 'SIP+D2W', '_sip._ws.pbx.example'),
  ],
  'SRV _sips._ws.pbx.example': [srv(10, 0, pbx.tlsPort, 'edge.pbx.example')],
  'SRV _sip._ws.pbx.example': [srv(10, 0, pbx.port, 'edge.pbx.example')],
  'A edge.pbx.example': [pbx.address],
  'A other.example': [pbx.address],
});
t.teardown(() => names.close());

const ours = { certificate: client.certificate, key: client.key };
const trusted = { verify: 'CUSTOM', ca: authority.certificate, ...ours } as const;
const accounts = (from: number) =>
  Array.from({ length: CALLS }, (_, i) => String(from + i)).map((username) => ({
    username,
    password: passwordOf(username),
  }));
const registrar = (slug: string, from: number, more: Partial<RegistrarInput> = {}): RegistrarInput => ({
  slug,
  name: slug,
  uri: 'sip:pbx.example',
  protocol: 'WSS',
  webSocketPath: '/ws',
  tls: trusted,
  sipAccounts: accounts(from),
  ...more,
});

/** Features that other transports have, too. */
const CAREFUL = { reliableProvisional: 'REQUIRED', sessionTimer: { expiresSeconds: 90 } } as const;
const UPDATED: MediaInput['actions'] = [{ trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'UPDATE' } }];

/** What older agents could not do over WebSockets. */
const LASTING: Parameters<typeof callsAmongAgents>[1] = {
  ...{ endpoints: CALLS, durationSeconds: 1, calls: null, registrar: 'secure' },
  load: { shape: 'RATE', callsPerSecond: 2, seconds: 6 },
  media: { mediaTracks: [], signalling: { instanceId: 'ACCOUNT' } },
};

/** One of its gateways exists, and one does not. */
const [there, silent] = [`${pbx.address}:${pbx.port}`, `${net.address(62)}:5060`];
const TRUNK: RegistrarInput = {
  slug: 'trunk',
  name: 'trunk',
  uri: `sip:${net.address(61)}:5060`,
  register: false,
  gateways: [there, silent],
};
/** Calls through each of them. */
const EVERYWHERE: TestInput = {
  slug: 'everywhere',
  name: 'everywhere',
  durationSeconds: 1,
  groups: ['secure', 'wrong-name', 'wrong-path', 'trunk'].map((slug) => ({
    name: slug,
    registrar: slug,
    callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@pbx.example' },
    placement: { mode: 'REGION', region: 'local' },
    subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
  })),
};

const lab = await openLab(t, {
  net,
  agentEnv: { CARILLON_DNS: names.place },
  provision: () => ({
    registrars: [
      registrar('secure', 2000),
      registrar('plain', 3000, { protocol: 'WS', tls: null }),
      registrar('wrong-name', 4000, { uri: `sip:other.example:${pbx.tlsPort}` }),
      registrar('wrong-path', 5000, { webSocketPath: null }),
      registrar('unknown-authority', 6000, { tls: { verify: 'SYSTEM', ...ours } }),
      TRUNK,
    ],
    tests: [
      callsAmongAgents(
        'named',
        { endpoints: CALLS, durationSeconds: 3, registrar: 'secure', media: { signalling: CAREFUL, actions: UPDATED } },
        { registrar: 'plain', media: { signalling: { ...CAREFUL, provisional: 183 } } },
      ),
      callsAmongAgents('after-each-other', LASTING, { registrar: 'plain' }),
      EVERYWHERE,
    ],
  }),
});

t.test('calls over WSS by name, at a path of the server, to callees over WS', async (t) => {
  const run = await lab.runWhole('named');
  t.match(run, {
    status: 'COMPLETED',
    error: null,
    callTiming: { totalCalls: CALLS, successCount: CALLS, registerRtt: { count: 2 * CALLS } },
    summary: { totalStreams: 2 * CALLS, totalPacketsLost: 0 },
  });
  t.equal(run.progress.failures, 0);
  const sent = (method: string) => run.sipRequests.find((one) => one.method === method)?.sent ?? 0;
  t.same([sent('PRACK'), sent('UPDATE')], [CALLS, CALLS], 'reliable provisional responses, and a change by UPDATE');
  t.ok(
    names.asked.some((question) => question.endsWith('SRV _sips._ws.pbx.example')),
    `${names.asked}`,
  );
  const saying = async (text: string) =>
    (await lab.call('listTestRunMessages', { projectId: lab.projectId, testRunId: run.id, text })).rows.length;
  t.ok((await saying('REGISTER sip:pbx.example SIP/2.0')) > 0);
  t.ok((await saying('Session-Expires: 90;refresher=')) > 0, 'the session has a time');
  for (const text of ['pbx.example/ws', 'ws-path'])
    t.equal(await saying(text), 0, `the path is of HTTP: no message of SIP says ${text}`);
  t.equal(await pbx.contacts(), 0, 'the location table is empty');
});

t.test('a load over WSS: each endpoint registers once, with an outbound flow, and has call after call', async (t) => {
  const run = await lab.runToEnd('after-each-other');
  const { planned, started } = run.starts;
  t.same([run.status, run.error, planned], ['COMPLETED', null, 12]);
  t.ok(started > CALLS, `${started} calls of ${CALLS} endpoints`);
  t.match(run.callTiming, { totalCalls: started, successCount: started });
  t.equal(run.callTiming.registerRtt.count, 2 * CALLS);
  t.equal(await pbx.contacts(), 0, 'the location table is empty');
});

const FAULTS: readonly (readonly [slug: string, cause: string, says: RegExp])[] = [
  [
    'wrong-name',
    'REGISTRATION_UNREACHABLE',
    /WSS to other\.example \(.*\): the certificate is not for other\.example \(/,
  ],
  ['wrong-path', 'REGISTRATION_UNREACHABLE', /HTTP 404 at \/: its WebSocket has another path/],
  ['unknown-authority', 'REGISTRATION_UNREACHABLE', /its certificate is not from an authority that is trusted/],
];

t.test('a check of a registrar says what will not work, before anybody calls', async (t) => {
  const { projectId } = lab;
  const { rows } = await lab.call('listRegistrars', { projectId });
  const check = async (slug: string) => {
    const registrarId = rows.find((one) => one.slug === slug)?.id ?? '';
    const { testRunId } = await lab.call('checkRegistrar', { projectId, registrarId, region: 'local' });
    const run = await lab.ended(testRunId);
    return { run, endpoint: (await lab.endpoints(testRunId))[0] };
  };
  const good = await check('secure');
  t.match(good.endpoint, { outcome: 'SUCCESS', failure: null });
  for (const [slug, cause, says] of FAULTS) {
    const { run, endpoint } = await check(slug);
    t.match(endpoint?.failure, { cause, reason: says }, `${slug}: ${endpoint?.failure?.reason}`);
    t.same(run.sipRequests, [], 'nothing of SIP was sent there');
  }
});

t.test('the preflight of a test says it of each of its servers, once they were asked', async (t) => {
  const { projectId } = lab;
  const testId = lab.testId('everywhere');
  const asked = async () =>
    (await lab.call('preflightTest', { projectId, testId })).checks.flatMap(({ check, places = [] }) =>
      places.map((place) => ({ check, ...place })),
    );
  t.same(
    (await asked()).map(({ message }) => message),
    Array.from({ length: 6 }, () => 'Not checked yet.'),
  );
  const { testRunId } = await lab.call('checkTest', { projectId, testId });
  await lab.ended(testRunId);
  const told = await asked();
  t.comment(told.map(({ name, message }) => `${name}: ${message}`).join('\n'));
  const of = (name: string) => told.find((place) => place.name.startsWith(name));
  t.match(of('secure: '), { check: 'WEB_SOCKETS', verdict: 'PASS', message: /^Answers, after \d+ ms\.$/ });
  t.match(of('wrong-name: '), { verdict: 'FAIL', message: /the certificate is not for other\.example/ });
  t.match(of('wrong-path: '), { verdict: 'FAIL', message: /HTTP 404 at \/: its WebSocket has another path/ });
  t.match(of(`trunk: sip:${net.address(61)}`), { check: 'SIP_SERVERS', verdict: 'WARN' });
  t.match(of(`trunk: ${there}`), { check: 'GATEWAYS', verdict: 'PASS' });
  t.match(of(`trunk: ${silent}`), { check: 'GATEWAYS', verdict: 'WARN' });
  t.notOk((await lab.call('preflightTest', { projectId, testId })).isReady, 'no call to these servers is possible');
  const { lastRunStatus } = await lab.call('getTest', { projectId, testId });
  t.equal(lastRunStatus, null, 'it is no run of the test');
});
