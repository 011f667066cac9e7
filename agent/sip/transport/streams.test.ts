/** TCP and TLS between engines, over real loopback sockets. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { freeSipPort } from '../../../scripts/peers/network/loopback.ts';
import { Authority } from '../../testing/sip/certificates.ts';
import { agentOf, answering, call, closeSides, isOver, side, turnUntil } from '../../testing/sip/sides.ts';
import { CallLog, SDP } from '../../testing/sip/virtual.ts';
import type { SipTarget, TlsSettings } from '../engine.ts';

t.teardown(closeSides);

const authority = new Authority('carillon test authority');
const stranger = new Authority('somebody else');
const good = authority.issue('ignored', 'DNS:pbx.example,IP:127.0.0.1');
const byUri = authority.issue('ignored', 'URI:sip:pbx.example,DNS:other.example');
const wrong = authority.issue('pbx.example', 'DNS:other.example,DNS:*.example');
const byCommonName = authority.issue('pbx.example', '');
const expired = authority.issue('ignored', 'DNS:pbx.example', -1);
const foreign = stranger.issue('ignored', 'DNS:pbx.example');
const ours = authority.issue('agent.example', 'DNS:agent.example');
t.teardown(() => {
  authority.remove();
  stranger.remove();
});

for (const address of ['127.0.0.1', '::1']) {
  t.test(`calls over TCP, ${address}`, async (t) => {
    const [caller, callee] = [await side({ address }), await side({ address })];
    agentOf(callee, 'bob', { onIncomingCall: answering });
    const alice = agentOf(caller, 'alice');
    const host = address.includes(':') ? `[${address}]` : address;
    const target = `sip:bob@${host}:${callee.engine.local.port};transport=tcp`;
    const logs = Array.from({ length: 50 }, () => call(alice, target));
    t.ok(await turnUntil(() => logs.every(isOver), [caller, callee]));
    for (const log of logs)
      t.same(
        log.events.filter((e) => !e.startsWith('provisional 100')),
        ['sent', 'provisional 180', 'answered 200', 'ended LOCAL'],
      );
    t.equal(caller.opened.length, 1, 'one connection for all');
    t.ok((caller.opened[0]?.connectMs ?? -1) >= 0);
    t.same([...new Set(caller.traffic.map((one) => one.transport))], ['TCP']);
    t.same([...new Set(callee.traffic.map((one) => one.transport))], ['TCP']);
    t.match(alice.contactUri, /;transport=tcp$/);
    t.same([...caller.errors, ...callee.errors], []);
    t.same(caller.engine.counters, {
      malformed: 0,
      unmatched: 0,
      unclaimed: 0,
      withheld: 0,
      refusedByPolicy: 0,
      internalErrors: 0,
    });
  });
}

t.test('a keep-alive is answered at once, also where nothing else is sent', async (t) => {
  const bob = await side({});
  const socket = connect(bob.engine.local.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  let heard = '';
  socket.on('data', (data) => {
    heard += String(data);
  });
  socket.write('\r\n\r\n');
  t.ok(await turnUntil(() => heard !== '', [bob]));
  t.equal(heard, '\r\n', 'RFC 5626, 4.4.1');
});

type Case = {
  name: string;
  tls: TlsSettings | null;
  server: { certificate: string; key: string };
  serverName?: string;
  says: RegExp | null;
};
const custom: TlsSettings = { verify: 'CUSTOM', ca: authority.certificate };
const cases: Case[] = [
  { name: 'CUSTOM, a DNS name', tls: custom, server: good, serverName: 'pbx.example', says: null },
  { name: 'CUSTOM, the address itself', tls: custom, server: good, says: null },
  { name: 'CUSTOM, a sip URI', tls: custom, server: byUri, serverName: 'PBX.example', says: null },
  {
    name: 'CUSTOM, the common name where nothing else is',
    tls: custom,
    server: byCommonName,
    serverName: 'pbx.example',
    says: null,
  },
  {
    name: 'a sip URI goes before DNS names',
    tls: custom,
    server: byUri,
    serverName: 'other.example',
    says: /RFC 5922/,
  },
  {
    name: 'neither wildcards nor common names beside DNS names',
    tls: custom,
    server: wrong,
    serverName: 'pbx.example',
    says: /not for pbx.example .*SIP takes no wildcards \(7.2\)/,
  },
  { name: 'expired', tls: custom, server: expired, serverName: 'pbx.example', says: /expired/i },
  {
    name: 'CUSTOM, another authority',
    tls: custom,
    server: foreign,
    serverName: 'pbx.example',
    says: /TLS to 127.0.0.1: .*(?:verify|certificate)/i,
  },
  {
    name: 'SYSTEM does not know the authority',
    tls: { verify: 'SYSTEM' },
    server: good,
    serverName: 'pbx.example',
    says: /verify|certificate/i,
  },
  { name: 'nothing said is SYSTEM', tls: null, server: good, serverName: 'pbx.example', says: /verify|certificate/i },
  { name: 'SKIP takes anything', tls: { verify: 'SKIP' }, server: expired, serverName: 'no.example', says: null },
  {
    name: 'settings that cannot be read',
    tls: { verify: 'CUSTOM', ca: authority.certificate, certificate: 'no PEM', key: new Secret('no PEM') },
    server: good,
    says: /TLS to 127.0.0.1/,
  },
];

for (const { name, tls, server, serverName, says } of cases) {
  t.test(`TLS: ${name}`, async (t) => {
    const [caller, callee] = [
      await side(),
      await side({ tls: { port: 0, certificate: server.certificate, key: new Secret(server.key) } }),
    ];
    const { port } = await callee.engine.listenTls();
    await caller.engine.listenTls();
    agentOf(callee, 'bob', { onIncomingCall: answering });
    const hop: SipTarget = { transport: 'TLS', address: '127.0.0.1', port, ...(serverName ? { serverName } : {}) };
    const alice = agentOf(caller, 'alice', { nextHop: [hop], tls });
    const log = call(alice, `sip:bob@127.0.0.1:${port};transport=tls`);
    t.ok(await turnUntil(() => isOver(log), [caller, callee]));
    if (says === null) {
      t.equal(log.events.at(-1), 'ended LOCAL', log.failures[0]?.reason ?? '');
      t.match(caller.opened, [{ transport: 'TLS', tls: /^TLSv1.3 / }]);
      t.ok((caller.opened[0]?.tlsMs ?? 0) > 0);
      t.match(alice.contactUri, /;transport=tls$/);
    } else {
      t.equal(log.events.join(), 'failed TRANSPORT null');
      t.match(log.failures[0]?.reason, says);
    }
    t.same([...caller.errors, ...callee.errors], []);
  });
}

t.test('TLS: SYSTEM trusts what the host trusts, and what its owner adds', async (t) => {
  const callee = await side({ tls: { port: 0, certificate: good.certificate, key: new Secret(good.key) } });
  const { port } = await callee.engine.listenTls();
  agentOf(callee, 'bob', { onIncomingCall: answering });
  const script = path.join(import.meta.dirname, '..', '..', 'testing', 'sip', 'tls-process.ts');
  /** How a call ends that a process with this environment places. */
  const ending = async (env: NodeJS.ProcessEnv): Promise<string[]> => {
    const { NODE_EXTRA_CA_CERTS: _, SSL_CERT_FILE: __, ...rest } = process.env;
    let printed = '';
    const child = spawn(process.execPath, [script, String(port), 'pbx.example'], { env: { ...rest, ...env } });
    child.stdout.on('data', (data) => {
      printed += data;
    });
    let isOut = false;
    child.on('close', () => {
      isOut = true;
    });
    t.ok(await turnUntil(() => isOut, [callee]));
    return JSON.parse(printed);
  };
  t.same(await ending({ NODE_EXTRA_CA_CERTS: authority.file }), ['ended LOCAL', '']);
  t.same(await ending({ SSL_CERT_FILE: authority.file }), ['ended LOCAL', '']);
  const [event, reason] = await ending({});
  t.equal(event, 'failed TRANSPORT null');
  t.match(reason, /verify|certificate/i);
});

