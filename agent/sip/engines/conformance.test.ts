/** One suite for all engines: the same scenarios through the same Kamailio to the same far end, our own core over UDP. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Secret } from '@carillon/proto/base/secret.ts';
import t, { type Test } from 'tap';
import { ownLoopback } from '../../../scripts/peers/network/loopback.ts';
import { until } from '../../../scripts/peers/process.ts';
import { passwordOf, startKamailio } from '../../../scripts/peers/sip/kamailio.ts';
import { nowMs } from '../../clock.ts';
import { readConfig } from '../../config.ts';
import { DrachtioFixture } from '../../testing/drachtio/fixture.ts';
import { Authority } from '../../testing/sip/certificates.ts';
import { type End, OURS, SCENARIOS, type ScenarioStage, SHOWN_NAME } from '../../testing/sip/engine-scenarios.ts';
import { isOver } from '../../testing/sip/sides.ts';
import { CallLog, RegistrationLog } from '../../testing/sip/virtual.ts';
import { withOwner } from '../../testing/sip/with-owner.ts';
import { abilitiesWith, ENGINE_ABILITIES, SIP_ABILITIES } from '../abilities.ts';
import { createCoreEngine } from '../core/engine.ts';
import type { SignallingOptions, SipEngine, SipTarget, TlsSettings, UserAgentOptions } from '../engine.ts';
import { PLAIN_SIGNALLING } from '../engine.ts';
import { createDrachtioEngine } from './drachtio/engine.ts';
import { contentOf } from './drachtio/session.ts';
import { createSipJsEngine } from './sip-js/engine.ts';

const authority = new Authority('carillon test authority');
const server = authority.issue('ignored', 'DNS:pbx.example');
const client = authority.issue('agent.example', 'DNS:agent.example');
const files = { certificateFile: server.certificateFile, keyFile: server.keyFile, authorityFile: authority.file };
const net = ownLoopback();
const pbx = await startKamailio(net.address(71), 'registrar', { sharedMiB: 32, files, webSocketPath: '/' });
const TLS: TlsSettings = {
  verify: 'CUSTOM',
  ca: authority.certificate,
  certificate: client.certificate,
  key: new Secret(client.key),
};

type Contestant = { readonly engine: SipEngine; readonly hop: SipTarget };
const errors: unknown[] = [];
/** The engines' names in the traces. */
const transports = new Map<SipEngine, Set<string>>();
const options = {
  address: net.address(72),
  userAgentName: 'carillon-test',
  mayReach: () => true,
  onInternalError: (error: unknown) => errors.push(error),
};
const core = (address: string) =>
  createCoreEngine({ ...options, address, port: 0, adapter: 'auto', onUnclaimedCall: () => null });
const plain = { address: pbx.address, port: pbx.port };
const secure = { address: pbx.address, port: pbx.tlsPort, serverName: 'pbx.example' };
const far = await core(net.address(73));
/** A real server if there is one: drachtio://:SECRET@HOST:PORT. It has to reach this host's loopback. */
const live = process.env['DRACHTIO_URL'] ? new URL(process.env['DRACHTIO_URL']) : null;
const fixture = live === null ? await DrachtioFixture.open(net.address(76), 'secret') : null;
const drachtio = await createDrachtioEngine({
  ...options,
  onUnclaimedCall: () => null,
  server:
    live === null
      ? { host: net.address(76), port: fixture?.port ?? 0, secret: new Secret('secret') }
      : { host: live.hostname, port: Number(live.port || 9022), secret: new Secret(decodeURIComponent(live.password)) },
});
const contestants: readonly Contestant[] = [
  { engine: await core(net.address(74)), hop: { transport: 'UDP', ...plain } },
  { engine: await core(net.address(75)), hop: { transport: 'TCP', ...plain } },
  { engine: await core(net.address(82)), hop: { transport: 'WS', ...plain } },
  { engine: await core(net.address(83)), hop: { transport: 'WSS', ...secure } },
  { engine: createSipJsEngine(options), hop: { transport: 'WS', ...plain } },
  { engine: createSipJsEngine(options), hop: { transport: 'WSS', ...secure } },
  { engine: drachtio, hop: { transport: 'UDP', ...plain } },
];
t.teardown(async () => {
  for (const { engine } of [...contestants, { engine: far }]) engine.close();
  fixture?.close();
  await pbx.stop();
  authority.remove();
});

