/**
 * WebSocket servers by name (RFC 7118; RFC 3263), on both engines that reach them: resolved, verified, with a custom path; and the
 * reported cure for a server that is not one.
 */
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { WebSocketServer } from 'ws';
import { ownLoopback } from '../../../scripts/peers/network/loopback.ts';
import { NameServer, naptr, srv, type Zone } from '../../../scripts/peers/network/name-server.ts';
import { until } from '../../../scripts/peers/process.ts';
import { nowMs } from '../../clock.ts';
import { Authority, type Pair } from '../../testing/sip/certificates.ts';
import { RegistrationLog } from '../../testing/sip/virtual.ts';
import { type OwnedOptions, withOwner } from '../../testing/sip/with-owner.ts';
import { createCoreEngine } from '../core/engine.ts';
import type { SipEngine, TlsSettings } from '../engine.ts';
import type { Locator } from '../locate/locator.ts';
import { openLocator } from '../locate/open-locator.ts';
import { parseMessage } from '../message/parse.ts';
import { createSipJsEngine } from './sip-js/engine.ts';

const net = ownLoopback();
const host = net.address(91);
const authority = new Authority('carillon test authority');
const good = authority.issue('ignored', 'DNS:pbx.example,DNS:naptr.example,DNS:srv.example');
const wild = authority.issue('ignored', 'DNS:*.pbx.example');
const foreign = new Authority('another authority');
const stranger = foreign.issue('ignored', 'DNS:pbx.example');
const expired = authority.issue('ignored', 'DNS:pbx.example', -1);
const TRUSTED: TlsSettings = { verify: 'CUSTOM', ca: authority.certificate };

const names = await NameServer.start({});
const queries: string[] = [];
/** A locator each, whose cache knows nothing of the other engine's servers. */
const options = () => ({
  address: host,
  userAgentName: 'carillon-test',
  mayReach: () => true,
  mayName: (name: string) => queries.push(name) > 0 && name !== 'forbidden.example',
  locator: openLocator({ servers: [names.place], timeoutMs: 10_000, tries: 2 }, host, nowMs),
  onInternalError: (error: unknown) => t.fail(String(error)),
});
const [ours, sipJs] = [options(), options()];
type Side = { readonly engine: SipEngine; readonly locator: Locator };
const ENGINES: Readonly<Record<string, Side>> = {
  core: {
    engine: await createCoreEngine({ ...ours, port: 0, adapter: 'auto', onUnclaimedCall: () => null }),
    locator: ours.locator,
  },
  'sip.js': { engine: createSipJsEngine(sipJs), locator: sipJs.locator },
};
const closers: (() => void)[] = [];
t.teardown(() => {
  for (const { engine, locator } of Object.values(ENGINES)) {
    engine.close();
    locator.close();
  }
  names.close();
  for (const close of closers) close();
  authority.remove();
  foreign.remove();
});

type Upgrade = { readonly url: string; readonly host: string; readonly serverName: string };
type UpgradeServer = { readonly port: number; readonly upgrades: Upgrade[]; readonly heard: string[] };

async function listening(server: Server): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A registrar that accepts every REGISTER, at the path /ws. */
async function registrar(pair: Pair | null, subprotocol: string | false = 'sip'): Promise<UpgradeServer> {
  const server = pair === null ? createHttp() : createHttps({ cert: pair.certificate, key: pair.key });
  const upgrades: Upgrade[] = [];
  const heard: string[] = [];
  const sockets = new WebSocketServer({ server, path: '/ws', handleProtocols: () => subprotocol });
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
  });
  server.on('upgrade', (request: IncomingMessage) => {
    const serverName = String((request.socket as TLSSocket).servername ?? '');
    upgrades.push({ url: request.url ?? '', host: request.headers.host ?? '', serverName });
  });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      heard.push(String(data));
      const message = parseMessage(String(data));
      if (message?.method !== 'REGISTER') return;
      const lines = [
        'SIP/2.0 200 OK',
        `Via: ${message.via}`,
        `From: ${message.from}`,
        `To: ${message.to};tag=far`,
        `Call-ID: ${message.callId}`,
        `CSeq: ${message.cseqText}`,
        `Contact: ${message.header('contact')}`,
        'Content-Length: 0',
      ];
      socket.send(`${lines.join('\r\n')}\r\n\r\n`);
    });
  });
  return { port: await listening(server), upgrades, heard };
}

