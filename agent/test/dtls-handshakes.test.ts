/** The queue and the timers of handshakes: what a flood, many peers and a full memory do to others. */
import t from 'tap';
import { DtlsContext, type DtlsHandshake } from '../net/dtls.ts';
import { DtlsHandshakes, type HandshakeFailure } from '../rtp/dtls-handshakes.ts';

/** Counts what is asked of associations, each of which takes a whole turn's share, and never ends by itself. */
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

const DATAGRAM = new Uint8Array(100).fill(22);

t.test('a flood fills the places of its own association alone', async (t) => {
  const { handshakes, counts } = prepared();
  for (const socket of [0, 2]) handshakes.start(socket, 'SERVER', []);
  for (let i = 0; i < 10_000; i++) handshakes.take(0, DATAGRAM, 100);
  handshakes.take(2, DATAGRAM, 100);
  t.ok(handshakes.kept <= 17);
  for (let i = 0; i < 20; i++) handshakes.turn();
  t.equal(counts.steps[1], 1, 'the other has had its turn');
});

t.test('what was taken is released, though something always waits', async (t) => {
  const { handshakes } = prepared();
  for (const socket of [0, 2]) handshakes.start(socket, 'SERVER', []);
  for (let i = 0; i < 10_000; i++) {
    handshakes.take(0, DATAGRAM, 100);
    handshakes.take(2, DATAGRAM, 100);
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
