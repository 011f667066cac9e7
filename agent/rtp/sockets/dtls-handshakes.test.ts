/** The queue and the timers of handshakes: effects of a flood, many peers and full memory on other handshakes. */
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { DtlsContext, type DtlsHandshake } from '../../net/ciphers/dtls.ts';
import { DtlsHandshakes, type HandshakeFailure } from './dtls-handshakes.ts';

/** Counts requests to associations, each of which takes a whole turn's share and never ends by itself. */
function prepared(make?: () => DtlsHandshake) {
  const counts = { steps: [] as number[], ticks: 0, flushes: 0 };
  const clock = { nowMs: 1000 };
  const failures: [number, HandshakeFailure][] = [];
  let made = 0;
  const handshake = () => {
    const number = made++;
    counts.steps[number] = 0;
    return {
      role: 'SERVER',
      established: false,
      failure: null,
      step() {
        counts.steps[number]! += 1;
        clock.nowMs += 1;
      },
      tick() {
        counts.ticks += 1;
        clock.nowMs += 0.1;
        return false;
      },
      flush() {
        counts.flushes += 1;
      },
      close: () => undefined,
    } as unknown as DtlsHandshake;
  };
  const handshakes = new DtlsHandshakes({ handshake: make ?? handshake } as unknown as DtlsContext, {
    nowMs: () => clock.nowMs,
    send: () => undefined,
    onKeys: () => undefined,
    onFailure: (socket, failure) => failures.push([socket, failure]),
  });
  return { handshakes, counts, clock, failures };
}

const record = (type: number, payload: readonly number[], sequence: number): Uint8Array =>
  Uint8Array.from([type, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, sequence, 0, payload.length, ...payload]);

/** An empty hello. */
const DATAGRAM = record(22, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0);

t.test('a flood fills only the places of its own association', async (t) => {
  const { handshakes, counts } = prepared();
  for (const socket of [0, 2]) handshakes.start(socket, 'SERVER', []);
  for (let i = 0; i < 10_000; i++) handshakes.take(0, DATAGRAM, DATAGRAM.length);
  handshakes.take(2, DATAGRAM, DATAGRAM.length);
  t.ok(handshakes.kept <= 17);
  for (let i = 0; i < 20; i++) handshakes.turn();
  t.equal(counts.steps[1], 1, 'the other has had its turn');
});

t.test('what was taken is released, though something always waits', async (t) => {
  const { handshakes } = prepared();
  for (const socket of [0, 2]) handshakes.start(socket, 'SERVER', []);
  for (let i = 0; i < 10_000; i++) {
    handshakes.take(0, DATAGRAM, DATAGRAM.length);
    handshakes.take(2, DATAGRAM, DATAGRAM.length);
    handshakes.turn();
  }
  t.ok(handshakes.kept < 300, `${handshakes.kept}`);
  for (const socket of [0, 2]) handshakes.stop(socket);
  for (let i = 0; i < 300; i++) handshakes.turn();
  t.equal(handshakes.kept, 0, 'nothing is kept for those that are gone');
});

t.test('timers are visited a slice a turn, and nothing is sent where nothing is due', async (t) => {
  const { handshakes, counts } = prepared();
  for (let socket = 0; socket < 100; socket++) handshakes.start(socket, 'SERVER', []);
  handshakes.turn();
  t.ok(counts.ticks >= 1 && counts.ticks <= 5, `${counts.ticks} in one turn`);
  for (let i = 0; i < 100; i++) handshakes.turn();
  t.ok(counts.ticks >= 100, 'each has its turn');
  t.equal(counts.flushes, 0);
});

t.test('no memory for an association: it has failed, and nothing is thrown', async (t) => {
  const context = new DtlsContext();
  const { ssl } = context;
  const { SSL_new, BIO_new } = ssl;
  t.teardown(() => Object.assign(ssl, { SSL_new, BIO_new }));
  for (const none of [{ SSL_new: () => 0 }, { BIO_new: () => 0 }]) {
    Object.assign(ssl, { SSL_new, BIO_new }, none);
    const { handshakes, failures } = prepared(() => context.handshake('CLIENT'));
    handshakes.start(4, 'CLIENT', []);
    t.same(failures, [[4, 'HANDSHAKE_FAILED']]);
  }
});

