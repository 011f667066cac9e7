/** Ports and rows are taken when a call needs them and then released: on virtual time, with a limited number of streams. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { type MediaEngine, MediaPortsExhausted, type MediaStream } from '../../rtp/media-engine.ts';
import { AUDIO, VIDEO } from '../../testing/run/pair.ts';
import { answerSdp, endpoint, engine, failure, incoming, open, plan, stream } from '../../testing/run/share-world.ts';

/** The number of streams at once; requests are answered after this number of turns. */
class Ports implements MediaEngine {
  readonly adapter = 'ffi';
  readonly stamps = 'kernel';
  readonly most: number;
  readonly turns: number;
  held = 0;
  highest = 0;
  requests = 0;
  readonly #due: { turns: number; tell: () => void }[] = [];

  constructor(most: number, turns = 0) {
    this.most = most;
    this.turns = turns;
  }

  async open(_address: string, _owner: number, numbers: readonly number[]): Promise<MediaStream[]> {
    const opened = this.#take(numbers);
    if (opened instanceof Error) throw opened;
    return opened;
  }

  request(...[, , numbers, , opened]: Parameters<MediaEngine['request']>): void {
    this.requests++;
    this.#due.push({ turns: this.turns, tell: () => opened(this.#take(numbers)) });
    if (this.turns === 0) this.turn();
  }

  turn(): void {
    const due = this.#due.filter((one) => one.turns-- <= 0);
    for (const one of due) {
      this.#due.splice(this.#due.indexOf(one), 1);
      one.tell();
    }
  }

  #take(numbers: readonly number[]): MediaStream[] | Error {
    if (this.held + numbers.length > this.most) return new MediaPortsExhausted('no port pair or row is left');
    this.held += numbers.length;
    this.highest = Math.max(this.highest, this.held);
    return numbers.map((number) => {
      let isOpen = true;
      const close = (): void => {
        if (isOpen) this.held--;
        isOpen = false;
      };
      return { ...stream(number), close };
    });
  }

  async close(): Promise<void> {
    return;
  }
}

const NO_VIDEO = 'm=video 0 RTP/AVPF 96\r\n';

/** Calls are answered at once, and end when they are hung up. */
function answerAll(answer: string): void {
  for (const agent of engine.agents) {
    const { call } = agent;
    if (call === null) continue;
    if (call.within.length === 0) {
      call.within.push('answered');
      call.events.onAnswered(engine.nowMs, 200, 'OK', answer);
    } else if (call.hungUp && call.within.length === 1) {
      call.within.push('over');
      call.events.onEnded('LOCAL', engine.nowMs, engine.nowMs);
    }
  }
}

const eachMs = (go: (toMs: number) => void, untilMs: number, answer = answerSdp()): void => {
  for (let atMs = engine.nowMs + 1; atMs <= untilMs; atMs++) {
    go(atMs);
    answerAll(answer);
  }
};

t.test('streams that are open follow the calls that go on, not the endpoints', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 5, max: 40 }),
      fc.integer({ min: 50, max: 400 }),
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      async (calls, everyMs, lastMs, turns, hasVideo) => {
        const tracks = hasVideo ? [AUDIO, VIDEO] : [AUDIO];
        const ports = new Ports(10_000, turns);
        const callers = Array.from({ length: calls }, (_, i) => endpoint(i, 500 + i * everyMs));
        const world = await open(plan({ endpoints: callers, callDurationMs: lastMs }, { tracks }), ports);
        t.equal(ports.held, 0, 'nothing is held before');
        world.share.start(0);
        eachMs(world.go, 500 + calls * everyMs + lastMs + 20, `${answerSdp()}${hasVideo ? NO_VIDEO : ''}`);
        const outcomes = world.outcomes();
        t.equal(outcomes.filter(({ outcome }) => outcome === 'SUCCESS').length, calls);
        t.ok(
          outcomes.every(({ inviteLateMs }) => inviteLateMs < 1),
          'opened in time',
        );
        const atOnce = Math.ceil((lastMs + 360) / everyMs) + 2;
        t.ok(ports.highest <= tracks.length * Math.min(calls, atOnce), `${ports.highest} for ${atOnce} at once`);
        t.equal(ports.held, 0, 'all were given back');
        const windows = Math.ceil((calls * everyMs) / 100) + 2;
        t.ok(ports.requests <= tracks.length * Math.min(calls, windows), `${ports.requests} requests`);
        t.match(world.states(), ['READY', 'DONE']);
      },
    ),
    { numRuns: 15 },
  );
});

