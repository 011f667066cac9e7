/** The remains of answered requests: found until their instant and no longer, whatever was added and removed before. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { DatagramPort } from '../../net/datagrams/datagram-port.ts';
import { PEER, VirtualEngine } from '../../testing/sip/virtual.ts';
import { hashOf } from '../text-table.ts';
import { TimerWheel } from '../timer-wheel.ts';
import { TIMERS } from '../timers.ts';
import { NOBODY, SendQueue } from '../transport/send-queue.ts';
import { AnsweredRequests } from './answered-requests.ts';

const WAITS_MS = TIMERS.TIMER_L.ms;
const TARGET = { transport: 'UDP', address: '192.0.2.1', port: 5060 } as const;

type Step =
  | {
      readonly op: 'add';
      readonly id: number;
      readonly lateMs: number;
      readonly bytes: number;
      readonly merge: boolean;
    }
  | { readonly op: 'many'; readonly count: number }
  | { readonly op: 'pass'; readonly ms: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constant('add' as const),
      id: fc.integer({ min: 0, max: 40 }),
      // An INVITE has been answered for some time before its ACK comes.
      lateMs: fc.integer({ min: 0, max: 2000 }),
      bytes: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 70_000 })),
      merge: fc.boolean(),
    }),
    fc.record({ op: fc.constant('many' as const), count: fc.integer({ min: 1, max: 600 }) }),
    fc.record({
      op: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 100_000 })),
    }),
  ),
  { maxLength: 60 },
);
/** Of the engine: 32-bit counters wrap. */
const age = fc.constantFrom(0, 2 ** 31 - 20_000, 2 ** 31 - 10, 2 ** 32 - 10_000);

class Model {
  readonly wheel: TimerWheel;
  readonly table: AnsweredRequests;
  readonly sent: string[] = [];
  readonly #known = new Map<string, { mergeKey: string; text: string; dueTick: number }>();
  #nowMs: number;
  #others = 0;

  constructor(ageMs: number) {
    this.wheel = new TimerWheel(0);
    this.#nowMs = ageMs;
    this.wheel.advance(ageMs);
    const port: DatagramPort = {
      ...{ adapter: 'ffi', stamps: 'kernel', fallbackReason: null, address: '192.0.2.2', port: 5060 },
      counters: { receiveDrops: 0, truncated: 0, sendErrors: 0, unreachable: 0 },
      ...{ send: (text) => this.sent.push(text) > 0, poll: () => 0, flush: () => undefined, close: () => undefined },
    };
    const clock = (): number => this.#nowMs;
    const queue = new SendQueue(
      port,
      () => true,
      clock,
      () => undefined,
    );
    this.table = new AnsweredRequests(queue, this.wheel, clock);
  }

  take(step: Step): void {
    if (step.op === 'pass') {
      this.#nowMs += step.ms;
      this.wheel.advance(this.#nowMs);
    } else if (step.op === 'many') {
      for (let i = 0; i < step.count; i++)
        this.#add(`other${this.#others++} peer BYE`, '', 'SIP/2.0 200 OK\r\n\r\n', 0);
    } else if (!this.#isKnown(`id${step.id} peer BYE`)) {
      const text = `SIP/2.0 200 OK\r\n${String(step.id).repeat(step.bytes)}`;
      this.#add(`id${step.id} peer BYE`, step.merge ? `merge${step.id}` : '', text, step.lateMs);
    }
  }

  check(): void {
    for (let id = 0; id <= 40; id++) {
      const key = `id${id} peer BYE`;
      const known = this.#isKnown(key) ? this.#known.get(key) : undefined;
      const found = this.table.find(key, hashOf(key));
      if ((found === null) !== (known === undefined)) throw new Error(`${key} is ${found === null ? 'lost' : 'there'}`);
      if (this.table.hasMerge(`merge${id}`, hashOf(`merge${id}`)) !== (known !== undefined && known.mergeKey !== ''))
        throw new Error(`merge ${id}`);
      if (found === null) continue;
      found.receiveAgain();
      if (this.sent.pop() !== known?.text) throw new Error(`${key}: another answer`);
      if (found.callId !== `call of ${key}` || found.localTag !== 'tag') throw new Error(`${key}: another call`);
    }
  }

  #isKnown(key: string): boolean {
    const known = this.#known.get(key);
    return known !== undefined && known.dueTick > this.wheel.passedTickOf(this.#nowMs);
  }

  #add(key: string, mergeKey: string, text: string, lateMs: number): void {
    const dueTick = this.wheel.tickOf(this.#nowMs) + WAITS_MS - lateMs;
    const hashes = { hash: hashOf(key), mergeHash: hashOf(mergeKey) };
    const call = { owner: NOBODY, target: TARGET, callId: `call of ${key}`, localTag: 'tag' };
    this.table.add({ key, mergeKey, ...hashes, ...call, dueTick }, text);
    this.#known.set(key, { mergeKey, text, dueTick });
  }
}

t.test('the same as a list of what was answered and until when', (t) => {
  fc.assert(
    fc.property(steps, age, (all, ageMs) => {
      const model = new Model(ageMs);
      for (const step of all) {
        model.take(step);
        model.check();
      }
      model.take({ op: 'pass', ms: WAITS_MS + 1 });
      if (model.table.size !== 0) throw new Error(`${model.table.size} have stayed`);
    }),
    { numRuns: 60 },
  );
  t.end();
});

t.test('an OPTIONS again, after its answer: the same bytes, until timer J', (t) => {
  const virtual = new VirtualEngine();
  virtual.agent();
  const options = [
    'OPTIONS sip:alice@192.0.2.1 SIP/2.0',
    `Via: SIP/2.0/UDP ${PEER.address}:${PEER.port};branch=z9hG4bK-again`,
    'From: <sip:bob@example.net>;tag=bob',
    'To: <sip:alice@example.net>',
    'Call-ID: again',
    'CSeq: 1 OPTIONS',
    'Max-Forwards: 70',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
  virtual.receive(options);
  const answer = virtual.take('SIP/2.0 200 OK');
  for (const ms of [500, 1000, 30_000]) {
    virtual.advance(ms);
    virtual.receive(options);
    t.equal(virtual.take('SIP/2.0 200'), answer);
  }
  t.same(
    virtual.traffic.map((one) => `${one.direction} ${one.retransmission}`),
    ['RECEIVED false', 'SENT false', ...Array.from({ length: 3 }, () => ['RECEIVED true', 'SENT true']).flat()],
  );
  const merged = options.replace('z9hG4bK-again', 'z9hG4bK-another-way');
  virtual.receive(merged);
  virtual.take('SIP/2.0 482 Loop Detected');
  virtual.advance(TIMERS.TIMER_J.ms);
  t.notOk(virtual.engine.busy, 'nothing is left');
  virtual.receive(options);
  t.not(virtual.take('SIP/2.0 200'), answer, 'it is a new request by now');
  t.end();
});