/** An HTTP server that gives every request this answer. */
async function answering(status: number, headers: Record<string, string> = {}): Promise<number> {
  const server = createHttp((_request, response) => response.writeHead(status, headers).end());
  server.on('upgrade', (_request, socket) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}Content-Length: 0\r\n\r\n`);
  });
  return listening(server);
}

let users = 0;

/** The result of a registration at the server of a URI. */
async function registered(
  { engine, locator }: Side,
  uri: string,
  more: Partial<OwnedOptions> = {},
): Promise<RegistrationLog> {
  const user = `by-name-${users++}`;
  const agent = engine.createUserAgent(
    withOwner({
      aor: `sip:${user}@pbx.example`,
      contactUser: user,
      credentials: null,
      registrarUri: 'sip:pbx.example',
      nextHop: null,
      nextHopUri: uri,
      routeSet: [],
      tls: TRUSTED,
      webSocketPath: '/ws',
      traffic: { onMessage: () => undefined },
      onIncomingCall: () => null,
      ...more,
    }),
  );
  const log = new RegistrationLog();
  agent.register(600, log);
  await until(
    () => `told: ${log.events}`,
    () => log.events.some((event) => /^(?:registered|failed)/.test(event)),
    {
      everyMs: 1,
      turn: () => {
        locator.turn(nowMs());
        engine.turn(nowMs());
      },
    },
  );
  agent.close();
  return log;
}

const reasonOf = (log: RegistrationLog): string => log.failures[0]?.reason ?? log.events.join();

/** A test of each engine. */
function onBoth(title: string, test: (t: Test, side: Side) => Promise<void>): void {
  t.test(title, async (t) => {
    for (const [name, side] of Object.entries(ENGINES)) await t.test(name, (t) => test(t, side));
  });
}

onBoth('a name leads to the server that the DNS says, which has to prove that it is the name', async (t, side) => {
  const [secure, plain] = [await registrar(good), await registrar(null)];
  const address = { 'A sbc.pbx.example': [host], 'A pbx.example': [host] };
  const zones: readonly { what: string; name: string; port?: number; at: UpgradeServer; zone: Zone; asks: string }[] = [
    {
      what: 'NAPTR, whose service is another than the default one',
      name: 'naptr.example',
      at: secure,
      zone: {
        'NAPTR naptr.example': [naptr(1, 1, 'SIPS+D2W', '_webrtc._tcp.naptr.example')],
        'SRV _webrtc._tcp.naptr.example': [srv(0, 0, secure.port, 'sbc.pbx.example')],
        ...address,
      },
      asks: 'SRV _webrtc._tcp.naptr.example',
    },
    {
      what: 'SRV of WSS',
      name: 'srv.example',
      at: secure,
      zone: { 'SRV _sips._ws.srv.example': [srv(0, 0, secure.port, 'sbc.pbx.example')], ...address },
      asks: 'SRV _sips._ws.srv.example',
    },
    {
      what: 'SRV of WS',
      name: 'srv.example',
      at: plain,
      zone: { 'SRV _sip._ws.srv.example': [srv(0, 0, plain.port, 'sbc.pbx.example')], ...address },
      asks: 'SRV _sip._ws.srv.example',
    },
    {
      what: 'a port: its address is all that is asked for',
      name: 'pbx.example',
      port: secure.port,
      at: secure,
      zone: address,
      asks: 'A pbx.example',
    },
  ];
  for (const { what, name, port, at, zone, asks } of zones) {
    names.zone = zone;
    names.asked.length = 0;
    const uri = `sip:${name}${port === undefined ? '' : `:${port}`};transport=${at === secure ? 'wss' : 'ws'}`;
    const before = at.upgrades.length;
    const log = await registered(side, uri, { registrarUri: `sip:${name}` });
    t.equal(log.events.at(-1), 'registered 600', `${what}: ${reasonOf(log)}`);
    t.same(at.upgrades.slice(before), [
      {
        url: '/ws',
        host: `${name}:${at.port}`,
        serverName: at === secure ? name : '',
      },
    ]);
    t.ok(
      names.asked.some((question) => question.endsWith(asks)),
      `${what}: ${names.asked}`,
    );
  }
  const wire = [...secure.heard, ...plain.heard];
  t.ok(wire.length >= zones.length);
  for (const text of wire) {
    t.match(text, /^REGISTER sip:(?:pbx|naptr|srv)\.example SIP\/2\.0\r\n/);
    t.notMatch(text, /ws-path|:\/ws|;transport=wss/, 'the path is of HTTP, and no part of what SIP says');
  }
});

onBoth('an outbound proxy by name, whose Route says nothing of the transport', async (t, side) => {
  const { port, heard } = await registrar(good);
  names.zone = { 'A pbx.example': [host] };
  const log = await registered(side, `sip:pbx.example:${port};transport=wss`, {
    routeSet: [`<sip:pbx.example:${port};lr>`],
  });
  t.equal(log.events.at(-1), 'registered 600', reasonOf(log));
  t.match(heard[0], new RegExp(`Route: <sip:pbx\\.example:${port};lr>\r\n`));
});

onBoth('a certificate for all names of a domain is one of HTTPS (RFC 2818, 3.1)', async (t, side) => {
  const { port } = await registrar(wild);
  names.zone = { 'A sbc.pbx.example': [host] };
  const log = await registered(side, `sip:sbc.pbx.example:${port};transport=wss`);
  t.equal(log.events.at(-1), 'registered 600', reasonOf(log));
});

onBoth('what is wrong with a server is said before anything is sent to it', async (t, side) => {
  const [secure, unknown, old, other, silent] = await Promise.all([
    registrar(good),
    registrar(stranger),
    registrar(expired),
    registrar(good, 'mqtt'),
    registrar(good, false),
  ]);
  const mute = await answering(200);
  names.zone = Object.fromEntries(
    ['pbx.example', 'other.example', 'forbidden.example'].map((name) => [`A ${name}`, [host]]),
  );
  const at = (port: number, name = 'pbx.example', transport = 'wss') => `sip:${name}:${port};transport=${transport}`;
  type Case = readonly [what: string, uri: string, says: RegExp, more?: Partial<OwnedOptions>];
  const cases: readonly Case[] = [
    [
      'another name',
      at(secure.port, 'other.example'),
      /certificate is not for other.example \(RFC 2818\), but for DNS:pbx.example/,
    ],
    ['another authority', at(unknown.port), /certificate is not from an authority that is trusted here/],
    ['the authorities of this host', at(secure.port), /not from an authority that is trusted/, { tls: null }],
    ['too old', at(old.port), /expired/],
    ['no such path', at(secure.port), /HTTP 400 at \/: it has no WebSocket/, { webSocketPath: '' }],
    ['404', at(await answering(404), undefined, 'ws'), /HTTP 404 at \/ws: its WebSocket has another path/],
    [
      '426, another version',
      at(await answering(426, { 'Sec-WebSocket-Version': '8' }), undefined, 'ws'),
      /HTTP 426 .*version 8 of WebSockets, we support 13/,
    ],
    ['426, another protocol', at(await answering(426, { Upgrade: 'h2c' }), undefined, 'ws'), /HTTP 426 .*requires h2c/],
    ['401', at(await answering(401), undefined, 'ws'), /HTTP 401 .*HTTP credentials or an Origin/],
    ['no subprotocol', at(silent.port), /speaks no subprotocol, not sip \(RFC 7118, 4.1\)/],
    ['403', at(await answering(403), undefined, 'ws'), /HTTP 403 .*HTTP credentials or an Origin/],
    ['a redirect', at(await answering(302, { Location: 'wss://b/' }), undefined, 'ws'), /HTTP 302 .*is at wss:\/\/b\//],
    ['a plain page', at(mute, undefined, 'ws'), /HTTP 200 at \/ws: it has no WebSocket/],
    ['another subprotocol', at(other.port), /speaks mqtt, not sip/],
    ['no TLS', at(mute), /does not use TLS/],
    ['TLS', at(secure.port, undefined, 'ws'), /socket hang up|does not use HTTP/],
    ['nobody', at(1), /ECONNREFUSED/],
    ['no such name', at(secure.port, 'nowhere.example'), /no server found for nowhere.example/],
    [
      'a name that the policy forbids',
      at(secure.port, 'forbidden.example'),
      /policy(?: of this host)? forbids the domain/,
    ],
  ];
  const before = [secure, unknown, old, other].flatMap(({ heard }) => heard).length;
  for (const [what, uri, says, more] of cases) {
    const log = await registered(side, uri, more);
    t.match(reasonOf(log), says, what);
    t.match(log.events.at(-1), /^failed (?:TRANSPORT|DNS|POLICY) null$/, what);
  }
  t.equal([secure, unknown, old, other].flatMap(({ heard }) => heard).length, before, 'nothing of SIP was sent');
  t.same(queries.slice(-2), ['nowhere.example', 'forbidden.example'], 'the policy is asked before the DNS is');
  t.notOk(names.asked.some((question) => question.includes('forbidden')));
});