t.test('where there are none left, the calls beyond fail by name, and the run goes on', async (t) => {
  const ports = new Ports(5);
  const callers = Array.from({ length: 20 }, (_, i) => endpoint(i, 1000 + i * 20));
  const later = Array.from({ length: 5 }, (_, i) => endpoint(20 + i, 3000 + i * 20));
  const world = await open(plan({ endpoints: [...callers, ...later], callDurationMs: 500 }), ports);
  world.share.start(0);
  eachMs(world.go, 4000);
  const outcomes = world.outcomes();
  t.equal(outcomes.length, 25);
  const failed = outcomes.filter(({ outcome }) => outcome !== 'SUCCESS');
  t.ok(failed.length >= 10 && failed.length <= 15, `${failed.length} failed`);
  for (const one of failed)
    t.match(one, {
      cause: 'MEDIA_PORTS_EXHAUSTED',
      causeText: /no port pair/,
      attempted: false,
      outcome: 'CALL_FAILED',
    });
  t.ok(
    outcomes.every(({ endpoint, outcome }) => endpoint < 20 || outcome === 'SUCCESS'),
    'later calls find what earlier ones gave back',
  );
  t.equal(
    world.noise().reduce((n, { notStarted }) => n + notStarted, 0),
    failed.length,
    'and the verdict knows',
  );
  t.match(world.states(), ['READY', 'DONE']);
});

t.test('an allocation without a place for its first call is refused', async (t) => {
  const world = await open(plan(), new Ports(0));
  world.go(1);
  t.match(world.states(), ['REFUSED']);
});

t.test('a call that comes in rings at once, and is answered when its streams are open', async (t) => {
  const callee = (more: object = {}) =>
    plan({ role: 'CALLEE' }, { answering: { delayMs: 0, ringMs: 0, provisional: 180, rejectStatus: null, ...more } });
  const called = async (ports: Ports, more: object = {}) => {
    const world = await open(callee(more), ports);
    world.share.start(0);
    world.go(1);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.owner.onIncomingCall(call);
    return { world, call, events };
  };
  const ports = new Ports(1, 3);
  const { world, call, events } = await called(ports);
  t.same(call.log, ['ring']);
  world.go(10);
  t.same(call.log, ['ring', 'answer']);
  t.equal(ports.held, 1);
  events?.onAnswered(10, 200, 'OK', answerSdp());
  events?.onEnded('REMOTE', 20, 20);
  t.equal(ports.held, 0);

  const early = await called(new Ports(1, 3), { provisional: 183 });
  t.same(early.call.log, [], 'a description needs its ports');
  early.world.go(10);
  t.same(early.call.log, ['progress 183', 'answer']);

  const given = new Ports(1, 3);
  const up = await called(given);
  up.events?.onFailed(failure('CANCELLED', 487));
  up.world.go(10);
  t.same([up.call.log, given.held], [['ring'], 0], 'given up before: what comes is given back');

  const busy = new Ports(1, 3);
  const beyond = await called(busy);
  busy.held = 1;
  beyond.world.go(10);
  t.same(beyond.call.log, ['ring', 'reject 480']);
  beyond.events?.onFailed(failure('STATUS', 480));
  beyond.world.go(20);
  t.match(beyond.world.outcomes(), [{ cause: 'MEDIA_PORTS_EXHAUSTED', finalStatus: 480 }]);

  const rejecting = new Ports(1);
  const busyHere = await called(rejecting, { rejectStatus: 486 });
  t.same([busyHere.call.log, rejecting.requests], [['ring', 'reject 486'], 0], 'nothing is opened for what is refused');
});
