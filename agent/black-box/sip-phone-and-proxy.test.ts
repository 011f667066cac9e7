/** A soft phone that holds and resumes, and a SIPp behind a proxy that stays in the path: over real sockets, with independent software. */
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { ownLoopback } from '../../scripts/peers/network/loopback.ts';
import { startBaresip } from '../../scripts/peers/sip/baresip.ts';
import { startKamailio } from '../../scripts/peers/sip/kamailio.ts';
import { agentOf, call, closeSides, isOver, side, turnUntil } from '../testing/sip/sides.ts';
import { startSipp } from '../testing/sip/sipp.ts';
import { CONTACT, expect, ok, writeScenario } from '../testing/sip/sipp-scenario.ts';
import { CallLog, SDP } from '../testing/sip/virtual.ts';

const isMissing = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0;
const missing = ['baresip', 'kamailio', 'sipp'].filter(isMissing);
const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;
t.teardown(closeSides);

/** To the last INVITE, with all its Vias and its route set. */
const routedAnswer = (line: string, body = ''): string =>
  `<send><![CDATA[\n${[
    `SIP/2.0 ${line}`,
    ...['Via', 'Record-Route', 'From'].map((name) => `[last_${name}:]`),
    '[last_To:];tag=uas-[call_number]',
    ...['Call-ID', 'CSeq'].map((name) => `[last_${name}:]`),
    CONTACT,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    'Content-Length: [len]',
    '',
    ...body.split('\r\n'),
  ].join('\n')}\n]]></send>`;

t.test('baresip holds and resumes, then we do', { skip }, async (t) => {
  const phone = await startBaresip();
  t.teardown(() => phone.stop());
  const here = await side();
  const OURS = SDP('sendrecv', '127.0.0.1').replace('o=peer', 'o=-');
  const log = new CallLog();
  const heard: string[] = [];
  const told = log.onSessionChanged.bind(log);
  log.onSessionChanged = (local, remote, ...rest) => {
    heard.push(/a=(sendrecv|sendonly|recvonly|inactive)/.exec(remote)?.[1] ?? 'sendrecv');
    told(local, remote, ...rest);
  };
  const placed = agentOf(here, 'alice').invite(phone.uri, OURS, log);
  const reaches = async (what: string, condition: () => boolean) =>
    t.ok(await turnUntil(condition, [here]), `${what}: ${log.events.join(', ')}`);
  const changes = (by: string) => log.events.filter((event) => event === `changed by ${by}`).length;
  await reaches('answered', () => log.events.includes('answered 200'));
  // Its ACK has arrived before its keys are pressed.
  await reaches('established', () => phone.output().includes('Call established'));
  t.match(await phone.command('hold'), /"ok":true/);
  await reaches('held by the phone', () => changes('REMOTE') === 1);
  t.match(await phone.command('resume'), /"ok":true/);
  await reaches('resumed by the phone', () => changes('REMOTE') === 2);
  t.same(heard, ['sendonly', 'sendrecv'], 'as baresip says it');
  placed.changeSession(OURS.replace('sendrecv', 'sendonly'), 'INVITE');
  await reaches('held by us', () => changes('LOCAL') === 1);
  placed.changeSession(OURS, 'INVITE');
  await reaches('resumed by us', () => changes('LOCAL') === 2);
  t.same(heard.slice(2), ['recvonly', 'sendrecv'], 'what it answers');
  placed.hangUp();
  await reaches('over', () => isOver(log));
  t.equal(log.events.at(-1), 'ended LOCAL');
  t.same(here.errors, []);
});

t.test('a SIPp behind kamailio: the dialog goes by its Record-Route', { skip }, async (t) => {
  const CALLS = 10;
  const net = ownLoopback();
  const proxy = await startKamailio(net.address(71), 'proxy');
  t.teardown(() => proxy.stop());
  const byProxy = ['msg', `Via: SIP/2.0/UDP ${proxy.address}`] as const;
  const routed = ['Record-Route:', proxy.address] as const;
  const scenario = writeScenario([
    expect('INVITE', byProxy, routed),
    // SIPp's own UAS omits the route set in its answers (RFC 3261, 12.1.1).
    routedAnswer('180 Ringing'),
    routedAnswer('200 OK', SDP('sendrecv', '127.0.0.1')),
    expect('ACK', byProxy),
    expect('BYE', byProxy),
    ok(),
  ]);
  t.teardown(() => scenario.close());
  const uas = await startSipp([...scenario.args, '-m', String(CALLS), '-timeout', '60s']);
  t.teardown(() => uas?.stop());
  let code: number | null | undefined;
  void uas?.exit.then((one) => {
    code = one;
  });
  const here = await side();
  const alice = agentOf(here, 'alice', { nextHop: [{ transport: 'UDP', address: proxy.address, port: proxy.port }] });
  const logs = Array.from({ length: CALLS }, () => call(alice, `sip:service@127.0.0.1:${uas?.port}`));
  t.ok(await turnUntil(() => logs.every(isOver) && code !== undefined, [here]));
  for (const log of logs) t.equal(log.events.at(-1), 'ended LOCAL', log.failures[0]?.reason ?? '');
  t.equal(code, 0, 'SIPp saw ACK and BYE of each dialog come by the proxy');
  const sent = here.traffic.filter(({ direction }) => direction === 'SENT');
  t.same([...new Set(sent.map(({ method }) => method))], ['INVITE', 'ACK', 'BYE']);
  t.same([...new Set(sent.map(({ peerPort }) => peerPort))], [proxy.port], 'and we sent nothing past it');
  t.same(here.errors, []);
});
