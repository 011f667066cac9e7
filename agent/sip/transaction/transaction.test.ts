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
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { CALL_LIMITS_MS, INCOMING_CALL, OUTGOING_CALL } from '../dialog/call-tables.ts';
import { Timed, TimerWheel } from '../timer-wheel.ts';
import { TIMERS, type TimerName } from '../timers.ts';
import { INVITE_CLIENT, INVITE_SERVER, NON_INVITE_CLIENT, NON_INVITE_SERVER } from './tables.ts';

const TRANSACTIONS = { INVITE_CLIENT, NON_INVITE_CLIENT, INVITE_SERVER, NON_INVITE_SERVER };

t.test('laws of the transactions: a state held by a timer has one, and the timer leads out', (t) => {
  for (const [name, machine] of Object.entries(TRANSACTIONS)) {
    const table = machine.transitions as Record<string, Record<string, string>>;
    const timersIn = machine.timers as Record<string, { retransmit: TimerName | null; timeout: TimerName | null }>;
    for (const [state, timers] of Object.entries(timersIn)) {
      const holder = (machine.heldBy as Record<string, string>)[state];
      t.equal(timers.timeout !== null, holder === 'TIMER', `${name}: ${state}`);
      if (timers.timeout !== null) {
        t.equal(table[state]?.[timers.timeout], 'TERMINATED', `${name}: ${timers.timeout} ends ${state}`);
        t.equal(TIMERS[timers.timeout].role, 'TIMEOUT');
      }
      if (timers.retransmit !== null) {
        t.equal(table[state]?.[timers.retransmit], state, `${name}: ${timers.retransmit} stays in ${state}`);
        t.equal(TIMERS[timers.retransmit].role, 'RETRANSMIT');
      }
      for (const event of Object.keys(table[state] ?? {}).filter((one) => one.startsWith('TIMER_'))) {
        t.ok(event === timers.timeout || event === timers.retransmit, `${name}: ${event} is only known where it runs`);
      }
    }
  }
  t.end();
});

t.test('laws of the calls: a state held by a timer has a limit, and the limit leads on', (t) => {
  for (const [name, machine] of Object.entries({ OUTGOING_CALL, INCOMING_CALL })) {
    for (const [state, row] of Object.entries(machine.transitions)) {
      const holder = (machine.heldBy as Record<string, string>)[state];
      t.equal((CALL_LIMITS_MS as Record<string, number>)[state] !== undefined, holder === 'TIMER', `${name}: ${state}`);
      t.equal('LIMIT' in row, holder === 'TIMER', `${name}: ${state} knows its limit`);
      if (holder === 'TRANSACTION')
        t.ok('NO_RESPONSE' in row || 'NO_ACK' in row || 'NO_PRACK' in row, `${name}: ${state} survives silence`);
    }
  }
  t.end();
});

t.test('timer wheel', (t) => {
  class Probe extends Timed {
    firedAtMs = -1;
    times = 0;
    override onDue(nowMs: number): void {
      this.firedAtMs = nowMs;
      this.times++;
    }
  }
  t.test('fires each timer once, not early, within the turn that reaches it', (t) => {
    const delays = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 40 });
    const steps = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(delays, steps, fc.double({ min: 0, max: 1e9, noNaN: true }), (delays, steps, originMs) => {
        const wheel = new TimerWheel(originMs);
        const probes = delays.map((delay) => {
          const probe = new Probe();
          wheel.set(probe, originMs + delay);
          return probe;
        });
        let nowMs = originMs;
        for (const step of steps) {
          const beforeMs = nowMs;
          nowMs += step;
          wheel.advance(nowMs);
          probes.forEach((probe, i) => {
            const dueMs = originMs + (delays[i] as number);
            if (probe.firedAtMs === nowMs) return;
            if (probe.times === 0 && dueMs + 2 <= nowMs) throw new Error(`missed ${dueMs} at ${nowMs}`);
            if (probe.times > 0 && probe.firedAtMs < dueMs) throw new Error(`early: ${probe.firedAtMs} for ${dueMs}`);
            if (probe.times > 1) throw new Error('fired twice');
            if (probe.firedAtMs > beforeMs) throw new Error('fired in no turn');
          });
        }
        return wheel.size === probes.filter((probe) => probe.times === 0).length;
      }),
    );
    t.pass('for all delays and steps tried');
    t.end();
  });
  t.test('a timer may clear, move and set others while it fires', (t) => {
    const wheel = new TimerWheel(0);
    const victim = new Probe();
    const moved = new Probe();
    const late = new Probe();
    class Meddler extends Probe {
      override onDue(nowMs: number): void {
        super.onDue(nowMs);
        wheel.clear(victim);
        wheel.set(moved, nowMs + 5);
        wheel.set(late, nowMs);
      }
    }
    wheel.set(victim, 10);
    wheel.set(moved, 10);
    wheel.set(new Meddler(), 10);
    wheel.advance(10);
    t.equal(victim.times, 0, 'what was cleared in the same tick does not fire');
    t.equal(moved.times + late.times, 0, 'what was moved waits');
    wheel.advance(15);
    t.same([moved.firedAtMs, late.firedAtMs, wheel.size], [15, 15, 0]);
    t.end();
  });
  t.test('continues after a timer that throws', (t) => {
    const wheel = new TimerWheel(0);
    const probe = new Probe();
    class Thrower extends Timed {
      override onDue(): void {
        throw new Error('bug');
      }
    }
    wheel.set(probe, 3);
    wheel.set(new Thrower(), 3);
    t.throws(() => wheel.advance(3));
    wheel.advance(4);
    t.same([probe.times, wheel.size], [1, 0]);
    t.end();
  });
  t.end();
});

