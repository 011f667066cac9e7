/** Requirements that no scenario of the other files shows: timers as a table, what retransmissions keep, what is never sent. */

import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import {
  branchOf,
  CallLog,
  headerOf,
  PEER,
  requestOf,
  responseTo,
  SDP,
  tagOf,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import type { IncomingCall } from '../engine.ts';
import { TIMERS, type TimerName } from '../timers.ts';

const CHALLENGE = 'WWW-Authenticate: Digest realm="r", nonce="n", opaque="o", algorithm=SHA-256, qop="auth"';
const CREDENTIALS = { username: 'alice', password: new Secret('secret') };

t.test('every timer of RFC 3261, table 4, and RFC 6026: first interval, cap, over reliable transports', (t) => {
  const T1 = 500;
  const none = null;
  const table: readonly [TimerName, number, number, number | null][] = [
    ['TIMER_A', T1, Number.POSITIVE_INFINITY, none],
    ['TIMER_B', 64 * T1, 64 * T1, 64 * T1],
    ['TIMER_D', 32_000, 32_000, 0],
    ['TIMER_E', T1, 4000, none],
    ['TIMER_F', 64 * T1, 64 * T1, 64 * T1],
    ['TIMER_G', T1, 4000, none],
    ['TIMER_H', 64 * T1, 64 * T1, 64 * T1],
    ['TIMER_I', 5000, 5000, 0],
    ['TIMER_J', 64 * T1, 64 * T1, 0],
    ['TIMER_K', 5000, 5000, 0],
    ['TIMER_L', 64 * T1, 64 * T1, 64 * T1],
    ['TIMER_M', 64 * T1, 64 * T1, 64 * T1],
  ];
  t.same(
    Object.entries(TIMERS).map(([name, { ms, capMs, reliableMs }]) => [name, ms, capMs, reliableMs]),
    table,
  );
  t.end();
});

t.test('a challenged request comes again: what it keeps, and how credentials are written', (t) => {
  const virtual = new VirtualEngine();
  const routeSet = [`<sip:${PEER.address}:${PEER.port};lr>`];
  virtual.agent({ credentials: CREDENTIALS, routeSet }).invite('sip:bob@example.net', SDP(), new CallLog());
  const first = virtual.take('INVITE');
  virtual.receive(responseTo(first, 401, 'Unauthorized', { toTag: 'challenger', headers: [CHALLENGE] }));
  virtual.take('ACK');
  const second = virtual.take('INVITE');
  for (const name of ['Call-ID', 'From', 'To', 'Contact']) t.equal(headerOf(second, name), headerOf(first, name), name);
  t.equal(tagOf(headerOf(second, 'To')), '', 'no tag of the refusing end');
  t.not(branchOf(second), branchOf(first), 'another transaction');
  t.same([headerOf(first, 'CSeq'), headerOf(second, 'CSeq')], ['1 INVITE', '2 INVITE']);
  const credentials = headerOf(second, 'Authorization');
  for (const quoted of ['username="alice"', 'realm="r"', 'nonce="n"', 'uri="sip:bob@example.net"', 'opaque="o"'])
    t.ok(credentials.includes(quoted), quoted);
  t.match(credentials, /[ ,]response="[0-9a-f]{64}"/);
  t.match(credentials, /[ ,]cnonce="[^"]+"/);
  t.match(credentials, /[ ,]algorithm=SHA-256(?:,|$)/, 'a token');
  t.match(credentials, /[ ,]qop=auth(?:,|$)/, 'a token');
  t.match(credentials, /[ ,]nc=00000001(?:,|$)/, 'eight hex digits');
  t.end();
});

t.test('no answer to anything but INVITE is provisional or 408 (RFC 4320)', (t) => {
  const methods = [
    'OPTIONS',
    'BYE',
    'INFO',
    'UPDATE',
    'PRACK',
    'REFER',
    'NOTIFY',
    'MESSAGE',
    'REGISTER',
    'CANCEL',
    'NEW',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...methods), fc.boolean(), fc.nat(40_000), (method, isInDialog, ms) => {
      const virtual = new VirtualEngine();
      virtual.agent();
      const to = `<sip:alice@example.net>${isInDialog ? ';tag=gone' : ''}`;
      virtual.receive(requestOf(method, { to }));
      virtual.advance(ms);
      const statuses = virtual.sent.map(({ text }) => Number(/^SIP\/2\.0 (\d+)/.exec(text)?.[1] ?? 0));
      return statuses.every((status) => status >= 200 && status !== 408);
    }),
  );
  t.end();
});

t.test('names of methods are case-sensitive, names of headers are not', (t) => {
  const virtual = new VirtualEngine();
  virtual.agent();
  virtual.receive(requestOf('options'));
  t.match(virtual.take('SIP/2.0'), /^SIP\/2\.0 501 /, 'options is no OPTIONS');
  const shouted = requestOf('OPTIONS').replace(/^([A-Za-z-]+):/gm, (name) => name.toUpperCase());
  virtual.receive(shouted.replace('branch=z9hG4bK', 'branch=Z9HG4BKother'));
  t.match(virtual.take('SIP/2.0'), /^SIP\/2\.0 200 /, 'nor does the case of the cookie matter');
  t.end();
});

t.test('numbers of ours begin below 2^31, and the largest of the peer are taken', (t) => {
  const virtual = new VirtualEngine();
  const onIncomingCall = (call: IncomingCall) => {
    call.answer(SDP());
    return new CallLog();
  };
  const agent = virtual.agent({ onIncomingCall });
  agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), new CallLog());
  const ours = Number(/^\d+/.exec(headerOf(virtual.take('INVITE'), 'CSeq'))?.[0]);
  t.ok(ours >= 0 && ours < 2 ** 31, `CSeq ${ours} (RFC 3261, 8.1.1.5)`);
  const first = 2 ** 31 - 2;
  virtual.receive(requestOf('INVITE', { body: SDP() }).replace(/CSeq: \d+/, `CSeq: ${first}`));
  t.match(headerOf(virtual.take('SIP/2.0 200'), 'CSeq'), `${first} INVITE`);
  t.end();
});