t.test('TLS: the certificate that the agent makes for itself', async (t) => {
  const [caller, callee] = [await side(), await side()];
  const { port } = await callee.engine.listenTls();
  agentOf(callee, 'bob', { onIncomingCall: answering });
  const log = call(agentOf(caller, 'alice', { tls: { verify: 'SKIP' } }), `sips:bob@127.0.0.1:${port}`);
  t.ok(await turnUntil(() => isOver(log), [caller, callee]));
  t.equal(log.events.at(-1), 'ended LOCAL', log.failures[0]?.reason ?? '');
});

t.test('TLS: a server that demands a certificate of ours', async (t) => {
  const shown: string[] = [];
  const server = createTlsServer(
    { cert: good.certificate, key: good.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      shown.push(String(socket.getPeerCertificate().subject.CN));
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const via = /^Via: .*$/m.exec(data.toString())?.[0].trim();
        const rest = ['From', 'To', 'Call-ID', 'CSeq'].map((h) =>
          new RegExp(`^${h}: .*$`, 'm').exec(data.toString())?.[0].trim(),
        );
        if (data.toString().startsWith('INVITE'))
          socket.write(['SIP/2.0 486 Busy Here', via, ...rest, 'Content-Length: 0', '', ''].join('\r\n'));
      });
    },
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const caller = await side();
  const target = `sip:bob@127.0.0.1:${port};transport=tls`;
  const without = call(agentOf(caller, 'alice', { tls: custom }), target);
  t.ok(await turnUntil(() => isOver(without), [caller]));
  t.match(without.events.at(-1), /^failed TRANSPORT/);
  const tls = { ...custom, certificate: ours.certificate, key: new Secret(ours.key) };
  const with_ = call(agentOf(caller, 'carol', { tls }), target);
  t.ok(await turnUntil(() => isOver(with_), [caller]));
  t.equal(with_.events.at(-1), 'failed STATUS 486', with_.failures[0]?.reason ?? '');
  t.same(shown, ['agent.example']);
});

