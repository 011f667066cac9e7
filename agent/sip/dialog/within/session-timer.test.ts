/** Session timers (RFC 4028), from both ends and in both roles. */
import t from 'tap';
import {
  bodyOf,
  CallLog,
  headerOf,
  headersOf,
  PEER,
  requestOf,
  responseTo,
  SDP,
} from '../../../testing/sip/virtual.ts';
import {
  ALLOW,
  accept,
  answeredUp,
  calledUp,
  held,
  isLeftClean,
  OURS,
  type Up,
} from '../../../testing/sip/virtual-dialog.ts';
import type { SignallingOptions } from '../../engine.ts';
import { marginMs } from './session-timer.ts';

type Timer = NonNullable<SignallingOptions['sessionTimer']>;
const timer = (more: Partial<Timer> = {}): Partial<SignallingOptions> => ({
  sessionTimer: { expiresSeconds: 1800, minSeconds: 90, refresher: null, ...more },
});
const EXPIRES = (seconds: number, refresher: string): string => `Session-Expires: ${seconds};refresher=${refresher}`;

/** Both ends, with `seconds` agreed; the refresher is named from our end. */
const beds: [string, (seconds: number, weRefresh: boolean, headers?: string[]) => Up][] = [
  [
    'caller',
    (seconds, weRefresh, headers = [ALLOW]) =>
      calledUp({ signalling: timer(), headers: [...headers, EXPIRES(seconds, weRefresh ? 'uac' : 'uas')] }),
  ],
  [
    'callee',
    (seconds, weRefresh, headers = [ALLOW]) =>
      answeredUp({
        signalling: timer(),
        headers: [...headers, EXPIRES(seconds, weRefresh ? 'uas' : 'uac'), 'Supported: timer'],
      }),
  ],
];