const instants = (virtual: VirtualEngine, startMs: number): number[] => virtual.sent.map((sent) => sent.atMs - startMs);

t.test('send instants without an answer (RFC 3261, table 4)', (t) => {
  t.test('INVITE: 7 sends in 32 s, then timer B', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    virtual.agent().invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), log);
    const startMs = virtual.nowMs;
    virtual.advance(40_000);
    t.same(instants(virtual, startMs), [0, 500, 1500, 3500, 7500, 15_500, 31_500]);
    t.equal(new Set(virtual.sent.map((sent) => sent.text)).size, 1, 'always the same bytes');
    t.same(log.events, ['sent', 'failed TIMEOUT null']);
    t.equal(log.atMs[1], startMs + 32_000);
    t.same(
      virtual.traffic.map((seen) => seen.retransmission),
      [false, true, true, true, true, true, true],
    );
    t.equal(virtual.engine.busy, false, 'nothing is left behind');
    t.end();
  });
  t.test('non-INVITE: 11 sends in 32 s, then timer F', (t) => {
    const virtual = new VirtualEngine();
    const events: string[] = [];
    const note = (name: string) => () => events.push(name);
    virtual.agent().register(60, {
      onRegisterSent: note('sent'),
      onRegistered: note('registered'),
      onRegistrationFailed: (failure) => events.push(`failed ${failure.kind} at ${failure.atMs}`),
      onUnregistered: note('unregistered'),
    });
    const startMs = virtual.nowMs;
    virtual.advance(40_000);
    const sends = [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
    t.same(instants(virtual, startMs), sends);
    t.same(events, ['sent', `failed TIMEOUT at ${startMs + 32_000}`]);
    t.equal(virtual.engine.busy, false);
    t.end();
  });
  t.test('non-INVITE with a provisional response: every T2 from there', (t) => {
    const virtual = new VirtualEngine();
    const agent = virtual.agent();
    const ignore = (): void => undefined;
    agent.register(60, {
      onRegisterSent: ignore,
      onRegistered: ignore,
      onRegistrationFailed: ignore,
      onUnregistered: ignore,
    });
    const startMs = virtual.nowMs;
    virtual.advance(600);
    virtual.receive(responseTo(virtual.sent[0]?.text as string, 100, 'Trying'));
    virtual.advance(40_000);
    t.same(instants(virtual, startMs), [0, 500, 1500, 5500, 9500, 13_500, 17_500, 21_500, 25_500, 29_500]);
    t.end();
  });
  t.test('INVITE is not sent again once a provisional response has come', (t) => {
    const virtual = new VirtualEngine();
    virtual.agent().invite(`sip:bob@${PEER.address}:${PEER.port}`, '', new CallLog());
    virtual.advance(0);
    virtual.receive(responseTo(virtual.sent[0]?.text as string, 180, 'Ringing'));
    virtual.advance(60_000);
    t.equal(virtual.sent.length, 1);
    t.end();
  });
  t.test('3xx to 6xx to INVITE: timer G up to T2, timer H', (t) => {
    const virtual = new VirtualEngine();
    virtual.agent();
    const startMs = virtual.nowMs;
    virtual.receive(requestOf('INVITE'));
    virtual.advance(40_000);
    const finals = virtual.sent.filter((sent) => sent.text.startsWith('SIP/2.0 480'));
    t.same(
      finals.map((sent) => sent.atMs - startMs),
      [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500],
    );
    t.equal(virtual.engine.busy, false);
    t.end();
  });
  t.test('2xx to INVITE: sent again up to T2 until the ACK, then BYE', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    virtual.agent({
      onIncomingCall: (call) => {
        call.answer(SDP());
        return log;
      },
    });
    const startMs = virtual.nowMs;
    virtual.receive(requestOf('INVITE', { body: SDP() }));
    virtual.advance(33_000);
    const finals = virtual.sent.filter((sent) => sent.text.startsWith('SIP/2.0 200'));
    t.same(
      finals.map((sent) => sent.atMs - startMs),
      [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500],
    );
    t.same(log.events, ['failed TIMEOUT null']);
    t.ok(virtual.sent.some((sent) => sent.text.startsWith('BYE sip:bob@')));
    t.end();
  });
  t.test('a pause of the whole process is not followed by a burst', (t) => {
    const virtual = new VirtualEngine();
    virtual.agent().invite(`sip:bob@${PEER.address}:${PEER.port}`, '', new CallLog());
    virtual.advance(0);
    virtual.nowMs += 10_000;
    virtual.engine.turn(virtual.nowMs);
    virtual.advance(20);
    t.equal(virtual.sent.length, 2);
    t.end();
  });
  t.end();
});

