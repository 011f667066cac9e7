/** Over a drachtio-server, too, the owner of a call learns why the peer refused, cancelled or ended it, and the result of our BYE. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { nowMs } from '../../../clock.ts';
import { DrachtioFixture } from '../../../testing/drachtio/fixture.ts';
import { OURS } from '../../../testing/sip/engine-scenarios.ts';
import { EXPLANATION, QUIET_BYE, REASON_HEADERS } from '../../../testing/sip/explained.ts';
import { CallLog, headerOf, requestOf, responseTo, SDP } from '../../../testing/sip/virtual.ts';
import { type OwnedOptions, withOwner } from '../../../testing/sip/with-owner.ts';
import { createDrachtioEngine } from './engine.ts';

const net = ownLoopback();
const errors: unknown[] = [];
const server = await DrachtioFixture.open(net.address(84), 'secret');
const far = createSocket('udp4');
far.bind(0, net.address(85));
await once(far, 'listening');
const engine = await createDrachtioEngine({
  address: net.address(86),
  userAgentName: 'carillon-test',
  mayReach: () => true,
  onInternalError: (error) => errors.push(error),
  onUnclaimedCall: () => null,
  server: { host: net.address(84), port: server.port, secret: new Secret('secret') },
});
t.teardown(() => {
  engine.close();
  far.close();
  server.close();
});
const place = `${far.address().address}:${far.address().port}`;
const contact = `<sip:far@${place}>`;
const alice: OwnedOptions = {
  aor: 'sip:alice@carillon.test',
  contactUser: 'alice',
  credentials: null,
  registrarUri: null,
  nextHop: null,
  routeSet: [],
  traffic: { onMessage: () => undefined },
};

const heard: string[] = [];
const sendText = (text: string): void => far.send(text, server.sipPort, server.address);
far.on('message', (bytes) => heard.push(bytes.toString('latin1')));

const turned = <T>(what: string, found: () => T | undefined | false): Promise<T> =>
  until(what, found, { everyMs: 1, turn: () => engine.turn(nowMs()) });
const next = (method: string) =>
  turned(method, () => {
    const at = heard.findIndex((text) => text.startsWith(method));
    return at < 0 ? undefined : heard.splice(at, 1)[0];
  });

async function standing() {
  heard.length = 0;
  const agent = engine.createUserAgent(withOwner({ ...alice, onIncomingCall: () => null }));
  const log = new CallLog();
  const call = agent.invite(`sip:far@${place}`, OURS, log);
  const invite = await next('INVITE');
  sendText(responseTo(invite, 200, 'OK', { contact, body: SDP('sendrecv', '127.0.0.2') }));
  await next('ACK');
  return { agent, log, call, invite };
}

t.test('the peer refuses', async (t) => {
  const agent = engine.createUserAgent(withOwner({ ...alice, onIncomingCall: () => null }));
  const log = new CallLog();
  agent.invite(`sip:far@${place}`, OURS, log);
  sendText(responseTo(await next('INVITE'), 503, 'No', { headers: [...REASON_HEADERS, 'Retry-After: 9'] }));
  await turned('refused', () => log.failures.length > 0);
  const explanation = { ...EXPLANATION, retryAfterSeconds: 9 };
  t.match(log.failures, [{ kind: 'STATUS', status: 503, retryAfterSeconds: 9, explanation }]);
  agent.close();
});

t.test('the peer hangs up', async (t) => {
  const { agent, log, invite } = await standing();
  const ends = { from: `${headerOf(invite, 'To')};tag=peer`, to: headerOf(invite, 'From') };
  sendText(requestOf('BYE', { ...ends, callId: headerOf(invite, 'Call-ID'), cseq: 2, headers: REASON_HEADERS }));
  await turned('over', () => log.byes.length > 0);
  t.same([log.events.at(-1), log.byes], ['ended REMOTE', [{ ...QUIET_BYE, explanation: EXPLANATION }]]);
  agent.close();
});

t.test('the peer cancels', async (t) => {
  const log = new CallLog();
  const agent = engine.createUserAgent(
    withOwner({
      ...alice,
      onIncomingCall: (call) => {
        call.ring();
        return log;
      },
    }),
  );
  const parts = { branch: 'z9hG4bKcancelled', callId: 'cancelled', contact };
  sendText(requestOf('INVITE', { ...parts, to: '<sip:alice@carillon.test>', body: OURS }));
  await next('SIP/2.0 180');
  sendText(requestOf('CANCEL', { ...parts, headers: REASON_HEADERS }));
  await turned('cancelled', () => log.failures.length > 0);
  t.match(log.failures, [{ kind: 'CANCELLED', explanation: EXPLANATION }]);
  agent.close();
});

t.test('the result of our BYE', async (t) => {
  for (const status of [200, 481, 500]) {
    const { agent, log, call } = await standing();
    call.hangUp();
    sendText(responseTo(await next('BYE'), status, 'x', { headers: REASON_HEADERS }));
    await turned('over', () => log.byes.length > 0);
    t.same(log.byes, [{ ...QUIET_BYE, byeStatus: status }], `${status}`);
    agent.close();
  }
  t.same(errors, []);
});
