/**
 * Sockets that are polled in the slots of their senders: each datagram is reported once, in order, and without delay, whatever
 * the peer does.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { seeded } from '../../../scripts/peers/seeded.ts';
import { loadLibc } from '../libc.ts';
import { PollRounds } from './poll-rounds.ts';
import type { StreamSockets } from './stream-sockets.ts';
import { openStreamSockets } from './stream-sockets-open.ts';

/** Instants of arrival in ms. */
type Peer = (random: () => number, untilMs: number) => number[];

const every =
  (intervalMs: number, jitterMs = 0): Peer =>
  (random, untilMs) =>
    Array.from({ length: Math.floor(untilMs / intervalMs) }, (_, i) => i * intervalMs + random() * jitterMs);
/** Alternates between sending and silence. */
const spurts =
  (intervalMs: number): Peer =>
  (random, untilMs) =>
    every(intervalMs, 3)(random, untilMs).filter((atMs) => Math.floor(atMs / 700) % 2 === 0);
const bursts: Peer = (random, untilMs) =>
  Array.from({ length: Math.floor(untilMs / 400) }, (_, i) => i * 400 + random() * 200).flatMap((atMs) =>
    Array.from({ length: 1 + Math.floor(random() * 60) }, (_, n) => atMs + n * 0.01),
  );

const PEERS: Readonly<Record<string, Peer>> = {
  'every 10 ms': every(10),
  'every 20 ms': every(20),
  'every 20 ms, by another clock': every(20.01),
  'every 20 ms, jittering': every(20, 30),
  'every 30 ms': every(30),
  'every 60 ms': every(60),
  'every 2 ms': every(2),
  'in spurts': spurts(20),
  'in spurts of small packets': spurts(10),
  'in bursts': bursts,
  'once, then nothing': () => [123],
};

/**
 * A socket that is polled every `roundMs`, up to `lateMs` late, sometimes not at all for some rounds: the delays that its
 * peer's datagrams get.
 */
function poll(arrivals: readonly number[], roundMs: number, lateMs: number, random: () => number, untilMs: number) {
  const rounds = new PollRounds(4);
  rounds.begin(1, roundMs);
  const waiting: number[] = [];
  const told: number[] = [];
  const pollsMs: number[] = [];
  let [next, reads] = [0, 0];
  let longestRounds = 0;
  for (let slotMs = 0; slotMs < untilMs; slotMs += roundMs) {
    if (lateMs > 0 && random() < 0.02) continue;
    const nowMs = slotMs + random() * lateMs;
    pollsMs.push(nowMs);
    while (next < arrivals.length && arrivals[next]! <= nowMs) waiting.push(arrivals[next++]!);
    rounds.poll(1);
    for (let count = rounds.take(); count > 0; count = rounds.take()) {
      reads += 1;
      const atMs = waiting.shift();
      if (atMs === undefined) continue;
      told.push(atMs);
      longestRounds = Math.max(longestRounds, pollsMs.slice(-9).filter((at) => at >= atMs).length);
      rounds.ask(1, nowMs - atMs);
    }
  }
  return { told, waiting, reads, longestRounds };
}

for (const [name, peer] of Object.entries(PEERS))
  t.test(`no datagram is left behind: ${name}`, async (t) => {
    const untilMs = 5000;
    for (const roundMs of [10, 20])
      for (let seed = 1; seed <= 20; seed++) {
        const random = seeded(seed);
        const phaseMs = random() * 20;
        const arrivals = peer(random, untilMs - 200)
          .map((atMs) => atMs + phaseMs)
          .sort((a, b) => a - b);
        const { told, waiting, longestRounds } = poll(arrivals, roundMs, seed % 2 === 0 ? 0 : 9, random, untilMs);
        t.same(told, arrivals, 'each once, in order of arrival');
        t.equal(waiting.length, 0);
        // After a late poll, earlier arrivals look too early: one more.
        t.ok(longestRounds <= (seed % 2 === 0 ? 2 : 3), `${longestRounds} polls after its arrival`);
      }
  });

t.test('a peer of the same packet time costs a read a packet', async (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seeded(seed);
    const arrivals = every(20)(random, 20_000).map((atMs) => atMs + 1 + random() * 18);
    const { reads, told } = poll(arrivals, 20, 0, random, 20_000);
    t.ok(reads <= told.length * 1.02, `${reads} reads of ${told.length}`);
  }
});

t.test('what is polled no more is not due', async (t) => {
  const rounds = new PollRounds(4);
  rounds.poll(2);
  t.equal(rounds.take(), 0, 'a watched socket is not polled');
  t.notOk(rounds.end(2));
  for (const socket of [0, 1, 2]) {
    rounds.begin(socket, 20);
    rounds.poll(socket);
    rounds.poll(socket);
  }
  t.ok(rounds.end(1));
  t.same([rounds.take(), ...rounds.due.slice(0, 2).sort()], [2, 0, 2]);
  rounds.ask(1, 100);
  t.equal(rounds.take(), 0);
});