const FORGED: Readonly<Record<string, Uint8Array>> = {
  'a fatal alert': record(21, [2, 40], 20),
  'a warning': record(21, [1, 0], 20),
  'an alert that is none': record(21, [9], 20),
  'a change of cipher that is none': record(20, [7, 7], 20),
  'application data': record(23, [1, 2, 3], 20),
  'a short handshake record': record(22, [1, 2, 3], 20),
  'handshake rubbish': record(
    22,
    Array.from({ length: 60 }, (_, i) => (i * 7) & 255),
    20,
  ),
  'an unknown record': record(63, [1], 20),
  'a record that is cut off': record(22, [1, 2, 3], 20).subarray(0, 15),
  'a fragment beyond its message': record(22, [11, 0, 0, 5, 0, 1, 0, 0, 4, 0, 0, 2, 1, 1], 20),
};

/** Two ends whose datagrams arrive in the next turn; the end `victim` also receives `forged` in the turns `at`. */
async function shakeHands(contexts: readonly DtlsContext[], victim: number, at: readonly number[], forged: Uint8Array) {
  const [results, failures] = [[0, 0], [] as string[]];
  const wires: Uint8Array[][] = [[], []];
  const ends = contexts.map(
    (context, end) =>
      new DtlsHandshakes(context, {
        nowMs: () => performance.now(),
        send: (_, datagram) => wires[1 - end]!.push(datagram.slice()),
        onKeys: () => (results[end]! += 1),
        onFailure: (_, failure) => failures.push(failure),
      }),
  );
  const known = (end: number) => [{ hash: 'sha-256', value: contexts[end]!.fingerprint }];
  ends[0]!.start(0, 'CLIENT', known(1));
  ends[1]!.start(0, 'SERVER', known(0));
  for (let turn = 0; results.includes(0) && failures.length === 0; turn++) {
    if (at.includes(turn)) ends[victim]!.take(0, forged, forged.length);
    const end = turn % 2;
    for (const datagram of wires[end]!.splice(0)) ends[end]!.take(0, datagram, datagram.length);
    ends[end]!.turn();
    if (turn > 40) await setTimeout(10);
  }
  for (const end of ends) end.stop(0);
  return { results, failures };
}

t.test('a forged record does not end a handshake', async (t) => {
  const contexts = [new DtlsContext(), new DtlsContext()] as const;
  for (const [name, forged] of Object.entries(FORGED))
    for (const victim of [0, 1])
      for (const at of [[0], [1], [2], [3], [4], [1, 3], [0, 2, 4]])
        t.same(
          await shakeHands(contexts, victim, at, forged),
          { results: [1, 1], failures: [] },
          `${name}, to ${victim === 0 ? 'the client' : 'the server'} in turn ${at}`,
        );
});

t.test('one that looks like the peer’s: the handshake starts again', async (t) => {
  const contexts = [new DtlsContext(), new DtlsContext()] as const;
  const hello = (type: number) => record(22, [type, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 10, ...new Array(10).fill(9)], 20);
  const cases = [0, 1].flatMap((victim) =>
    [[0], [1], [0, 2]].flatMap((at) => [1, 2].map((type) => ({ victim, at, type }))),
  );
  await Promise.all(
    cases.map(async ({ victim, at, type }) => {
      const outcome = await shakeHands(contexts, victim, at, hello(type));
      t.same(outcome, { results: [1, 1], failures: [] }, `message ${type}, to end ${victim} in turn ${at.join(', ')}`);
    }),
  );
});

t.test('an alert is believed when nothing else comes', async (t) => {
  const { handshakes, clock, counts, failures } = prepared();
  const alert = record(21, [2, 40], 0);
  handshakes.start(0, 'CLIENT', []);
  for (let second = 0; second < 20 && failures.length === 0; second++) {
    handshakes.take(0, alert, alert.length);
    for (let i = 0; i < 4; i++) handshakes.turn();
    clock.nowMs += 1100;
  }
  t.same(failures, [[0, 'HANDSHAKE_FAILED']]);
  t.equal(counts.steps.length, 4, 'three times again');
});
