/** The agent's allocations on its main thread: what is reported, and when one has ended. */
import t from 'tap';
import { until } from '../../../scripts/peers/process.ts';
import { traceHeader, traceStream } from '../../rtp/figures/header-trace.ts';
import { createMediaMemory } from '../../rtp/figures/stream-memory.ts';
import { allocation, openBook, policy, stateFacts } from '../../testing/run/open-book.ts';
import type { MediaHolder } from './held-allocation.ts';

t.test('ready when all listeners are, done after all are, held until that is committed', async (t) => {
  const { book, words } = openBook(2);
  await book.allocate('a', 'run', allocation(4, 2));
  t.same([words(0), words(1)], [['allocate'], ['allocate']]);
  book.onFacts(0, stateFacts(1, 'READY'));
  t.equal(book.take()[0]?.state, null);
  book.onFacts(1, stateFacts(1, 'READY'));
  t.equal(book.take()[0]?.state, 'READY');
  book.left(4);
  book.committed(4);
  t.same(book.held, ['a']);
  book.onFacts(0, stateFacts(1, 'DONE'));
  book.onFacts(1, stateFacts(1, 'DONE'));
  book.sample(0);
  t.equal(book.take()[0]?.state, 'DONE');
  book.left(9);
  book.left(10);
  book.committed(8);
  t.same(book.held, ['a'], 'its last facts went in more than one batch');
  book.committed(9);
  t.same(book.held, []);
});

t.test('what is stopped before it is taken holds no media', async (t) => {
  const held = new Set<string>();
  const gate = Promise.withResolvers<void>();
  const library: MediaHolder = {
    async hold(id) {
      held.add(id);
      await gate.promise;
      throw new Error('gone');
    },
    release: (id) => held.delete(id),
    h264: () => null,
  };
  const { book } = openBook(1, library);
  const resolving = book.allocate('a', 'run', allocation(1, 1));
  book.stop(['a'], 'enough');
  await resolving;
  t.equal(held.size, 0, 'while its hosts are resolved');
  const loading = book.allocate('b', 'run', allocation(1, 1));
  await until('it is held', () => held.has('b'), { everyMs: 1 });
  book.stop(['b'], 'enough');
  held.add('b');
  gate.resolve();
  await loading;
  t.equal(held.size, 0, 'while its media are loaded');
});

t.test('a policy that comes while media are loaded is asked again', async (t) => {
  const gate = Promise.withResolvers<void>();
  const held = new Set<string>();
  const library: MediaHolder = {
    hold: (id) => {
      held.add(id);
      return gate.promise;
    },
    release: (id) => held.delete(id),
    h264: () => null,
  };
  const owner = { policy };
  const { book, words } = openBook(1, library, owner);
  const taken = [1, 2].map((n) => book.allocate(`${n}`, 'run', allocation(n, 1)));
  await until('both are held', () => held.size === 2, { everyMs: 1 });
  owner.policy = { ...policy, targetNetworks: ['192.0.2.0/24'] };
  gate.resolve();
  await Promise.all(taken);
  t.match(book.take(), [
    { state: 'REFUSED', reasonCode: 'TARGET_NOT_ALLOWED' },
    { state: 'REFUSED', reasonCode: 'TARGET_NOT_ALLOWED' },
  ]);
  t.same([words(0), held.size, book.endpoints], [[], 0, 0]);
  owner.policy = { ...policy, maxCallsPerSecond: 12 };
  await book.allocate('3', 'run', allocation(11, 1));
  t.same(words(0), ['allocate'], 'its own calls, endpoints and streams are not counted against it');
});

t.test('headers of RTP stay here once the owner does not let them leave', async (t) => {
  const memory = createMediaMemory(2);
  const owner = { policy };
  const { book } = openBook(1, undefined, owner, [memory]);
  await book.allocate('a', 'run', allocation(1, 1));
  memory.streams.owner[0] = 1;
  traceStream(memory.headers, 0, '127.0.0.1', 10);
  const own = { sent: true, atMs: 0, header: new Uint8Array(12), packetBytes: 172 };
  const packet = () => traceHeader(memory.headers, memory.streams, 0, own);
  packet();
  book.sample(0);
  t.equal(book.take()[0]?.headers.length, 1);
  packet();
  owner.policy = { ...policy, mayKeep: { ...policy.mayKeep, rtpHeaders: false } };
  book.sample(1000);
  t.same(book.take(), []);
});

t.test('one listener that refuses stops the shares of the others', async (t) => {
  const { book, words } = openBook(3);
  await book.allocate('a', 'run', allocation(6, 3));
  book.onFacts(1, stateFacts(1, 'REFUSED'));
  t.same(
    [words(0), words(2)],
    [
      ['allocate', 'stop'],
      ['allocate', 'stop'],
    ],
  );
  t.match(book.take(), [{ state: 'REFUSED', reasonCode: 'CODE', reason: 'why' }]);
});
