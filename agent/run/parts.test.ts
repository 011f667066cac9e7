/** The parts of an allocation: phases, timetable, plans that are checked, causes, messages, histograms. */
import { partyAtFault, wire } from '@carillon/proto';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { EndpointTraffic, SipCounts } from '../capture/endpoint-traffic.ts';
import { maskCredentials } from '../capture/mask.ts';
import { messagesOf } from '../capture/message-block.ts';
import { MessageStore } from '../capture/message-store.ts';
import { reachPredicate } from '../policy/judge.ts';
import { readPolicy } from '../policy/policy.ts';
import { abilitiesOf } from '../rtp/abilities.ts';
import type { SipFailure, Traffic } from '../sip/engine.ts';
import { failure } from '../testing/run/share-world.ts';
import { ENDPOINT } from './endpoint/core/endpoint-machine.ts';
import { AllocationRefused } from './limits/allocation-refused.ts';
import { decodeAllocation } from './order/decode-allocation.ts';
import { NO_ENTRY, Timetable } from './order/timetable.ts';
import { causeOfCallFailure, causeOfPingFailure, causeOfRegistrationFailure } from './outcome/failure-cause.ts';
import { PHASES, type Phase } from './phases.ts';
import { mergeSparse } from './report/encode-facts.ts';

t.test('phases go forward only, and every one leads to CLOSED', async (t) => {
  for (const phase of PHASES) {
    const next = Object.values(ENDPOINT.transitions[phase]) as Phase[];
    t.ok(
      next.every((p) => PHASES.indexOf(p) > PHASES.indexOf(phase)),
      phase,
    );
    t.ok(phase === 'CLOSED' || next.includes('CLOSED'), `${phase} can close`);
  }
  const seen = new Set<Phase>(['INITIALIZING']);
  for (const phase of seen) for (const next of Object.values(ENDPOINT.transitions[phase]) as Phase[]) seen.add(next);
  t.same([...seen].sort(), [...PHASES].sort());
});

t.test('a timetable gives what is due and was not removed, in order', async (t) => {
  const instant = fc.integer({ min: 0, max: 1000 });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: instant }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ takeUntil: instant }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = new Timetable<number>();
      /** The entry of each item that is in it, and all instants by item. */
      const entries = new Map<number, number>();
      const instants: number[] = [];
      const earliest = () => Math.min(...[...entries.keys()].map((item) => instants[item] as number));
      for (const one of steps) {
        if ('add' in one) entries.set(instants.push(one.add) - 1, table.add(one.add, instants.length - 1));
        else if ('remove' in one && entries.size > 0) {
          const [item, entry] = [...entries][one.remove % entries.size] as [number, number];
          if (table.remove(entry) !== item) return false;
          entries.delete(item);
        } else if ('takeUntil' in one)
          while (table.nextMs <= one.takeUntil) {
            const { next, nextEntry, nextMs } = table;
            if (next === undefined || entries.get(next) !== nextEntry) return false;
            if (nextMs !== instants[next] || nextMs !== earliest() || table.take() !== next) return false;
            entries.delete(next);
          }
        if (table.size !== entries.size || table.nextMs !== earliest()) return false;
      }
      table.clear();
      return table.size === 0 && table.next === undefined && table.nextMs === Infinity && table.nextEntry === NO_ENTRY;
    }),
    { numRuns: 500 },
  );
  const table = new Timetable<number>();
  t.throws(() => table.take(), /not in the timetable/);
  const entry = table.add(1, 1);
  table.remove(entry);
  t.throws(() => table.remove(entry), /not in the timetable/);
});

