/** A real registrar: 20 endpoints register with digest, call each other through it, and leave no registration; some by WebSocket. */
import t from 'tap';
import { Authority } from '../../../agent/testing/sip/certificates.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, type MediaInput, type RegistrarInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';

const PAIRS = 10;
const FEW = 5;

const HELD: MediaInput['actions'] = [
  { trigger: { on: 'ANSWERED', afterSeconds: 0.5 }, action: { do: 'HOLD' } },
  { trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'RESUME' } },
  { trigger: { on: 'ANSWERED', afterSeconds: 1.2 }, action: { do: 'SEND_DTMF', digits: '5', by: 'INFO' } },
];

const net = ownLoopback();
const authority = new Authority('lab authority');
const server = authority.issue('pbx', `IP:${net.address(60)}`);
const client = authority.issue('agent.example', 'DNS:agent.example');
const files = { certificateFile: server.certificateFile, keyFile: server.keyFile, authorityFile: authority.file };
const pbx = await startKamailio(net.address(60), 'registrar', { sharedMiB: 32, files, webSocketPath: '/' });
t.teardown(() => pbx.stop().finally(() => authority.remove()));
const proxy = await startKamailio(net.address(61), 'proxy');
t.teardown(() => proxy.stop());

const accounts = (count: number, password = passwordOf, from = 1000) =>
  Array.from({ length: count }, (_, i) => String(from + i)).map((username) => ({
    username,
    password: password(username),
  }));
const registrar = (slug: string, more: Partial<RegistrarInput>): RegistrarInput => ({
  slug,
  name: slug,
  uri: pbx.uri,
  sipAccounts: accounts(2 * FEW),
  ...more,
});

const lab = await openLab(t, {
  net,
  agents: 2,
  provision: () => ({
    registrars: [
      registrar('pbx', { sipAccounts: accounts(2 * PAIRS) }),
      registrar('wrong', { sipAccounts: accounts(FEW, () => 'not the password') }),
      registrar('behind-proxy', { outboundProxyUri: proxy.uri }),
      registrar('web', { protocol: 'WS', sipAccounts: accounts(2 * FEW, passwordOf, 2000) }),
      registrar('secure-web', {
        protocol: 'WSS',
        uri: `sip:${pbx.address}:${pbx.tlsPort}`,
        sipAccounts: accounts(FEW, passwordOf, 3000),
        tls: { verify: 'CUSTOM', ca: authority.certificate, certificate: client.certificate, key: client.key },
      }),
    ],
    tests: [
      callsAmongAgents('pairs', { endpoints: PAIRS, buildup: 1, durationSeconds: 4, registrar: 'pbx' }),
      callsTo(`sip:1019@${net.address(60)}:${pbx.port}`, 'wrong', {
        endpoints: FEW,
        durationSeconds: 1,
        registrar: 'wrong',
      }),
      callsAmongAgents('proxied', { endpoints: FEW, durationSeconds: 2, registrar: 'behind-proxy' }),
      callsAmongAgents('web-to-phones', { endpoints: FEW, durationSeconds: 3, registrar: 'web' }, { registrar: 'pbx' }),
      callsAmongAgents(
        'secure-web-to-web',
        { endpoints: FEW, durationSeconds: 3, registrar: 'secure-web', media: { encryption: 'SDES', actions: HELD } },
        { registrar: 'web', media: { encryption: 'SDES' } },
      ),
      callsAmongAgents(
        'sip-js-to-web',
        { endpoints: FEW, durationSeconds: 3, registrar: 'secure-web', media: { engine: 'SIPJS' } },
        { registrar: 'web' },
      ),
      callsAmongAgents('beyond', {
        endpoints: 1,
        durationSeconds: 3,
        registrar: 'web',
        media: { engine: 'SIPJS', signalling: { instanceId: 'ACCOUNT' } },
      }),
    ],
  }),
});

t.test('10 callers and 10 callees through Kamailio', async (t) => {
  const run = await lab.runWhole('pairs');
  t.equal(await pbx.maxContacts(), 2 * PAIRS, 'everyone is in the location table at once');
  t.comment(
    `register p50 ${run.callTiming.registerRtt.p50} ms, set-up p50 ${run.callTiming.callSetup.p50} ms, MOS ${run.summary.avgMos}, ${run.validity?.verdict}`,
  );
  t.match(run, {
    status: 'COMPLETED',
    callTiming: { totalCalls: PAIRS, successCount: PAIRS, asr: 100, ner: 100, registerRtt: { count: 2 * PAIRS } },
    summary: { totalStreams: 2 * PAIRS, totalPacketsLost: 0 },
  });
  t.equal(run.progress.failures, 0);
  const answers = (status: number) => run.sipResponses.find((r) => r.statusCode === status)?.methods ?? {};
  t.ok((answers(401)['REGISTER'] ?? 0) >= 2 * PAIRS, `${answers(401)['REGISTER']} challenges to REGISTER`);
  t.equal(answers(200)['REGISTER'], 4 * PAIRS, 'each binding is made and removed');
  t.same(answers(407), { INVITE: PAIRS });
  t.same([answers(200)['INVITE'], answers(200)['BYE']], [PAIRS, PAIRS]);
  // Kamailio has several processes: if 180 and 200 come together, the 200 may overtake, and the 180 is not passed on.
  const ringing = answers(180)['INVITE'] ?? 0;
  t.ok(ringing > PAIRS / 2 && ringing <= PAIRS, `${ringing} of ${PAIRS} rang`);
  const invites = run.sipRequests.find((r) => r.method === 'INVITE');
  t.match(
    invites,
    { sent: 2 * PAIRS, received: PAIRS },
    'an INVITE that is sent again with credentials is one attempt',
  );
  t.equal(await pbx.contacts(), 0, 'the location table is empty');
  const [leak] = await lab.query<{ n: number }>(`select count(*)::int as n from worker_commands where run_id = $1`, [
    run.id,
  ]);
  t.equal(leak?.n, 0, 'no order with a password is kept');
});