t.test('client transactions', (t) => {
  t.test('a 4xx is acknowledged within the transaction, each time it comes', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    virtual.agent({ routeSet: [`<sip:${PEER.address}:${PEER.port};lr>`] }).invite('sip:bob@example.net', '', log);
    const invite = virtual.take('INVITE');
    virtual.receive(responseTo(invite, 486, 'Busy Here', { toTag: 'busy' }));
    const ack = virtual.take('ACK sip:bob@example.net');
    t.equal(branchOf(ack), branchOf(invite), 'same branch');
    t.equal(headerOf(ack, 'Route'), headerOf(invite, 'Route'), 'same route');
    t.match(headerOf(ack, 'To'), /;tag=busy$/);
    t.equal(headerOf(ack, 'CSeq'), '1 ACK');
    virtual.receive(responseTo(invite, 486, 'Busy Here', { toTag: 'busy' }));
    t.equal(virtual.take('ACK'), ack, 'the same ACK again');
    t.same(log.events, ['sent', 'failed STATUS 486'], 'the user hears once');
    virtual.advance(32_000);
    virtual.receive(responseTo(invite, 486, 'Busy Here', { toTag: 'busy' }));
    t.equal(virtual.engine.counters.unmatched, 1, 'timer D is over');
    t.end();
  });
  t.test('a response is matched by branch and method, and not if another Via stands below ours', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    virtual.agent().invite(`sip:bob@${PEER.address}:${PEER.port}`, '', log);
    const invite = virtual.take('INVITE');
    const ringing = responseTo(invite, 180, 'Ringing');
    virtual.receive(ringing.replace(/branch=([^\r;]*)/, 'branch=$1x'));
    virtual.receive(ringing.replace('1 INVITE', '1 OPTIONS'));
    virtual.receive(ringing.replace('\r\nFrom', '\r\nVia: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bKx\r\nFrom'));
    t.equal(virtual.engine.counters.unmatched, 3);
    virtual.receive(ringing.replaceAll('Via:', 'v :').replace('From:', 'F:').replace('Call-ID:', 'i:'));
    t.same(log.events, ['sent', 'provisional 180']);
    t.end();
  });
  t.test('what the kernel refuses fails at once', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    virtual.agent().invite(`sip:bob@${PEER.address}:${PEER.port}`, '', log);
    virtual.refuse(virtual.take('INVITE'), 'ENETUNREACH: network is unreachable');
    t.same(log.events, ['sent', 'failed TRANSPORT null']);
    t.match(log.failures[0]?.reason, /ENETUNREACH/);
    t.equal(virtual.engine.busy, false);
    t.end();
  });
  t.test('an ICMP error of which the beginning of the request came back (18.4)', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    const agent = virtual.agent();
    const call = agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, '', log);
    const invite = virtual.take('INVITE');
    for (const head of ['', invite.slice(0, 8), invite.slice(0, invite.indexOf('branch=') + 12)]) {
      virtual.refuse(head, 'ICMP: ECONNREFUSED');
    }
    t.same(log.events, ['sent'], 'what does not name a transaction fails none');
    virtual.receive(responseTo(invite, 200, 'OK', { contact: `<sip:bob@${PEER.address}:${PEER.port}>`, body: SDP() }));
    virtual.refuse(invite, 'ICMP: ECONNREFUSED');
    virtual.take('ACK');
    t.same(log.events, ['sent', 'answered 200'], 'what was answered has arrived');
    call.hangUp();
    virtual.refuse(virtual.take('BYE').slice(0, 300), 'ICMP: ECONNREFUSED');
    t.same(log.events, ['sent', 'answered 200', 'ended LOCAL'], 'BYE to a peer that is gone');
    virtual.advance(40_000);
    t.same([virtual.engine.busy, virtual.sent.length], [false, 0]);
    const refused = new CallLog();
    agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, '', refused);
    const again = virtual.take('INVITE');
    virtual.receive(responseTo(again, 486, 'Busy Here'));
    virtual.take('ACK');
    virtual.refuse(again, 'ICMP: ECONNREFUSED');
    t.same(refused.events, ['sent', 'failed STATUS 486']);
    t.end();
  });
  t.test('distinct provisional responses are told once each', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    virtual.agent().invite(`sip:bob@${PEER.address}:${PEER.port}`, '', log);
    const invite = virtual.take('INVITE');
    const trying = responseTo(invite, 100, 'Trying');
    const ringing = responseTo(invite, 180, 'Ringing');
    for (const response of [trying, trying, ringing, trying, ringing]) virtual.receive(response);
    virtual.receive(responseTo(invite, 183, 'Session Progress', { body: SDP() }));
    virtual.receive(responseTo(invite, 180, 'Ringing', { toTag: 'fork' }));
    t.same(log.events, ['sent', 'provisional 100', 'provisional 180', 'provisional 183', 'provisional 180']);
    const received = virtual.traffic.filter((seen) => seen.direction === 'RECEIVED');
    t.same(
      received.map((seen) => seen.retransmission),
      [false, true, false, true, true, false, false],
    );
    t.end();
  });
  t.end();
});