t.test('allocations are checked before they are taken', async (t) => {
  const policy = { ...(await readPolicy(null)), maxCallsPerSecond: 10, maxDurationSeconds: 60 };
  const limits = {
    policy,
    mayReach: reachPredicate(policy),
    room: 50,
    streamRoom: 60,
    abilities: abilitiesOf({ fingerprint: null }),
    carried: [],
  };
  const allocation = (calls: number, more: object = {}, group: object = {}, target = 'sip:9@127.0.0.1:5070') => {
    const each = <T>(value: (i: number) => T) => Array.from({ length: calls }, (_, i) => value(i));
    return wire.agent.v1.Allocation.decode(
      wire.agent.v1.Allocation.encode({
        role: wire.agent.v1.Role.CALLER,
        callDurationMs: 5000,
        group: { audioCodecs: ['PCMU'], ...group },
        endpoints: {
          number: each((i) => i),
          listener: each(() => 0),
          registerAtMs: each(() => 0),
          callAtMs: each((i) => i * 100),
          user: each((i) => `e${i}`),
          accountUser: each(() => ''),
          accountPassword: each(() => ''),
          targetUri: each(() => target),
        },
        ...more,
      }).finish(),
    );
  };
  const refusal = async (a: wire.agent.v1.Allocation) => {
    try {
      await decodeAllocation(a, 1, 1, limits);
      return null;
    } catch (error) {
      return error instanceof AllocationRefused ? error.code : (error as Error).message;
    }
  };
  t.equal(await refusal(allocation(10)), null);
  t.equal(await refusal(allocation(51)), 'CAPACITY');
  const video = { audioCodecs: ['PCMU'], videoCodecs: ['VP8'] };
  t.equal(await refusal(allocation(30, {}, video)), null);
  t.equal(await refusal(allocation(31, {}, video)), 'CAPACITY', 'two streams each');
  t.equal(await refusal(allocation(5, { callDurationMs: 61_000 })), 'POLICY');
  const bunched = allocation(11);
  bunched.endpoints?.callAtMs?.fill(0);
  t.equal(await refusal(bunched), 'POLICY', '11 calls in a second');
  t.equal(await refusal(allocation(1, {}, { audioCodecs: ['PCMU', 'SPEEX'] })), 'CODEC');
  t.equal(await refusal(allocation(1, {}, { engine: 'SIPJS' })), 'ENGINE', 'it speaks WS and WSS');
  t.equal(await refusal(allocation(1, {}, { engine: 'PJSIP', protocol: 'WS' })), 'ENGINE');
  t.equal(await refusal(allocation(1, {}, { encryption: 'DTLS' })), 'ENCRYPTION', 'without a certificate');
  t.equal(await refusal(allocation(1, {}, { encryption: 'ZRTP' })), 'ENCRYPTION');
  t.equal(await refusal(allocation(1, {}, { videoCodecs: ['AV1'] })), 'CODEC');
  t.equal(await refusal(allocation(1, {}, { audioSource: 'FILE:x' })), 'MEDIA');
  t.equal(await refusal(allocation(1, {}, { audioDscp: 64 })), 'MALFORMED');
  t.equal(await refusal(allocation(1, {}, { impairment: { seed: 1, lossPercent: 91 } })), 'MALFORMED');
  t.equal(await refusal(allocation(1, {}, { encryption: 'SDES', audioDscp: 46 })), null);
  t.equal(await refusal(allocation(1, {}, {}, 'sip:9@8.8.8.8')), 'TARGET_NOT_ALLOWED');
  t.equal(await refusal(allocation(1, {}, { nextHop: '8.8.8.8:5060' })), 'TARGET_NOT_ALLOWED');
  t.equal(await refusal(allocation(1, {}, { nextHop: 'a:b:c' })), 'TARGET');
  t.equal(await refusal(allocation(1, {}, {}, 'tel:4711')), 'TARGET');
  t.equal(await refusal(allocation(1, {}, {}, 'tel:112')), 'NUMBER_NOT_ALLOWED');
  const uneven = allocation(3);
  uneven.endpoints?.user?.pop();
  t.equal(await refusal(uneven), 'MALFORMED');
  const elsewhere = allocation(1);
  if (elsewhere.endpoints) elsewhere.endpoints.listener = [3];
  t.equal(await refusal(elsewhere), 'MALFORMED');
  const [share] = [...(await decodeAllocation(allocation(1, {}, { nextHop: '127.0.0.1' }), 1, 1, limits)).values()];
  t.same(share?.endpoints[0]?.nextHop, { transport: 'UDP', address: '127.0.0.1', port: 5060 });
  t.match(share?.group, { displayName: '', rtcpMux: false, farEndHangsUp: false }, 'what is not said');
  const [named] = [...(await decodeAllocation(allocation(1, {}, { displayName: 'Zoë' }), 1, 1, limits)).values()];
  t.equal(named?.group.displayName, 'Zoë', 'what needs no reading is taken as it is');
  t.equal(await refusal(allocation(1, {}, { protocol: 'SCTP' })), 'PROTOCOL');
  t.equal(await refusal(allocation(1, {}, { protocol: 'TLS', tls: { verify: 'HOPE' } })), 'TLS');
  const secure = allocation(1, {}, { nextHop: 'localhost', protocol: 'TLS', tls: { verify: 'CUSTOM', ca: 'PEM' } });
  const [tls] = [...(await decodeAllocation(secure, 1, 1, limits)).values()];
  t.match(tls?.endpoints[0], { nextHop: null, nextHopUri: 'sip:localhost;transport=tls' });
  t.same(tls?.group.tls, { verify: 'CUSTOM', ca: 'PEM' });
  const straight = await decodeAllocation(allocation(1, {}, {}, 'sip:9@127.0.0.1;transport=tcp'), 1, 1, limits);
  t.match([...straight.values()][0]?.endpoints[0]?.nextHop, { transport: 'TCP', address: '127.0.0.1', port: 5060 });
  // Names are resolved when they are called (RFC 3263); a transport other than AUTO is fixed.
  const hopOf = async (group: object, target?: string) => {
    const shares = await decodeAllocation(allocation(1, {}, group, target), 1, 1, limits);
    const plan = [...shares.values()][0]?.endpoints[0];
    return plan?.nextHop ?? plan?.nextHopUri;
  };
  t.equal(await hopOf({ nextHop: 'pbx.example' }), 'sip:pbx.example;transport=udp');
  t.equal(await hopOf({ nextHop: 'pbx.example:5070', protocol: 'TCP' }), 'sip:pbx.example:5070;transport=tcp');
  t.equal(await hopOf({ nextHop: 'pbx.example', protocol: 'AUTO' }), 'sip:pbx.example');
  t.equal(await hopOf({ nextHop: 'pbx.example', protocol: 'AUTO', route: '<sip:pbx.example;lr>' }), null);
  t.match(await hopOf({ nextHop: '127.0.0.1', protocol: 'AUTO' }), { transport: 'UDP', port: 5060 });
  t.equal(await hopOf({}, 'sip:9000@pbx.example'), null, 'the Request-URI says it');
});