t.test('a wrong password', async (t) => {
  const run = await lab.runToEnd('wrong');
  t.match(run, {
    status: 'COMPLETED',
    error: null,
    callTiming: { totalCalls: 0, successCount: 0, errorCount: 0, asr: 0, registerRtt: { count: 0 } },
  });
  for (const endpoint of await lab.endpoints(run.id)) {
    t.match(endpoint, {
      phase: 'CLOSED',
      outcome: 'REGISTRATION_FAILED',
      failure: { cause: 'REGISTRATION_DENIED', party: 'caller', sipStatus: 401 },
    });
    t.equal(endpoint.callTiming, null, 'never filled with zeros');
  }
  t.same(
    run.sipResponses.map((r) => [r.statusCode, r.methods]),
    [[401, { REGISTER: 2 * FEW }]],
    'challenged twice, then given up',
  );
  t.equal(
    run.sipRequests.find((r) => r.method === 'INVITE'),
    undefined,
    'nobody calls',
  );
});

t.test('an outbound proxy in front', async (t) => {
  const run = await lab.runWhole('proxied');
  t.match(run, {
    status: 'COMPLETED',
    callTiming: { totalCalls: FEW, successCount: FEW, registerRtt: { count: 2 * FEW } },
  });
  const peers = (whose: string) =>
    lab.query<{ peer: string }>(
      `select distinct m.peer from sip_messages m
       join endpoints e on e.run_id = m.run_id and e.number = m.endpoint_number where m.run_id = $1 and ${whose}`,
      [run.id],
    );
  const alone = [{ peer: `${proxy.address}:${proxy.port}` }];
  t.same(await peers(`m.method = 'REGISTER'`), alone, 'every registration goes by the proxy');
  t.same(await peers(`e.endpoint_type = 'CALLER'`), alone, 'and whatever a caller says');
  t.equal(await pbx.contacts(), 0, 'the location table is empty');
});

for (const { slug, callers, port } of [
  { slug: 'web-to-phones', callers: 'over WebSocket to phones over UDP', port: pbx.port },
  { slug: 'sip-js-to-web', callers: 'on SIP.js over WSS, to others over WS', port: pbx.tlsPort },
  { slug: 'secure-web-to-web', callers: 'over WSS, held and resumed, to others over WS', port: pbx.tlsPort },
])
  t.test(`callers ${callers}: registered with digest, media both ways`, async (t) => {
    const run = await lab.runWhole(slug);
    t.match(run, {
      status: 'COMPLETED',
      error: null,
      callTiming: { totalCalls: FEW, successCount: FEW, registerRtt: { count: 2 * FEW } },
      summary: { totalStreams: 2 * FEW, totalPacketsLost: 0 },
    });
    t.equal(run.progress.failures, 0);
    t.equal(run.summary.measured?.mos, 2 * FEW, 'every stream was heard');
    const used = await lab.query<{ peer: string }>(
      `select distinct m.peer from sip_messages m
       join endpoints e on e.run_id = m.run_id and e.number = m.endpoint_number
       where m.run_id = $1 and e.endpoint_type = 'CALLER'`,
      [run.id],
    );
    t.same(used, [{ peer: `${pbx.address}:${port}` }], 'all that callers say goes by their own connection');
    const kept = await lab.query<{ n: number }>(
      `select count(*)::int as n from sip_messages where run_id = $1 and method = 'REGISTER'`,
      [run.id],
    );
    t.ok((kept[0]?.n ?? 0) >= 12 * FEW, 'every message is kept: asked, challenged, granted, removed');
    t.equal(await pbx.contacts(), 0, 'the location table is empty');
  });

t.test('what SIP.js cannot do is refused before the run begins', async (t) => {
  const run = await lab.ended(await lab.begin('beyond'));
  t.match(run, { status: 'CANNOT_RUN_FOR_NOW', error: { code: 'NO_ONLINE_WORKER' } });
  t.match(run.error?.message, /lacks OUTBOUND with SIPJS/);
});