t.test('server transactions', (t) => {
  t.test('a repeated request gets the last response again', (t) => {
    const virtual = new VirtualEngine();
    virtual.agent({
      onIncomingCall: (call) => {
        call.ring();
        return new CallLog();
      },
    });
    const invite = requestOf('INVITE');
    virtual.receive(invite);
    const ringing = virtual.take('SIP/2.0 180 Ringing');
    virtual.receive(invite);
    t.equal(virtual.take('SIP/2.0 180'), ringing);
    const options = requestOf('OPTIONS');
    virtual.receive(options);
    const ok = virtual.take('SIP/2.0 200');
    virtual.receive(options);
    t.equal(virtual.take('SIP/2.0 200'), ok);
    const received = virtual.traffic.filter((seen) => seen.direction === 'RECEIVED');
    t.same(
      received.map((seen) => seen.retransmission),
      [false, true, false, true],
    );
    t.end();
  });
  t.test('the response goes by rport, or else to the sent-by port, with received where it is due', (t) => {
    const virtual = new VirtualEngine();
    virtual.agent();
    const source = { address: '198.51.100.7', port: 40_000 };
    virtual.receive(requestOf('OPTIONS', { via: ';rport', callId: 'a' }), source);
    t.same([virtual.sent[0]?.address, virtual.sent[0]?.port], [source.address, source.port]);
    t.match(headerOf(virtual.take('SIP/2.0 200'), 'Via'), /;rport=40000;.*;received=198\.51\.100\.7$/);
    virtual.receive(requestOf('OPTIONS', { via: '', callId: 'b' }), source);
    t.same([virtual.sent[0]?.address, virtual.sent[0]?.port], [source.address, PEER.port]);
    const via = headerOf(virtual.take('SIP/2.0 200'), 'Via');
    t.match(via, /;received=198\.51\.100\.7$/);
    t.notMatch(via, /rport/);
    virtual.receive(requestOf('OPTIONS', { via: '', callId: 'c' }));
    t.notMatch(headerOf(virtual.take('SIP/2.0 200'), 'Via'), /received/);
    t.end();
  });
  t.test('a merged request is refused with 482', (t) => {
    const virtual = new VirtualEngine();
    virtual.agent({ onIncomingCall: () => new CallLog() });
    virtual.receive(requestOf('INVITE', { branch: 'z9hG4bKway1' }));
    virtual.take('SIP/2.0 100');
    virtual.receive(requestOf('INVITE', { branch: 'z9hG4bKway2' }));
    virtual.take('SIP/2.0 482 Loop Detected');
    t.end();
  });
  t.test('a client of RFC 2543 without branch and tag is served, its ACK matched', (t) => {
    const virtual = new VirtualEngine();
    virtual.agent();
    const old = (method: string, to: string): string =>
      `${method} sip:alice@192.0.2.1:5060 SIP/2.0\r\nVia: SIP/2.0/UDP ${PEER.address}:${PEER.port}\r\nFrom: <sip:bob@example.net>\r\n` +
      `To: ${to}\r\nCall-ID: old@peer\r\nCSeq: 1 ${method}\r\nContact: <sip:bob@${PEER.address}:${PEER.port}>\r\n\r\n`;
    virtual.receive(old('INVITE', '<sip:alice@example.net>'));
    const refusal = virtual.take('SIP/2.0 480');
    virtual.receive(old('ACK', headerOf(refusal, 'To')));
    virtual.advance(10_000);
    t.equal(virtual.sent.length, 0, 'the ACK stopped timer G');
    t.end();
  });
  t.end();
});
