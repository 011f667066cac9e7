/** Turns of a signalling thread on the test's clock: what each does, what is told and when, and the end. */
import t, { type Test } from 'tap';
import { Doorbell } from '../../sip/turns.ts';
import type { AllocationShare } from '../allocation/share.ts';
import type { ShareFacts } from '../report/facts.ts';
import { FactsBuffer } from '../report/facts-buffer.ts';
import type { Places } from './places.ts';
import type { FromSignalling } from './thread-messages.ts';
import { ThreadTurns } from './thread-turns.ts';

const COUNTS = { receiveDrops: 0, malformed: 0, refusedByPolicy: 0, unclaimed: 0, withheld: 0 };

function factsOf(owner: number): ShareFacts {
  const buffer = new FactsBuffer(owner);
  buffer.state('READY');
  return buffer.take(0) as ShareFacts;
}

class FakeShare {
  state = 'READY';
  isOver = false;
  load = null;
  openEndpoints = 2;
  readonly facts = { isUrgent: false };
  readonly plan = { group: { sourceAddress: '127.0.0.7', protocol: 'UDP' } };
  readonly turnedAtMs: number[] = [];
  readonly owner: number;
  /** Facts of the next time that they are taken. */
  has = true;
  constructor(owner: number) {
    this.owner = owner;
  }
  turn(nowMs: number): void {
    this.turnedAtMs.push(nowMs);
  }
  takeFacts(): ShareFacts | null {
    const { has } = this;
    this.has = false;
    return has ? factsOf(this.owner) : null;
  }
}

function opened(t: Test) {
  const clock = { nowMs: 5000 };
  const shares = new Map<number, FakeShare>();
  const did: string[] = [];
  const tidied: boolean[] = [];
  const places = {
    busy: false,
    needsLoop: true,
    counts: { ...COUNTS },
    own: { engines: { main: { obstacle: null } } },
    find: () => did.push('find'),
    turn: () => {
      did.push('sockets');
      return 0;
    },
    tidy: (uses: (source: string) => boolean) => tidied.push(uses('127.0.0.7')),
  };
  const told: FromSignalling[] = [];
  const turns = new ThreadTurns({
    shares: shares as unknown as Map<number, AllocationShare>,
    places: places as unknown as Places,
    media: { turn: () => did.push('media') },
    orders: { isAwaiting: false },
    tell: (message) => told.push(message),
    clock: () => clock.nowMs,
  });
  t.teardown(() => turns.end());
  /** An idle thread that is woken has its next turn at once. */
  const turnAt = (nowMs: number): void => {
    clock.nowMs = nowMs;
    turns.wake();
  };
  const ops = (): string[] => told.splice(0).map(({ op }) => op);
  return { turns, shares, places, told, ops, did, tidied, clock, turnAt, begin: () => turns.begin(new Doorbell()) };
}

t.test('the first turn comes at once; media before the sockets, whose answers may need ports', async (t) => {
  const { turns, begin, did, turnAt } = opened(t);
  turns.wake();
  t.same(did, [], 'none before the beginning');
  begin();
  t.same(did.splice(0), ['media', 'find', 'sockets']);
  turnAt(5001);
  t.same(did, ['media', 'find', 'sockets'], 'an idle thread can be woken');
});

t.test('a thread with work is not woken: its next turn is near', async (t) => {
  const rows: [name: string, busy: (one: ReturnType<typeof opened>) => void][] = [
    ['a share', ({ shares }) => void shares.set(1, new FakeShare(1))],
    ['transactions', ({ places }) => Object.assign(places, { busy: true })],
  ];
  for (const [name, busy] of rows) {
    const one = opened(t);
    busy(one);
    one.begin();
    one.did.length = 0;
    one.turns.wake();
    t.same(one.did, [], name);
  }
});

t.test('facts are told at once if they are urgent, otherwise every 250 ms, all shares in one message', async (t) => {
  const { turns, begin, shares, told, clock } = opened(t);
  for (const owner of [1, 2]) shares.set(owner, new FakeShare(owner));
  begin();
  t.match(told.splice(0), [{ op: 'facts', facts: [{ owner: 1 }, { owner: 2 }] }]);
  t.same(shares.get(1)?.turnedAtMs, [5000]);
  const [one] = shares.values() as Iterator<FakeShare> as unknown as [FakeShare];
  one.has = true;
  // Its timers run by the event loop, the clock by the test.
  const turned = (nowMs: number) =>
    new Promise<void>((resolve) => {
      clock.nowMs = nowMs;
      one.turn = () => resolve();
    }).then(() => new Promise((resolve) => setImmediate(resolve)));
  await turned(5249);
  t.same(told, [], 'not yet');
  await turned(5250);
  t.match(told.splice(0), [{ op: 'facts', facts: [{ owner: 1 }] }]);
  one.has = true;
  one.facts.isUrgent = true;
  await turned(5251);
  t.match(told.splice(0), [{ op: 'facts', facts: [{ owner: 1 }] }], 'the control plane waits for it');
  turns.end();
});

t.test('a share that is over goes with its last facts; an address stays while a share uses it', async (t) => {
  const { begin, shares, ops, tidied, turnAt } = opened(t);
  const share = new FakeShare(1);
  shares.set(1, share);
  share.isOver = true;
  begin();
  t.same(ops(), ['noise', 'facts'], 'what disturbed its end is told before it');
  t.same([shares.size, tidied], [0, [false]]);
  shares.set(2, new FakeShare(2));
  turnAt(5250);
  t.same(tidied, [false, true]);
});

t.test('noise: each second, of that second', async (t) => {
  const { begin, places, told, turnAt } = opened(t);
  begin();
  turnAt(5999);
  t.same(told, [], 'not a second yet');
  places.counts = { ...COUNTS, malformed: 3, receiveDrops: 1 };
  turnAt(6000);
  t.match(told.splice(0), [
    { op: 'noise', malformed: 3, receiveDrops: 1, unclaimed: 0, received: 0, activeEndpoints: 0 },
  ]);
  places.counts = { ...COUNTS, malformed: 5, receiveDrops: 1 };
  turnAt(7000);
  t.match(told.splice(0), [{ op: 'noise', malformed: 2, receiveDrops: 0 }], 'the increase');
});

t.test('lateness is measured only while calls are carried out', async (t) => {
  // Due 200 ms after the first turn, at 5200.
  for (const [state, latestMs] of [
    ['READY', 0],
    ['RUNNING', 800],
    ['STOPPING', 800],
  ] as const) {
    const { begin, shares, told, turnAt } = opened(t);
    begin();
    const share = Object.assign(new FakeShare(1), { state, isOver: true, has: false });
    shares.set(1, share);
    turnAt(6000);
    const [noise] = told as [Extract<FromSignalling, { op: 'noise' }>];
    t.equal(noise.loopDelayMs.max, latestMs, state);
    t.equal(shares.size, 0);
    turnAt(7000);
    t.match(told.at(-1), { op: 'noise', loopDelayMs: { max: 0, bucket: [] } }, 'of that second only');
  }
});

t.test('the end: last facts, and no other turn', async (t) => {
  const { turns, begin, shares, ops, did, turnAt } = opened(t);
  begin();
  shares.set(1, new FakeShare(1));
  turns.end();
  t.same(ops(), ['facts']);
  did.length = 0;
  turnAt(9000);
  t.same([did, ops()], [[], []]);
});
