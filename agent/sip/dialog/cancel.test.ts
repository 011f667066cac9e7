import t from 'tap';
import { headerOf, PEER, responseTo } from '../../testing/sip/virtual.ts';
import { CONTACT, calling, TARGET } from '../../testing/sip/virtual-call.ts';

t.test('waits for a provisional response; 487 ends the call', (t) => {
  const { virtual, log, call, invite } = calling({ routeSet: [`<sip:${PEER.address}:${PEER.port};lr>`] });
  call.hangUp();
  virtual.advance(100);
  t.equal(virtual.sent.length, 0, 'nothing before the provisional response');
  virtual.receive(responseTo(invite, 100, 'Trying'));
  const cancel = virtual.take(`CANCEL ${TARGET}`);
  t.equal(headerOf(cancel, 'Via'), headerOf(invite, 'Via'), 'the branch of the INVITE');
  t.equal(headerOf(cancel, 'CSeq'), '1 CANCEL');
  t.equal(headerOf(cancel, 'To'), headerOf(invite, 'To'));
  t.equal(headerOf(cancel, 'Route'), headerOf(invite, 'Route'));
  virtual.receive(responseTo(cancel, 200, 'OK'));
  t.same(log.events, ['sent', 'provisional 100'], 'the 200 to CANCEL ends nothing');
  virtual.receive(responseTo(invite, 487, 'Request Terminated'));
  virtual.take('ACK');
  t.same(log.events.at(-1), 'failed CANCELLED 487');
  t.end();
});
t.test('a 200 that crosses it is acknowledged and hung up', (t) => {
  const { virtual, log, call, invite } = calling();
  virtual.receive(responseTo(invite, 180, 'Ringing'));
  call.hangUp();
  virtual.take('CANCEL');
  const ok = responseTo(invite, 200, 'OK', { contact: CONTACT });
  virtual.receive(ok);
  virtual.take('ACK sip:bob-device');
  const bye = virtual.take('BYE sip:bob-device');
  t.same(log.events.at(-1), 'failed CANCELLED 200');
  virtual.receive(ok);
  virtual.take('ACK sip:bob-device');
  virtual.receive(responseTo(bye, 200, 'OK'));
  t.equal(virtual.sent.length, 0);
  t.equal(log.failures.length, 1);
  t.end();
});
t.test('another final response that crosses it is what the peer decided', (t) => {
  const { virtual, log, call, invite } = calling();
  virtual.receive(responseTo(invite, 180, 'Ringing'));
  call.hangUp();
  virtual.receive(responseTo(invite, 486, 'Busy Here'));
  t.same(log.events.at(-1), 'failed STATUS 486');
  t.end();
});
t.test('a challenge is not answered any more', (t) => {
  const { virtual, log, call, invite } = calling();
  call.hangUp();
  virtual.receive(
    responseTo(invite, 401, 'Unauthorized', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] }),
  );
  virtual.take('ACK');
  t.equal(virtual.sent.length, 0);
  t.same(log.events.at(-1), 'failed STATUS 401');
  t.end();
});
t.test('without a final response the call is over after 32 s', (t) => {
  const { virtual, log, call, invite } = calling();
  virtual.receive(responseTo(invite, 180, 'Ringing'));
  call.hangUp();
  const startMs = virtual.nowMs;
  virtual.advance(20_000);
  virtual.receive(responseTo(invite, 183, 'Session Progress'));
  virtual.advance(50_000);
  t.same(log.events.at(-1), 'failed CANCELLED null');
  t.equal(log.failures[0]?.atMs, startMs + 32_000);
  t.equal(virtual.engine.busy, false);
  t.end();
});
t.test('nobody answers at all: timer B ends it', (t) => {
  const { virtual, log, call } = calling();
  call.hangUp();
  virtual.advance(33_000);
  t.same(log.events.at(-1), 'failed TIMEOUT null');
  t.end();
});
t.test('ringing for ever is ended after 200 s', (t) => {
  const { virtual, log, invite } = calling();
  virtual.receive(responseTo(invite, 180, 'Ringing'));
  virtual.advance(201_000);
  virtual.take('CANCEL');
  virtual.receive(responseTo(invite, 487, 'Request Terminated'));
  t.same(log.events.at(-1), 'failed TIMEOUT 487');
  t.end();
});