for (const [end, up] of beds) {
  t.test(`${end}: we refresh at half the time, by UPDATE without a description`, (t) => {
    const bed = up(300, true);
    const { virtual, log } = bed;
    virtual.advance(149_990);
    t.equal(virtual.sent.length, 0);
    virtual.advance(20);
    const update = virtual.take('UPDATE');
    t.same([bodyOf(update), headerOf(update, 'Session-Expires')], ['', '300;refresher=uac'], 'the roles stay (7.4)');
    t.equal(headerOf(update, 'Min-SE'), '90');
    t.match(headerOf(update, 'Supported'), /timer/);
    accept(bed, update, '', [EXPIRES(300, 'uac')]);
    t.same(log.events, ['refreshed LOCAL']);
    virtual.advance(149_980);
    t.equal(virtual.sent.length, 0);
    virtual.advance(30);
    const second = virtual.take('UPDATE');
    accept(bed, second, '', [EXPIRES(200, 'uas')]);
    virtual.advance(200_000 - marginMs(200) - 1000);
    t.equal(virtual.sent.length, 0, 'the peer has taken the role, and a shorter time');
    virtual.advance(1100);
    virtual.take('BYE');
    t.same(log.events, ['refreshed LOCAL', 'refreshed LOCAL', 'expired']);
    t.ok(isLeftClean(bed));
    t.same(virtual.errors, []);
    t.end();
  });

  t.test(`${end}: we refresh by re-INVITE if the peer does not announce UPDATE`, (t) => {
    const bed = up(90, true, []);
    const { virtual, log } = bed;
    virtual.advance(45_010);
    const reinvite = virtual.take('INVITE');
    t.equal(bodyOf(reinvite), OURS, 'word for word what the peer knows');
    accept(bed, reinvite, SDP(), [EXPIRES(90, 'uac')]);
    virtual.take('ACK');
    t.same(log.events, ['refreshed LOCAL', 'changed by LOCAL']);
    t.same(log.askers, ['TIMER']);
    t.ok(isLeftClean(bed));
    const learns = up(90, true);
    learns.virtual.advance(45_010);
    learns.virtual.receive(responseTo(learns.virtual.take('UPDATE'), 501, 'Not Implemented'));
    learns.virtual.advance(1);
    learns.virtual.take('INVITE');
    t.ok(isLeftClean(learns));
    t.end();
  });

  t.test(`${end}: a refresh that is refused is tried again until the end, then hung up`, (t) => {
    const bed = up(180, true);
    const { virtual, log } = bed;
    let updates = 0;
    for (; !virtual.sent.some(({ text }) => text.startsWith('BYE')); updates++) {
      virtual.advanceUntilSent(100_000);
      if (virtual.sent[0]?.text.startsWith('BYE')) break;
      virtual.receive(responseTo(virtual.take('UPDATE'), 503, 'Service Unavailable'));
    }
    t.ok(updates >= 3 && updates <= 8, `${updates} tries`);
    t.same(log.events, ['expired']);
    t.ok(virtual.nowMs >= 1000 + 180_000 - 32_000 && virtual.nowMs < 1000 + 180_000, 'shortly before its end (10)');
    t.ok(isLeftClean(bed));
    for (const status of [408, 481]) {
      const gone = up(180, true);
      gone.virtual.advance(90_010);
      gone.virtual.receive(responseTo(gone.virtual.take('UPDATE'), status, 'Gone'));
      gone.virtual.take('BYE');
      t.same(gone.log.events, ['expired']);
      t.ok(isLeftClean(gone));
    }
    const silent = up(180, true);
    silent.virtual.advance(90_000 + 33_000);
    t.ok(
      silent.virtual.sent.some(({ text }) => text.startsWith('BYE')),
      'nobody is there',
    );
    t.end();
  });

  t.test(`${end}: a refresh that is too short is made longer`, (t) => {
    const bed = up(120, true);
    const { virtual } = bed;
    virtual.advance(60_010);
    virtual.receive(
      responseTo(virtual.take('UPDATE'), 422, 'Session Interval Too Small', { headers: ['Min-SE: 600'] }),
    );
    const again = virtual.take('UPDATE');
    t.same([headerOf(again, 'Session-Expires'), headerOf(again, 'Min-SE')], ['600;refresher=uac', '600']);
    virtual.receive(responseTo(again, 422, 'Session Interval Too Small', { headers: ['Min-SE: 600'] }));
    t.equal(virtual.sent.length, 0, 'a 422 that asks for what it got is a refusal');
    virtual.advance(33_000);
    accept(bed, virtual.take('UPDATE'), '', [EXPIRES(600, 'uac')]);
    t.ok(isLeftClean(bed));
    t.end();
  });

  t.test(`${end}: the peer refreshes`, (t) => {
    const bed = up(120, false);
    const { virtual, log } = bed;
    virtual.advance(60_000);
    virtual.receive(bed.within('UPDATE', { headers: [EXPIRES(120, 'uac'), 'Supported: timer'] }));
    const ok = virtual.take('SIP/2.0 200');
    t.same([headerOf(ok, 'Session-Expires'), headerOf(ok, 'Require')], ['120;refresher=uac', 'timer']);
    t.same(log.events, ['refreshed REMOTE']);
    virtual.advance(60_000);
    virtual.receive(bed.within('INVITE', { body: SDP(), headers: [EXPIRES(120, 'uac'), 'Supported: timer'] }));
    t.equal(headerOf(virtual.take('SIP/2.0 200'), 'Session-Expires'), '120;refresher=uac');
    virtual.receive(bed.within('ACK'));
    t.equal(log.events[1], 'refreshed REMOTE');
    virtual.advance(88_000 - 100);
    t.equal(virtual.sent.length, 0);
    virtual.advance(200);
    virtual.take('BYE');
    t.equal(log.events.at(-1), 'expired', '32 s before the end');
    t.ok(isLeftClean(bed));
    t.end();
  });

  t.test(`${end}: any change of ours refreshes, and a 2xx without Session-Expires ends the watch`, (t) => {
    const bed = up(120, false);
    const { virtual, log, call } = bed;
    virtual.advance(70_000);
    call.changeSession(held(OURS), 'INVITE');
    virtual.advance(1);
    const hold = virtual.take('INVITE');
    t.equal(headerOf(hold, 'Session-Expires'), '120;refresher=uas', 'the peer goes on refreshing (7.4)');
    accept(bed, hold, SDP('recvonly'), [EXPIRES(120, 'uas')]);
    virtual.take('ACK');
    virtual.advance(70_000);
    t.equal(virtual.sent.length, 0);
    call.changeSession(OURS, 'INVITE');
    virtual.advance(1);
    accept(bed, virtual.take('INVITE'));
    virtual.take('ACK');
    virtual.advance(300_000);
    t.equal(virtual.sent.length, 0);
    t.same(log.events, ['refreshed LOCAL', 'changed by LOCAL', 'changed by LOCAL']);
    t.same(log.askers, ['OWNER', 'OWNER']);
    t.ok(isLeftClean(bed));
    t.end();
  });

  t.test(`${end}: a time that was given up is kept again when our answer promises it`, (t) => {
    const bed = up(120, true);
    const { virtual, call } = bed;
    call.changeSession(held(OURS), 'UPDATE');
    virtual.advance(1);
    accept(bed, virtual.take('UPDATE'), SDP('recvonly'));
    virtual.advance(200_000);
    t.equal(virtual.sent.length, 0, 'a 2xx without Session-Expires: off');
    virtual.receive(bed.within('UPDATE', { headers: [EXPIRES(100, 'uas'), 'Supported: timer'] }));
    t.equal(headerOf(virtual.take('SIP/2.0 200'), 'Session-Expires'), '100;refresher=uas');
    virtual.advance(50_010);
    accept(bed, virtual.take('UPDATE'), '', [EXPIRES(100, 'uac')]);
    t.ok(isLeftClean(bed));
    t.end();
  });

  t.test(`${end}: a refresh that falls due in a change of the owner's`, (t) => {
    const bed = up(100, true);
    const { virtual, call, log } = bed;
    virtual.advance(40_000);
    call.changeSession(held(OURS), 'INVITE');
    virtual.advance(1);
    const hold = virtual.take('INVITE');
    virtual.receive(responseTo(hold, 180, 'Ringing'));
    virtual.advance(15_000);
    t.equal(virtual.sent.length, 0, 'one at a time');
    accept(bed, hold, SDP('recvonly'), [EXPIRES(100, 'uac')]);
    virtual.take('ACK');
    virtual.advance(49_000);
    t.equal(virtual.sent.length, 0, 'it has refreshed');
    virtual.advance(1100);
    const update = virtual.take('UPDATE');
    call.changeSession(OURS, 'INVITE');
    virtual.advance(10);
    t.equal(virtual.sent.length, 0, 'the owner waits for the refresh');
    accept(bed, update, '', [EXPIRES(100, 'uac')]);
    virtual.advance(1);
    accept(bed, virtual.take('INVITE'), SDP(), [EXPIRES(100, 'uac')]);
    virtual.take('ACK');
    t.equal(log.events.filter((event) => event.startsWith('changed')).length, 2);
    t.ok(isLeftClean(bed));
    t.end();
  });
}

