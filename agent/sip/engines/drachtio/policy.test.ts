/** The host's policy and a drachtio-server, which does not know it: it is checked before the server is told to send. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Secret } from '@carillon/proto/base/secret.ts';
import t, { type Test } from 'tap';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { nowMs } from '../../../clock.ts';
import { DrachtioFixture } from '../../../testing/drachtio/fixture.ts';
import { OURS } from '../../../testing/sip/engine-scenarios.ts';
import { isOver } from '../../../testing/sip/sides.ts';
import { CallLog } from '../../../testing/sip/virtual.ts';
import { withOwner } from '../../../testing/sip/with-owner.ts';
import type { IncomingCall, SipEngine, SipLocator } from '../../engine.ts';
import { createDrachtioEngine } from './engine.ts';

const net = ownLoopback();
const errors: unknown[] = [];
const options = {
  address: net.address(72),
  userAgentName: 'carillon-test',
  onInternalError: (error: unknown) => errors.push(error),
};

const turned = (engine: SipEngine, what: string, condition: () => boolean): Promise<boolean> =>
  until(what, condition, { everyMs: 1, turn: () => engine.turn(nowMs()) });

const alice = {
  aor: 'sip:alice@carillon.test',
  contactUser: 'alice',
  credentials: null,
  registrarUri: null,
  nextHop: null,
  routeSet: [],
  traffic: { onMessage: () => undefined },
};

/** A server, and a far end that accepts calls for which `takes` is true; its answers name `contact`, or itself. */
async function openFar(t: Test, takes: (text: string) => boolean, contact: () => string | null = () => null) {
  const server = await DrachtioFixture.open(net.address(81), 'secret');
  const far = createSocket('udp4');
  far.bind(0, net.address(82));
  await once(far, 'listening');
  t.teardown(() => far.close());
  t.teardown(() => server.close());
  const { address, port } = far.address();
  far.on('message', (bytes, from) => {
    const text = bytes.toString('latin1');
    if (!takes(text)) return;
    const lines = text.split('\r\n').filter((line) => /^(?:Via|From|Call-ID|CSeq):/.test(line));
    const to = /^To: (.*)$/m.exec(text)?.[1]?.trim() ?? '';
    const body = text.startsWith('INVITE') ? OURS : '';
    const type = body === '' ? [] : ['Content-Type: application/sdp'];
    const head = ['SIP/2.0 200 OK', ...lines, `To: ${to}${to.includes('tag=') ? '' : ';tag=far'}`];
    const place = contact() ?? `sip:far@${address}:${port}`;
    const rest = [`Contact: <${place}>`, ...type, `Content-Length: ${body.length}`, '', body];
    far.send([...head, ...rest].join('\r\n'), from.port, from.address);
  });
  return { server, far, address, port };
}

t.test('drachtio sends nothing to where the policy was not asked: names, and what dialogs name', async (t) => {
  const heard: string[] = [];
  let contact: string | null = null;
  const takes = (text: string): boolean => {
    heard.push(text.slice(0, text.indexOf(' ')));
    return !text.startsWith('ACK');
  };
  const { server, address, port } = await openFar(t, takes, () => contact);
  const located: string[] = [];
  const engine = await createDrachtioEngine({
    ...options,
    mayReach: (one) => one === address,
    mayName: (host) => host !== 'forbidden.test',
    locator: {
      locate: (uri, done) => {
        located.push(uri);
        const to = uri.includes('elsewhere') ? net.address(83) : address;
        done(uri.includes('nowhere') ? 'no such name' : [{ transport: 'UDP', address: to, port }]);
      },
    } as SipLocator,
    onUnclaimedCall: () => null,
    server: { host: net.address(81), port: server.port, secret: new Secret('secret') },
  });
  t.teardown(() => engine.close());
  const agent = engine.createUserAgent(withOwner({ ...alice, onIncomingCall: () => null }));
  const place = async (uri: string, until: (log: CallLog) => boolean) => {
    const log = new CallLog();
    const call = agent.invite(uri, OURS, log);
    await turned(engine, uri, () => until(log));
    return { log, call };
  };
  const answered = ({ events }: CallLog) => events.includes('answered 200');
  const good = await place('sip:callee@good.test', answered);
  await turned(engine, 'acknowledged', () => heard.includes('ACK'));
  good.call.hangUp();
  await turned(engine, 'over', () => isOver(good.log));
  t.same(heard, ['INVITE', 'ACK', 'BYE'], 'a name is found and called');
  t.same(located, ['sip:callee@good.test'], 'by our own DNS');
  for (const uri of [
    'sip:a@forbidden.test',
    'sip:a@elsewhere.test',
    'sip:a@nowhere.test',
    `sip:a@${net.address(83)}`,
  ]) {
    const { log } = await place(uri, isOver);
    t.match(log.failures[0]?.reason, /policy of this host forbids|no such name/, uri);
  }
  t.equal(engine.counters.refusedByPolicy, 3);
  heard.length = 0;
  contact = `sip:callee@${net.address(83)}:${port}`;
  const moved = await place('sip:callee@good.test', answered);
  moved.call.hangUp();
  await turned(engine, 'over', () => isOver(moved.log));
  t.same(heard, ['INVITE'], 'neither ACK nor BYE goes to an address that the answer names and the policy forbids');
  t.equal(engine.counters.refusedByPolicy, 5);
  t.same(errors, []);
});