const turnUntil = (engines: readonly SipEngine[], what: string, condition: () => boolean): Promise<boolean> => {
  const turn = (): void => {
    for (const engine of engines) engine.turn(nowMs());
  };
  return until(what, condition, { everyMs: 1, turn });
};

let users = 0;

/** A registered user agent, with digest. */
async function endOf(
  engine: SipEngine,
  hop: SipTarget,
  signalling: Partial<SignallingOptions>,
  engines: readonly SipEngine[],
  own: Pick<UserAgentOptions, 'from' | 'headers'> = {},
): Promise<End> {
  const user = `u${users++}`;
  const wire: string[] = [];
  const texts: string[] = [];
  const end: End = {
    engine,
    uri: `sip:${user}@${pbx.address}`,
    wire,
    texts,
    onCall: () => null,
    isBusy: false,
    agent: engine.createUserAgent(
      withOwner({
        aor: `sip:${user}@${pbx.address}`,
        displayName: SHOWN_NAME,
        ...own,
        contactUser: `c-${user}`,
        credentials: { username: user, password: new Secret(passwordOf(user)) },
        registrarUri: `sip:${pbx.address}`,
        nextHop: [hop],
        routeSet: [],
        tls: hop.serverName === undefined ? null : TLS,
        signalling: { ...PLAIN_SIGNALLING, ...signalling },
        traffic: {
          onMessage: ({ direction, text, transport }) => {
            texts.push(text);
            transports.set(engine, (transports.get(engine) ?? new Set()).add(transport));
            wire.push(`${direction === 'SENT' ? '>' : '<'} ${text.slice(0, text.indexOf('\r\n'))} ${transport}`);
          },
        },
        onIncomingCall: (call) => end.onCall(call),
        isBusy: () => end.isBusy,
      }),
    ),
  };
  const log = new RegistrationLog();
  end.agent.register(600, log);
  await turnUntil(engines, `${user} is registered: ${log.events}`, () => log.events.length > 1);
  if (log.events[1] !== 'registered 600') throw new Error(`${user}: ${log.events}, ${log.failures[0]?.reason}`);
  return end;
}

function stageOf(t: Test, { engine, hop }: Contestant): ScenarioStage {
  const engines = [engine, far];
  return {
    ends: async (signalling = {}, own = {}) => ({
      near: await endOf(engine, hop, signalling, engines, own),
      far: await endOf(far, { transport: 'UDP', ...plain }, signalling, engines),
    }),
    until: (what, condition) => turnUntil(engines, what, condition),
    same: (found, wanted, what) => void t.same(found, wanted, what),
    ok: (found, what) => void t.ok(found, what),
  };
}