t.test('a 2xx with less than the least counts as the least', (t) => {
  for (const seconds of [0, 1, 89]) {
    for (const refresher of ['uac', 'uas']) {
      const bed = calledUp({ signalling: timer(), headers: [ALLOW, EXPIRES(seconds, refresher)] });
      bed.virtual.advance(44_900);
      t.equal(bed.virtual.sent.length, 0, `${seconds} s by ${refresher}`);
      bed.virtual.advance(15_200);
      t.match(bed.virtual.sent[0]?.text, refresher === 'uac' ? /^UPDATE/ : /^BYE/);
    }
  }
  t.end();
});

t.test('what a caller asks for', (t) => {
  const rows: [Partial<Timer>, string][] = [
    [{}, '1800'],
    [{ refresher: 'UAC', expiresSeconds: 600 }, '600;refresher=uac'],
    [{ refresher: 'UAS' }, '1800;refresher=uas'],
  ];
  for (const [options, value] of rows) {
    const { invite } = calledUp({ signalling: timer({ minSeconds: 120, ...options }) });
    t.same([headerOf(invite, 'Session-Expires'), headerOf(invite, 'Min-SE')], [value, '120']);
    t.match(headerOf(invite, 'Supported'), /timer/);
  }
  const plain = calledUp();
  t.notMatch(plain.invite, /timer|Session-Expires|Min-SE/i, 'off unless it is asked for');
  plain.virtual.advance(4_000_000);
  t.same([plain.log.events, plain.virtual.sent.length], [[], 0]);
  const off = calledUp({ signalling: timer() });
  off.virtual.advance(4_000_000);
  t.same([off.log.events, off.virtual.sent.length], [[], 0], 'a 2xx without Session-Expires: no time is kept');
  t.end();
});