t.test('each kind of failure has a cause', async (t) => {
  const kinds: SipFailure['kind'][] = ['STATUS', 'TIMEOUT', 'TRANSPORT', 'PROTOCOL', 'CANCELLED', 'POLICY', 'DNS'];
  for (const kind of kinds) {
    t.type(causeOfCallFailure(failure(kind, 500), 'STOPPED'), 'string');
    t.type(causeOfRegistrationFailure(failure(kind, 500)), 'string');
    t.type(causeOfPingFailure(failure(kind, 500)), 'string');
  }
});

t.test('what could not be sent from here is not held against the network', async (t) => {
  const rows: [reason: string, isOurs: boolean][] = [
    ['send EAFNOSUPPORT', true],
    ['sendmmsg: ENETUNREACH', true],
    ['send EPERM', true],
    ['bind EADDRNOTAVAIL 192.0.2.1', true],
    ['192.0.2.1 cannot be sent to from this socket, or the message is too long for UDP', true],
    ['ECONNREFUSED', false],
    ['connect EHOSTUNREACH 192.0.2.1:5060', false],
    ['connect ETIMEDOUT', false],
    ['the connection was closed', false],
    ['the server said SEPERM', false],
    ['', false],
  ];
  for (const [reason, isOurs] of rows) {
    const one = failure('TRANSPORT', null, reason);
    const causes = [causeOfCallFailure(one, 'STOPPED'), causeOfPingFailure(one), causeOfRegistrationFailure(one)];
    const wanted = isOurs
      ? ['NOT_SENT', 'NOT_SENT', 'REGISTRATION_NOT_SENT']
      : ['TRANSPORT_ERROR', 'TRANSPORT_ERROR', 'REGISTRATION_UNREACHABLE'];
    t.same(causes, wanted, reason);
    t.same(
      [...new Set(causes.map((cause) => partyAtFault(cause, 'CALLER', null)))],
      [isOurs ? 'agent' : 'network'],
      reason,
    );
  }
});

t.test('messages are counted all, kept within bounds, without what would tell a password', async (t) => {
  const counts = new SipCounts();
  const store = new MessageStore('::2');
  const traffic = new EndpointTraffic(3, counts, store, { keepMessages: true, keepBodies: true });
  const text =
    'REGISTER sip:a SIP/2.0\r\nAuthorization: Digest username="u", realm="r", response="0123456789abcdef0123456789abcdef", nonce="n"\r\n\r\n';
  const message: Traffic = {
    direction: 'SENT',
    atMs: 1,
    method: 'REGISTER',
    status: 0,
    reason: '',
    retransmission: false,
    callId: 'c',
    transport: 'UDP',
    peerAddress: '::1',
    peerPort: 5060,
    localPort: 5062,
    text,
  };
  for (let i = 0; i < 600; i++) traffic.onMessage({ ...message, retransmission: i > 0 });
  t.match(counts.take(), [{ sent: true, method: 'REGISTER', status: 0, count: 1, retransmissions: 599 }]);
  t.same(counts.take(), []);
  const kept = store.take(true).flatMap(messagesOf);
  t.equal(kept.length, 500);
  t.ok(kept.every((m) => m.text.length === text.length && !/0123456789abcdef/.test(m.text.toString('latin1'))));
  t.match(kept[499]?.text.toString('latin1'), /response="\*{32}", nonce="n"/);
  t.equal(kept[0]?.peer, '[::1]:5060');
  t.same(store.take(true), []);
  t.equal(
    maskCredentials('Proxy-Authorization: Digest response="ab"\r\n'),
    'Proxy-Authorization: Digest response="**"\r\n',
  );
  t.equal(maskCredentials('X: response="ab"'), 'X: response="ab"');
});

t.test('histograms for the wire add up', async (t) => {
  const merged = mergeSparse([
    { bucket: [1, 5], count: [2, 3], sum: 10, min: 1, max: 4 },
    { bucket: [5, 9], count: [1, 1], sum: 5, min: 0.5, max: 9 },
    { bucket: [], count: [], sum: 0, min: 0, max: 0 },
  ]);
  t.same(merged, { bucket: [1, 5, 9], count: [2, 4, 1], sum: 15, min: 0.5, max: 9 });
});