t.test('nobody listens: the call fails at once; the policy is asked before connecting', async (t) => {
  const caller = await side({ mayReach: (address) => address === '127.0.0.1' });
  const alice = agentOf(caller, 'alice');
  const port = await freeSipPort('127.0.0.1');
  const refused = call(alice, `sip:bob@127.0.0.1:${port};transport=tcp`);
  const forbidden = call(alice, `sip:bob@127.0.0.2:${port};transport=tcp`);
  t.ok(await turnUntil(() => isOver(refused) && isOver(forbidden), [caller]));
  t.match(refused.failures[0], { kind: 'TRANSPORT', reason: /TCP to 127.0.0.1: .*ECONNREFUSED/ });
  t.match(forbidden.failures[0], { kind: 'POLICY' });
});

t.test('a large request goes by TCP, and by UDP where the peer has no TCP', async (t) => {
  const [caller, callee] = [await side(), await side()];
  agentOf(callee, 'bob', { onIncomingCall: answering });
  const alice = agentOf(caller, 'alice');
  const large = `${SDP('sendrecv', '127.0.0.1')}a=x-long:${'x'.repeat(1400)}\r\n`;
  const log = new CallLog();
  alice.invite(`sip:bob@127.0.0.1:${callee.engine.local.port}`, large, log);
  t.ok(await turnUntil(() => log.events.includes('answered 200'), [caller, callee]));
  const invite = callee.traffic.find((one) => one.method === 'INVITE' && one.status === 0);
  t.equal(invite?.transport, 'TCP');
  t.same([...caller.errors, ...callee.errors], []);

  const { createSocket } = await import('node:dgram');
  const socket = createSocket('udp4');
  const got: string[] = [];
  socket.on('message', (data) => got.push(data.toString('latin1')));
  // Of TCP nobody has it, either.
  const port = await freeSipPort('127.0.0.1');
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  for (let i = 1; i <= 2; i++) {
    const sent = new CallLog();
    alice.invite(`sip:bob@127.0.0.1:${port}`, large, sent);
    t.ok(await turnUntil(() => got.length >= i, [caller]));
    t.match(got[i - 1], /^INVITE sip.*\r\nVia: SIP\/2.0\/UDP /);
    t.same(sent.events, ['sent']);
  }
});
