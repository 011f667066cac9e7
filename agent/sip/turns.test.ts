/** How a thread waits between its turns: it sleeps if nothing needs its event loop, and reacts to everything that does. */
import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { provenLibc } from '../net/datagrams/open-datagram-port.ts';
import { BUSY_TURN_MS, busyTurnMs, Doorbell, IDLE_TURN_MS, keepTurning, loadTurnMs } from './turns.ts';

/** Far more turns than a loop without sleep needs. */
const MANY = 5;
const skip = typeof provenLibc() === 'string' ? 'no libc to sleep by' : false;

/** The number of turns until the event loop has done what was requested at the first one. */
function turnsUntil(ask: (done: () => void, doorbell: Doorbell) => void, needsLoop: boolean): Promise<number> {
  return new Promise((resolve) => {
    const doorbell = new Doorbell();
    let turns = 0;
    let happened = false;
    const done = (): void => {
      happened = true;
      resolve(turns);
    };
    const turn = (): number | null => {
      turns++;
      if (turns === 1) ask(done, doorbell);
      return happened ? null : BUSY_TURN_MS;
    };
    keepTurning({ turn, needsLoop: () => needsLoop, doorbell });
  });
}

/** Messages that arrive through the event loop, on a port. `ring`: its sender signals it. */
const message =
  (ring: boolean) =>
  (done: () => void, doorbell: Doorbell): void => {
    const { port1, port2 } = new MessageChannel();
    port2.once('message', () => {
      doorbell.hear();
      port2.close();
      done();
    });
    port1.postMessage('an order');
    if (ring) doorbell.ring();
  };

t.test(
  'where nothing needs the event loop, turns go on without it, and it has its turn in the end',
  { skip },
  async (t) => {
    // On a busy machine one sleep can last as long as all of them should: then there are few turns, and another try.
    let turns = 0;
    for (let tries = 0; tries < 100 && turns <= MANY; tries++) turns = await turnsUntil(message(false), false);
    t.ok(turns > MANY);
  },
);

t.test('what is awaited by the event loop keeps the thread in it', async (t) => {
  t.ok((await turnsUntil(message(false), true)) <= MANY);
});

t.test('a message that is rung for does not wait for the loop to have its turn', async (t) => {
  t.ok((await turnsUntil(message(true), false)) <= MANY);
});

t.test('where many messages come, turns are longer, and stay so as long as they come', (t) => {
  const waits = (aMs: number): number[] => {
    const list: number[] = [];
    for (let n = 0, sinceMs = BUSY_TURN_MS; n < 4; n++, sinceMs = list.at(-1) as number)
      list.push(busyTurnMs(aMs * sinceMs, sinceMs));
    return list;
  };
  t.same(waits(0), [2, 2, 2, 2]);
  t.same(waits(3), [2, 2, 2, 2], '1,000 calls a second, three messages each');
  t.same(waits(6), [4, 4, 4, 4], '2,000');
  t.equal(busyTurnMs(3, 0.1), BUSY_TURN_MS, 'a turn right after another says nothing');
  t.end();
});

t.test('where only loads place calls, turns are longer still, and come with the next call', (t) => {
  t.same([-3, 0, 3.9, 4.2, 5, 800, Number.POSITIVE_INFINITY].map(loadTurnMs), [4, 4, 4, 4.2, 5, 5, 5]);
  t.end();
});

t.test('a doorbell rings until each message that was told of has come, in whatever order', (t) => {
  const doorbell = new Doorbell();
  const other = new Doorbell(doorbell.memory);
  t.notOk(doorbell.rings);
  other.ring();
  other.ring();
  t.ok(doorbell.rings);
  doorbell.hear();
  t.ok(doorbell.rings);
  doorbell.hear();
  t.notOk(doorbell.rings);
  // The message arrived before the signal.
  doorbell.hear();
  t.ok(doorbell.rings);
  other.ring();
  t.notOk(doorbell.rings);
  t.end();
});

t.test('an idle thread that is woken has its next turn at once; a busy one keeps its pace', async (t) => {
  for (const [waitMs, woken] of [
    [IDLE_TURN_MS, 1],
    [BUSY_TURN_MS, 0],
  ] as const) {
    let turns = 0;
    let ended = false;
    const turn = (): number | null => {
      turns++;
      return ended ? null : waitMs;
    };
    const wake = keepTurning({ turn, needsLoop: () => true, doorbell: new Doorbell() });
    const before = turns;
    wake();
    t.equal(turns - before, woken);
    ended = true;
    wake();
    while (waitMs === BUSY_TURN_MS && turns < 2) await new Promise(setImmediate);
    const last = turns;
    wake();
    t.equal(turns, last, 'one that has ended does not turn any more');
  }
});