const ffi = !(loadLibc() instanceof Error);

t.test('over libc', { skip: ffi ? false : 'no libc' }, async (t) => {
  type Told = { socket: number; text: string; atMs: number };
  const told: Told[] = [];
  const unreachable: number[] = [];
  const { sockets } = openStreamSockets('ffi', {
    capacity: 4,
    outgoingBytes: 256,
    events: {
      onDatagram: (socket, length, atMs) =>
        told.push({ socket, text: Buffer.from(sockets.incoming.subarray(0, length)).toString(), atMs }),
      onUnreachable: (socket) => unreachable.push(socket),
      onDropped: () => undefined,
    },
  });
  const all: StreamSockets = sockets;
  const peer: Socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(peer, 'listening');
  const peerPort = (peer.address() as AddressInfo).port;
  const ROUND_MS = 20;
  let port = 14_900;

  t.beforeEach(() => {
    told.length = 0;
    unreachable.length = 0;
    let failure: string | null = 'none yet';
    while (failure !== null)
      all.open(0, '127.0.0.1', ++port, (result) => {
        failure = result;
      });
    all.aim(0, '127.0.0.1', peerPort);
  });
  t.afterEach(() => all.close(0));

  /** Over loopback it is in the queue when the call returns. */
  const hear = (count: number): Promise<unknown> =>
    Promise.all(
      Array.from(
        { length: count },
        (_, i) => new Promise((done) => peer.send(`${i}`, port, '127.0.0.1', () => done(null))),
      ),
    );
  const turn = (forMs = 100): void => all.receive(all.nowMs() + forMs);
  /** Until the datagram in the queue is older than a round. */
  async function pass(): Promise<void> {
    const untilMs = all.nowMs() + ROUND_MS + 1;
    while (all.nowMs() < untilMs) await sleep(1);
  }

  t.test('silent without a poll, one read a poll of what is young, all of what is old', async (t) => {
    all.pollEvery(0, ROUND_MS);
    all.listen(0);
    await hear(5);
    turn();
    t.equal(told.length, 0, 'not polled');
    await pass();
    all.poll(0);
    const beforeMs = all.nowMs();
    turn();
    t.same(
      told.map(({ text }) => text),
      ['0', '1', '2', '3', '4'],
    );
    t.ok(
      told.every(({ atMs }) => atMs < beforeMs - ROUND_MS),
      'with the times of their arrival',
    );
    await hear(1);
    turn();
    t.equal(told.length, 5, 'a poll is for one turn');
  });

  t.test('watched again, and polled again: nothing is lost between', async (t) => {
    all.listen(0);
    await hear(3);
    turn();
    t.equal(told.length, 3, 'watched');
    await hear(2);
    all.pollEvery(0, ROUND_MS);
    turn();
    t.equal(told.length, 3, 'polled');
    all.watch(0);
    turn();
    t.equal(told.length, 5, 'watched with what has come meanwhile');
    all.watch(0);
    all.pollEvery(0, ROUND_MS);
    all.pollEvery(0, ROUND_MS);
    all.poll(0);
    all.watch(0);
    await hear(2);
    turn();
    t.equal(told.length, 7);
  });

  t.test('closing drains what was not polled', async (t) => {
    all.pollEvery(0, ROUND_MS);
    all.listen(0);
    await hear(4);
    all.poll(0);
    all.close(0);
    t.equal(told.length, 4);
    turn();
    t.equal(told.length, 4, 'and its poll went with it');
  });

  t.test('an ICMP error hides nothing', async (t) => {
    const gone = createSocket('udp4').bind(0, '127.0.0.1');
    await once(gone, 'listening');
    const nowhere = (gone.address() as AddressInfo).port;
    all.aim(0, '127.0.0.1', nowhere);
    all.pollEvery(0, ROUND_MS);
    all.listen(0);
    await new Promise((done) => gone.send('before', port, '127.0.0.1', done));
    gone.close();
    await once(gone, 'close');
    all.confirm(0);
    all.send(0, 0, 10);
    all.poll(0);
    turn();
    t.same(unreachable, [0]);
    t.same(
      told.map(({ text }) => text),
      ['before'],
      'what waits after it is read in the same turn',
    );
  });

  t.test('what a turn has no time for is the next one’s, without another poll', async (t) => {
    all.pollEvery(0, ROUND_MS);
    all.listen(0);
    await hear(20);
    await pass();
    all.poll(0);
    turn(0);
    t.equal(told.length, 1, 'one datagram at least');
    turn();
    t.equal(told.length, 20);
  });

  t.teardown(() => {
    all.closeAll();
    peer.close();
  });
});