t.test('what a callee agrees to (RFC 4028, 9)', (t) => {
  const TIMER = 'Supported: timer';
  const rows: [string, Partial<Timer>, string[], string, string][] = [
    ['nothing is asked for', {}, [TIMER], '1800;refresher=uac', 'timer'],
    ['nothing is asked for, we want to refresh', { refresher: 'UAS' }, [TIMER], '1800;refresher=uas', 'timer'],
    ['the client does not know it', {}, [], '1800;refresher=uas', ''],
    ['a proxy asks, the client does not know it', {}, [EXPIRES(600, 'uac')], '600;refresher=uas', ''],
    ['it is asked for', {}, [TIMER, 'Session-Expires: 600'], '600;refresher=uac', 'timer'],
    ['in the compact form', {}, ['k: timer', 'x: 600 ; refresher = UAS'], '600;refresher=uas', 'timer'],
    ['the client has chosen', { refresher: 'UAS' }, [TIMER, EXPIRES(600, 'uac')], '600;refresher=uac', 'timer'],
    ['longer than ours', { expiresSeconds: 300 }, [TIMER, EXPIRES(600, 'uac')], '300;refresher=uac', 'timer'],
    [
      "the peer's minimum is longer",
      { expiresSeconds: 300 },
      [TIMER, EXPIRES(600, 'uac'), 'Min-SE: 500'],
      '500;refresher=uac',
      'timer',
    ],
    ['nonsense', {}, [TIMER, 'Session-Expires: soon'], '1800;refresher=uac', 'timer'],
    ['too much', {}, [TIMER, 'Session-Expires: 99999999999'], '1800;refresher=uac', 'timer'],
  ];
  for (const [what, options, headers, value, require] of rows) {
    const { ok } = answeredUp({ signalling: timer(options), headers });
    t.same([headerOf(ok, 'Session-Expires'), headerOf(ok, 'Require')], [value, require], what);
  }
  t.same(headersOf(answeredUp({ headers: [TIMER, EXPIRES(600, 'uac')] }).ok, 'Session-Expires'), [], 'not wanted');
  const required = answeredUp({ headers: ['Require: timer', EXPIRES(600, 'uac')] });
  t.equal(headerOf(required.ok, 'Session-Expires'), '600;refresher=uac', 'not wanted, but required');
  t.end();
});

t.test('422 Session Interval Too Small', (t) => {
  const bed = answeredUp({
    signalling: timer({ minSeconds: 200 }),
    headers: ['Supported: timer', EXPIRES(300, 'uac')],
    onIncomingCall: (incoming) => {
      incoming.answer(OURS);
      return new CallLog();
    },
  });
  const { virtual, log } = bed;
  const SHORT = { headers: ['Supported: timer', EXPIRES(150, 'uac')] };
  virtual.receive(requestOf('INVITE', { body: SDP(), callId: 'short', ...SHORT }));
  t.equal(headerOf(virtual.take('SIP/2.0 422 Session Interval Too Small'), 'Min-SE'), '200');
  for (const method of ['INVITE', 'UPDATE']) {
    virtual.receive(bed.within(method, { body: SDP('sendonly', PEER.address, 2), ...SHORT }));
    t.equal(headerOf(virtual.take('SIP/2.0 422'), 'Min-SE'), '200');
    virtual.receive(bed.within('ACK'));
  }
  t.same(log.events, [], 'the session is as it was');
  virtual.receive(requestOf('INVITE', { body: SDP(), callId: 'old', headers: [EXPIRES(150, 'uac')] }));
  virtual.take('SIP/2.0 200');
  t.end();
});
