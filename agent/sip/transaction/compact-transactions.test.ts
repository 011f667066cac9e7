/** The remains of answered transactions: found until their instant, then removed, whatever was added and removed before. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { CallLog, PEER, responseTo, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';
import { TimerWheel } from '../timer-wheel.ts';
import { TIMERS } from '../timers.ts';
import { NOBODY } from '../transport/send-queue.ts';
import { NO_USER } from './client-user.ts';
import { type CompactTransaction, CompactTransactions } from './compact-transactions.ts';

const TARGET = { transport: 'UDP', address: '192.0.2.1', port: 5060 } as const;
const compacted = (slot: number, use: number, over: Partial<CompactTransaction> = {}): CompactTransaction => ({
  ...{ slot, use, method: 'BYE', owner: NOBODY, target: TARGET, user: NO_USER, tag: '', dueTick: 0, ...over },
});

type Step =
  | { readonly op: 'add'; readonly slot: number; readonly inMs: number; readonly invite: boolean; readonly tag: string }
  | { readonly op: 'take'; readonly slot: number }
  | { readonly op: 'pass'; readonly ms: number };

const tagText = fc.string({ unit: fc.constantFrom(...'abcXYZ019-._~'), maxLength: 36 });
const slot = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 3000 }));
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constant('add' as const),
      slot,
      inMs: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(TIMERS.TIMER_K.ms, TIMERS.TIMER_M.ms)),
      invite: fc.boolean(),
      tag: tagText,
    }),
    fc.record({ op: fc.constant('take' as const), slot }),
    fc.record({
      op: fc.constant('pass' as const),
      ms: fc.oneof(fc.double({ min: 0, max: 30, noNaN: true }), fc.integer({ min: 0, max: 100_000 })),
    }),
  ),
  { maxLength: 120 },
);

/** Of the engine: 32-bit words and numbers wrap. */
const age = fc.constantFrom(0, 2 ** 31 - 20_000, 2 ** 31 - 10, 2 ** 32 - 10_000, 2 ** 33);

t.test('the same as a list of what stands there and until when', (t) => {
  fc.assert(
    fc.property(steps, fc.double({ min: 0, max: 1e6, noNaN: true }), age, (all, originMs, ageMs) => {
      const wheel = new TimerWheel(originMs);
      const startMs = originMs + ageMs;
      wheel.advance(startMs);
      const model = new Map<number, CompactTransaction>();
      const over: number[] = [];
      const table = new CompactTransactions(wheel, (at) => over.push(at));
      let nowMs = startMs;
      let use = 0;
      for (const step of all) {
        if (step.op === 'add') {
          if (model.has(step.slot)) continue;
          const method = step.invite ? 'INVITE' : 'BYE';
          const tag = step.invite ? step.tag : '';
          const one = compacted(step.slot, use++, { method, tag, dueTick: wheel.tickOf(nowMs) + step.inMs });
          if (!table.add(one)) throw new Error('refused');
          model.set(step.slot, one);
        } else if (step.op === 'take') {
          const known = model.get(step.slot);
          const found = known !== undefined && table.has(step.slot, known.use, known.method);
          if (found !== (known !== undefined)) throw new Error(`slot ${step.slot} is ${found ? 'there' : 'lost'}`);
          if (known === undefined) continue;
          if (JSON.stringify(table.take(step.slot)) !== JSON.stringify(known)) throw new Error('another came back');
          model.delete(step.slot);
        } else {
          nowMs += step.ms;
          wheel.advance(nowMs);
          const due = [...model.values()].filter(({ dueTick }) => dueTick <= wheel.passedTickOf(nowMs));
          const gone = over.splice(0).sort((a, b) => a - b);
          if (
            gone.join() !==
            due
              .map((one) => one.slot)
              .sort((a, b) => a - b)
              .join()
          )
            throw new Error(`over: ${gone.join()}`);
          for (const one of due) {
            if (table.has(one.slot, one.use, one.method)) throw new Error('over, and found');
            model.delete(one.slot);
          }
        }
        if (table.size !== model.size) throw new Error(`${table.size} instead of ${model.size}`);
      }
    }),
    { numRuns: 400 },
  );
  t.end();
});

t.test('found only by its use and its method', (t) => {
  const table = new CompactTransactions(new TimerWheel(0), () => undefined);
  table.add(compacted(3, 17, { dueTick: 5000 }));
  t.ok(table.has(3, 17, 'BYE'));
  for (const [at, use, method] of [
    [3, 18, 'BYE'],
    [3, 17, 'INVITE'],
    [3, 17, 'UNHEARD'],
    [2, 17, 'BYE'],
    [-1, -1, 'BYE'],
    [4, -1, 'BYE'],
    [1e20, 17, 'BYE'],
  ] as const)
    t.notOk(table.has(at, use, method), `${at} ${use} ${method}`);
  t.end();
});