for (const contestant of contestants) {
  const { engine, hop } = contestant;
  t.test(`${engine.name} over ${hop.transport}`, async (t) => {
    const can = ENGINE_ABILITIES[engine.name];
    for (const { what, needs, run } of SCENARIOS) {
      const lacking = needs.filter((need) => !can.includes(need));
      if (lacking.length > 0) t.comment(`${what}: refused at validation, ${engine.name} lacks ${lacking}`);
      else await t.test(what, (t) => run(stageOf(t, contestant)));
    }
    await t.test('a wrong password is told, and so is a server that is not there', async (t) => {
      const log = new RegistrationLog();
      const nobody = new RegistrationLog();
      const common = { routeSet: [], traffic: { onMessage: () => undefined }, onIncomingCall: () => null };
      const aor = `sip:wrong-${hop.transport}@${pbx.address}`;
      const credentials = { username: 'wrong', password: new Secret('not this') };
      const tls = hop.serverName === undefined ? null : TLS;
      const registrarUri = `sip:${pbx.address}`;
      engine
        .createUserAgent(
          withOwner({ ...common, aor, contactUser: 'wrong', credentials, registrarUri, nextHop: [hop], tls }),
        )
        .register(600, log);
      const dead = [{ ...hop, address: net.address(79), port: 9 }];
      if (hop.transport !== 'UDP')
        engine
          .createUserAgent(
            withOwner({
              ...{ ...common, aor, contactUser: 'dead', credentials, registrarUri, nextHop: dead, tls },
              registerRetry: { afterMs: 100, withinMs: 500 },
            }),
          )
          .register(600, nobody);
      await turnUntil(
        [engine],
        'told',
        () => log.events.length > 1 && (hop.transport === 'UDP' || nobody.events.length > 0),
      );
      t.match(log.events.at(-1), /^failed STATUS 40[13]$/);
      if (hop.transport !== 'UDP') {
        t.equal(nobody.events.at(-1), 'failed TRANSPORT null', nobody.failures[0]?.reason ?? '');
        if (can.includes('REGISTER_RETRY'))
          t.match(
            nobody.failures[0]?.reason,
            /\(attempt [2-6], \d+ s after the first failed\)$/,
            'tried again as was set',
          );
      }
    });
    t.same(errors, [], 'no fault of ours');
    t.same([...(transports.get(engine) ?? [])], [hop.transport], 'the trace names the transport of every message');
    const { malformed, unclaimed, internalErrors } = engine.counters;
    t.same([malformed, unclaimed, internalErrors], [0, 0, 0]);
  });
}

t.test('the page of the engines says what they can do', async (t) => {
  const page = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  const names = ['core', 'sip.js', 'drachtio'] as const;
  for (const ability of SIP_ABILITIES) {
    const row = names.map((name) => (ENGINE_ABILITIES[name].includes(ability) ? 'yes' : 'no'));
    t.ok(page.includes(`| ${ability} | ${row.join(' | ')} |`), `${ability}: ${row}`);
  }
  t.ok(abilitiesWith('drachtio').includes('REFER over WebSocket'), 'WebSocket endpoints have abilities of their own');
  t.ok(abilitiesWith('core').includes('OUTBOUND over WebSocket'));
  t.notOk(abilitiesWith('core').includes('OUTBOUND with SIPJS'));
});

