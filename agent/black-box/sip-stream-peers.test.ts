/** TCP and TLS with independent software, and with malicious peers. */

import { connect, type Socket } from 'node:net';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { ownLoopback } from '../../scripts/peers/network/loopback.ts';
import { passwordOf, startKamailio } from '../../scripts/peers/sip/kamailio.ts';
import type { SipTarget, UserAgentOptions } from '../sip/engine.ts';
import { Authority } from '../testing/sip/certificates.ts';
import { agentOf, answering, call, closeSides, isOver, side, turnUntil } from '../testing/sip/sides.ts';
import { startSipp } from '../testing/sip/sipp.ts';
import { RegistrationLog } from '../testing/sip/virtual.ts';

const authority = new Authority('carillon test authority');
const server = authority.issue('ignored', 'DNS:pbx.example');
const ours = authority.issue('agent.example', 'DNS:agent.example');
const net = ownLoopback();
const files = { certificateFile: server.certificateFile, keyFile: server.keyFile, authorityFile: authority.file };
const pbx = await startKamailio(net.address(70), 'registrar', { sharedMiB: 32, files });
t.teardown(async () => {
  closeSides();
  await pbx.stop();
  authority.remove();
});

for (const transport of ['TCP', 'TLS'] as const) {
  t.test(`kamailio over ${transport}: digest, registration, a call by Record-Route`, async (t) => {
    const hop: SipTarget =
      transport === 'TCP'
        ? { transport, address: pbx.address, port: pbx.port }
        : { transport, address: pbx.address, port: pbx.tlsPort, serverName: 'pbx.example' };
    const tls = {
      verify: 'CUSTOM' as const,
      ca: authority.certificate,
      certificate: ours.certificate,
      key: new Secret(ours.key),
    };
    const identity = { port: 0, certificate: ours.certificate, key: new Secret(ours.key) };
    const [caller, callee] = [await side({ tls: identity }), await side({ tls: identity })];
    if (transport === 'TLS') for (const { engine } of [caller, callee]) await engine.listenTls();
    const options = (user: string): Partial<UserAgentOptions> => ({
      aor: `sip:${user}@${pbx.address}`,
      credentials: { username: user, password: new Secret(passwordOf(user)) },
      registrarUri: `sip:${pbx.address}`,
      nextHop: [hop],
      tls,
    });
    const [alice, bob] = [`alice-${transport}`, `bob-${transport}`];
    const uac = agentOf(caller, alice, options(alice));
    const uas = agentOf(callee, bob, { ...options(bob), onIncomingCall: answering });
    const log = new RegistrationLog();
    uas.register(600, log);
    t.ok(await turnUntil(() => log.events.length > 1, [caller, callee]));
    t.same(log.events, ['sent', 'registered 600'], log.failures[0]?.reason ?? '');
    const calls = Array.from({ length: 5 }, () => call(uac, `sip:${bob}@${pbx.address}`));
    t.ok(await turnUntil(() => calls.every(isOver), [caller, callee]));
    for (const one of calls) t.equal(one.events.at(-1), 'ended LOCAL', one.failures[0]?.reason ?? '');
    t.same([...new Set([...caller.traffic, ...callee.traffic].map((one) => one.transport))], [transport]);
    t.equal(caller.opened.length, 1, 'one connection to the proxy for all');
    uas.unregister();
    t.ok(await turnUntil(() => log.events.includes('unregistered'), [callee]));
    t.same([...caller.errors, ...callee.errors], []);
  });
}

t.test('SIPp over TCP, both ways', async (t) => {
  const one = await side();
  const uas = await startSipp(['-sn', 'uas', '-t', 't1']);
  if (uas === null) return void t.pass('sipp is not installed (Debian: sip-tester)', { skip: true });
  const alice = agentOf(one, 'alice');
  const logs = Array.from({ length: 20 }, () => call(alice, `sip:service@127.0.0.1:${uas.port};transport=tcp`));
  t.ok(await turnUntil(() => logs.every(isOver), [one]));
  for (const log of logs) t.equal(log.events.at(-1), 'ended LOCAL', log.failures[0]?.reason ?? '');
  uas.stop();
  await uas.exit;
  agentOf(one, 'service', { onIncomingCall: answering });
  const uac = await startSipp([
    '-sn',
    'uac',
    '-t',
    't1',
    '-m',
    '20',
    '-r',
    '20',
    '-d',
    '10',
    `127.0.0.1:${one.engine.local.port}`,
  ]);
  let exit: number | null | undefined;
  void uac?.exit.then((code) => {
    exit = code;
  });
  t.ok(await turnUntil(() => exit !== undefined, [one]));
  t.equal(exit, 0, 'SIPp is content with all calls');
  t.same(one.errors, []);
});

t.test('a flood of connections, dripping bytes and garbage: the engine answers all the while', async (t) => {
  const victim = await side();
  const { port } = victim.engine.local;
  agentOf(victim, 'bob', { onIncomingCall: answering });
  const flood: Socket[] = [];
  let closed = 0;
  for (let i = 0; i < 300; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => closed++);
    // A third is silent, a third sends slowly, a third sends garbage.
    if (i % 3 === 1) socket.write('INVITE sip:bob@carillon.test SIP/2.0\r\nVia');
    if (i % 3 === 2) socket.write(`OPTIONS sip:a@b SIP/2.0\r\nContent-Length: -${i}\r\n\r\n`);
    flood.push(socket);
  }
  const caller = await side();
  const alice = agentOf(caller, 'alice');
  const logs = Array.from({ length: 20 }, () => call(alice, `sip:bob@127.0.0.1:${port};transport=tcp`));
  t.ok(await turnUntil(() => logs.every(isOver) && closed >= 100, [caller, victim]));
  t.ok(logs.every((log) => log.events.at(-1) === 'ended LOCAL'));
  t.equal(closed, 100, 'only those who cannot be read are closed at once');
  t.same(victim.errors, []);
  const via = `\r\nVia: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bKdrip`;
  const request = `OPTIONS sip:bob@carillon.test SIP/2.0${via}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:bob@carillon.test>\r\nCall-ID: drip\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n`;
  const dripping = connect(port, '127.0.0.1');
  let answer = '';
  dripping.on('data', (data) => {
    answer += data.toString('latin1');
  });
  dripping.setNoDelay(true);
  let at = 0;
  const drip = (): void => {
    if (at < request.length) dripping.write(request.charAt(at++), drip);
  };
  drip();
  t.ok(await turnUntil(() => answer !== '', [victim]));
  t.match(answer, /^SIP\/2.0 200 OK\r\n/, 'a message byte by byte is a message');
  for (const socket of [...flood, dripping]) socket.destroy();
});