t.test('what does not fit is refused, and stays a whole transaction', (t) => {
  const table = new CompactTransactions(new TimerWheel(0), () => undefined);
  t.notOk(table.add(compacted(1, 1, { method: 'INVITE', tag: 'x'.repeat(37) })));
  t.ok(table.add(compacted(1, 1, { method: 'INVITE', tag: 'x'.repeat(36) })));
  for (let i = 2; i < 300; i++) table.add(compacted(i, i, { method: `M${i}` }));
  t.equal(table.size, 127, 'methods that somebody makes up have an end');
  t.end();
});

const CONTACT = `<sip:bob@${PEER.address}:${PEER.port}>`;

for (const [tag, ageMs] of [
  ['short', 0],
  ['x'.repeat(36), 0],
  ['x'.repeat(37), 0],
  ['old', 2 ** 31 - 10_000],
  ['older', 2 ** 31 + 5000],
] as const)
  t.test(
    `after the end of a call, a tag of ${tag.length} in an engine of ${ageMs} ms: repetitions, forks, and the end`,
    (t) => {
      const virtual = new VirtualEngine();
      virtual.nowMs += ageMs;
      virtual.engine.turn(virtual.nowMs);
      const idle = virtual.engine.busy;
      const call = virtual.agent().invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), new CallLog());
      const invite = virtual.take('INVITE');
      const answer = (toTag: string): string => responseTo(invite, 200, 'OK', { toTag, contact: CONTACT, body: SDP() });
      virtual.receive(answer(tag));
      virtual.take('ACK');
      call.hangUp();
      const byeAnswer = responseTo(virtual.take('BYE'), 200, 'OK');
      virtual.receive(byeAnswer);

      virtual.traffic.length = 0;
      for (let n = 0; n < 3; n++) {
        virtual.advance(100);
        virtual.receive(answer(tag));
        virtual.take('ACK');
        virtual.receive(byeAnswer);
        t.equal(virtual.sent.length, 0, 'acknowledged, and no more');
      }
      const heard = virtual.traffic.filter((seen) => seen.direction === 'RECEIVED');
      t.same([heard.length, heard.every((seen) => seen.retransmission)], [6, true], 'all told as sent again');

      virtual.receive(answer('fork'));
      virtual.take('ACK');
      virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
      virtual.receive(answer('fork'));
      virtual.take('ACK');
      t.equal(virtual.sent.length, 0, 'another fork is hung up once');

      virtual.advance(TIMERS.TIMER_K.ms);
      virtual.receive(byeAnswer);
      t.equal(virtual.engine.counters.unmatched, 1, 'timer K has passed');
      virtual.advance(TIMERS.TIMER_M.ms - TIMERS.TIMER_K.ms - 301);
      virtual.receive(answer(tag));
      virtual.take('ACK');
      virtual.advance(1);
      virtual.receive(answer(tag));
      t.same([virtual.sent.length, virtual.engine.counters.unmatched], [0, 2], 'timer M has passed');
      t.equal(virtual.engine.busy, idle, 'nothing is left');
      t.same(virtual.errors, []);
      t.end();
    },
  );

t.test('thousands of calls one after the other, each absorbed until its own instant', (t) => {
  const virtual = new VirtualEngine();
  const agent = virtual.agent();
  const answers: { readonly text: string; readonly untilMs: number }[] = [];
  for (let n = 0; n < 3000; n++) {
    const call = agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), new CallLog());
    const text = responseTo(virtual.take('INVITE'), 200, 'OK', { toTag: `t${n}`, contact: CONTACT, body: SDP() });
    virtual.receive(text);
    answers.push({ text, untilMs: virtual.nowMs + TIMERS.TIMER_M.ms });
    virtual.take('ACK');
    call.hangUp();
    virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
    virtual.advance(n % 37);
    if (n % 5 !== 0) continue;
    const { text: old, untilMs } = answers[(n * 7919) % answers.length] as (typeof answers)[0];
    const { unmatched } = virtual.engine.counters;
    virtual.receive(old);
    if (virtual.nowMs < untilMs) virtual.take('ACK');
    const isGone = virtual.engine.counters.unmatched > unmatched;
    if (isGone !== virtual.nowMs >= untilMs || virtual.sent.length > 0) t.fail(`call ${n}: answered wrongly`);
  }
  virtual.advance(TIMERS.TIMER_M.ms);
  t.notOk(virtual.engine.busy);
  t.same(virtual.errors, []);
  t.end();
});