t.test(
  'drachtio follows a policy that has become narrower: only what ends calls still leaves, for a while',
  async (t) => {
    const heard: string[] = [];
    const { server, far, address, port } = await openFar(t, (text) => {
      heard.push(text.slice(0, text.indexOf('\r\n')).replace(/ sip:.*/, ''));
      return /^(?:INVITE|BYE)/.test(text);
    });
    const policy = { isNarrow: false, leaves: true };
    const engine = await createDrachtioEngine({
      ...options,
      mayReach: () => !policy.isNarrow,
      mayLeave: () => policy.leaves,
      onUnclaimedCall: () => null,
      server: { host: net.address(81), port: server.port, secret: new Secret('secret') },
    });
    t.teardown(() => engine.close());
    const calls: IncomingCall[] = [];
    const forbidden: string[] = [];
    const agent = engine.createUserAgent(
      withOwner({
        ...alice,
        onForbidden: (method, status) => void forbidden.push(`${method} ${status}`),
        onIncomingCall: (call) => {
          calls.push(call);
          return new CallLog();
        },
      }),
    );
    const place = async () => {
      const log = new CallLog();
      const call = agent.invite(`sip:far@${address}:${port}`, OURS, log);
      const acks = heard.filter((one) => one === 'ACK').length;
      await turned(engine, 'it stands', () => heard.filter((one) => one === 'ACK').length > acks);
      return { log, call };
    };
    const invite = (callId: string) => {
      const lines = [
        `INVITE sip:alice@${server.address}:${server.sipPort} SIP/2.0`,
        `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK-${callId}`,
        'Max-Forwards: 70',
        'From: <sip:far@far.test>;tag=far',
        `To: <sip:alice@carillon.test>`,
        `Call-ID: ${callId}`,
        'CSeq: 1 INVITE',
        `Contact: <sip:far@${address}:${port}>`,
        'Content-Type: application/sdp',
        `Content-Length: ${OURS.length}`,
      ];
      far.send(`${lines.join('\r\n')}\r\n\r\n${OURS}`, server.sipPort, server.address);
    };
    const [first, second] = [await place(), await place()];
    invite('before');
    await turned(engine, 'it rings', () => calls.length === 1);
    heard.length = 0;
    policy.isNarrow = true;
    const { refusedByPolicy } = engine.counters;
    calls[0]?.answer(OURS);
    await turned(engine, 'the answer stays here', () => forbidden.includes('INVITE 200'));
    first.call.changeSession(OURS, 'INVITE');
    first.call.hangUp();
    await turned(engine, 'over', () => isOver(first.log));
    invite('after');
    await turned(engine, 'it is counted', () => engine.counters.refusedByPolicy - refusedByPolicy >= 2);
    policy.leaves = false;
    second.call.hangUp();
    await turned(engine, 'over', () => isOver(second.log));
    t.same(
      heard.filter((one) => !one.includes('100')),
      ['BYE'],
      'of the one that was released',
    );
    t.equal(calls.length, 1, 'nobody new is heard');
    t.same(errors, []);
  },
);