t.test('libraries are loaded when an endpoint needs them, and not before', async (t) => {
  const choice = readFileSync(new URL('./engines.ts', import.meta.url), 'utf8');
  const early = choice.matchAll(/^(?:import|export) (?!type)[^;]*from '\.\/(?:sip-js|drachtio)\//gm);
  t.same([...early], []);
});

t.test('a drachtio-server that refuses, talks nonsense, goes', async (t) => {
  const stranger = await DrachtioFixture.open(net.address(77), 'right');
  const at = { host: net.address(77), port: stranger.port };
  await t.rejects(
    createDrachtioEngine({ ...options, onUnclaimedCall: () => null, server: { ...at, secret: new Secret('wrong') } }),
    /does not accept us/,
  );
  const faults: unknown[] = [];
  const engine = await createDrachtioEngine({
    ...options,
    onInternalError: (error) => faults.push(error),
    onUnclaimedCall: () => null,
    server: { ...at, secret: new Secret('right') },
  });
  const log = new RegistrationLog();
  const silent = { transport: 'UDP', address: net.address(78), port: 9 } as const;
  engine
    .createUserAgent(
      withOwner({
        aor: 'sip:lost@carillon.test',
        contactUser: 'lost',
        credentials: null,
        registrarUri: 'sip:carillon.test',
        nextHop: [silent],
        routeSet: [],
        traffic: { onMessage: () => undefined },
        onIncomingCall: () => null,
      }),
    )
    .register(600, log);
  await turnUntil([engine], 'sent', () => log.events.includes('sent'));
  t.equal(engine.obstacle, null);
  stranger.say('12#not a message');
  stranger.say('x#');
  await turnUntil([engine], 'told that it is gone', () => log.events.length > 1);
  t.same(log.events, ['sent', 'failed TRANSPORT null'], log.failures[0]?.reason ?? '');
  t.match(engine.obstacle, /^not connected to the drachtio-server at 127\.[\d.]+:\d+$/);
  t.same(faults, []);
  engine.close();
  stranger.close();
});

t.test('calls over drachtio whose ACK never arrives are over, whichever side notices', async (t) => {
  const server = await DrachtioFixture.open(net.address(80), 'secret');
  const caller = createSocket('udp4');
  t.teardown(() => caller.close());
  t.teardown(() => server.close());
  const engine = await createDrachtioEngine({
    ...options,
    onUnclaimedCall: () => null,
    server: { host: net.address(80), port: server.port, secret: new Secret('secret') },
  });
  t.teardown(() => engine.close());
  const logs: CallLog[] = [];
  engine.createUserAgent(
    withOwner({
      aor: 'sip:callee@carillon.test',
      contactUser: 'callee',
      credentials: null,
      registrarUri: null,
      nextHop: null,
      routeSet: [],
      traffic: { onMessage: () => undefined },
      onIncomingCall: (call) => {
        const log = new CallLog();
        logs.push(log);
        call.answer(OURS);
        return log;
      },
    }),
  );
  let answers = 0;
  caller.on('message', (text) => {
    if (String(text).startsWith('SIP/2.0 200')) answers++;
  });
  const invite = async (callId: string): Promise<void> => {
    const head = [
      'INVITE sip:callee@carillon.test SIP/2.0',
      `Via: SIP/2.0/UDP 127.0.0.1:${caller.address().port};branch=z9hG4bK${callId}`,
      'From: <sip:caller@carillon.test>;tag=c',
      'To: <sip:callee@carillon.test>',
      `Call-ID: ${callId}`,
      'CSeq: 1 INVITE',
      `Contact: <sip:caller@127.0.0.1:${caller.address().port}>`,
      `Content-Length: ${OURS.length}`,
    ];
    const before = answers;
    caller.send(`${head.join('\r\n')}\r\n\r\n${OURS}`, server.sipPort, server.address);
    await turnUntil([engine], 'answered', () => answers > before);
  };
  caller.bind(0, '127.0.0.1');
  await once(caller, 'listening');
  await invite('told');
  server.giveUp('told');
  await turnUntil([engine], 'over', () => isOver(logs[0] as CallLog));
  await invite('untold');
  engine.turn(nowMs() + 40_000);
  t.same(
    logs.map(({ events }) => events),
    [['failed TIMEOUT null'], ['failed TIMEOUT null']],
  );
  t.equal(engine.openCalls, 0);
});

t.test('credentials stand in lines of their own, other headers may share one', async (t) => {
  const { headers } = contentOf(['Authorization: Digest a', 'Authorization: Digest b', 'Route: <a>', 'Route: <b>'], '');
  t.same(headers, { Authorization: 'Digest a\r\nAuthorization: Digest b', Route: '<a>, <b>' });
});

t.test('the engine is chosen by the environment', async (t) => {
  const base = { CARILLON_URL: 'ws://127.0.0.1:1/agent/v1' };
  t.equal(readConfig(base).drachtio, null, 'the own core, unless something else is asked for');
  const wanted = { ...base, CARILLON_SIP_ENGINE: 'drachtio', CARILLON_DRACHTIO_SECRET: 's' };
  t.match(readConfig(wanted).drachtio, { host: '127.0.0.1', port: 9022 });
  t.equal(readConfig(wanted).drachtio?.secret.reveal(), 's');
  t.match(readConfig({ ...wanted, CARILLON_DRACHTIO: '[::1]:9023' }).drachtio, { host: '::1', port: 9023 });
  t.throws(() => readConfig({ ...wanted, CARILLON_SIGNALLING_THREADS: '2' }), /one thread/);
});
