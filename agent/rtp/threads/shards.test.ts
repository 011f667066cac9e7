/** Several media threads as one engine. */
import { getPriority } from 'node:os';
import t from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import fc from '../../../scripts/test-run/properties.ts';
import { readConfig } from '../../config.ts';
import { openFilesLimit, parseOpenFilesLimit, streamsWithin } from '../../net/streams/open-files.ts';
import { shardOf, threadsFor } from '../../process/threads.ts';
import { adapters, HOST, numbers, PCMU, remoteOf } from '../../testing/rtp/side.ts';
import { MediaPortsExhausted } from '../media-engine.ts';
import { createMediaEngine } from './media-client.ts';
import { startMediaThread } from './media-thread-host.ts';
import { portRanges, startMediaThreads } from './media-threads.ts';
import { shardEngines } from './sharded-engine.ts';

t.throws(() => shardEngines([]), RangeError);

t.test('endpoints are spread over the threads by their number, and answered in order', async (t) => {
  const threads = await Promise.all(
    [0, 1].map((i) =>
      startMediaThread({ adapter: adapters[0], capacity: 16, firstPort: 15_800 + 100 * i, lastPort: 15_899 + 100 * i }),
    ),
  );
  const engine = shardEngines(threads.map((thread) => createMediaEngine(thread.connect())));
  const streams = await engine.open(HOST, 1, numbers(8));
  t.same(
    streams.map((stream) => stream.rtpPort >= 15_900),
    numbers(8).map((i) => i % 2 === 1),
  );
  // Endpoint 0 with endpoint 1: from one thread to the other.
  for (const [i, stream] of streams.entries())
    stream.start({ remote: remoteOf(streams[i ^ 1]!), format: PCMU, source: 'TONE', direction: 'BOTH' });
  const packets = (thread: (typeof threads)[number]): number[] => [...thread.memory.received.packets.slice(0, 4)];
  t.ok(await holds(() => threads.every((thread) => packets(thread).every((count) => count > 10))), 'both carry media');

  await t.rejects(engine.open(HOST, 1, numbers(40)), MediaPortsExhausted);
  t.equal((await engine.open(HOST, 1, [101, 103, 105, 107, 109])).length, 5, 'what was not granted was given back');
  await engine.close();
  for (const thread of threads) await thread.close();
});

t.test('cores: what 1, 2, 16 and 64 of them are spent on, and how endpoints lie on the threads', async (t) => {
  const url = { CARILLON_URL: 'ws://127.0.0.1:1/agent/v1' };
  for (const [cores, signalling, media] of [
    [1, 1, 1],
    [2, 1, 1],
    [4, 1, 2],
    [16, 4, 8],
    [64, 16, 32],
    [1000, 16, 32],
  ] as const) {
    t.same(threadsFor(cores), { signalling, media });
    t.match(readConfig(url, cores), { signallingThreads: signalling, mediaThreads: media }, `${cores} cores`);
    t.ok(cores < 4 || signalling + media < cores, 'the main thread and the kernel have room');
  }
  const named = { ...url, CARILLON_SIGNALLING_THREADS: '3', CARILLON_MEDIA_THREADS: '5' };
  t.match(readConfig(named, 64), { signallingThreads: 3, mediaThreads: 5 }, 'configured numbers are used');
  const few = { ...url, CARILLON_RTP_PORTS: '20001-20008', CARILLON_SIP_PORT: '65534' };
  t.match(readConfig(few, 64), { signallingThreads: 2, mediaThreads: 3 }, 'no more threads than ports');
  t.match(readConfig({ ...url, CARILLON_SIP_ENGINE: 'drachtio' }, 64), { signallingThreads: 1 });
  fc.assert(
    fc.property(
      fc.constantFrom(1, 2, 16, 64),
      fc.nat(10_000),
      fc.integer({ min: 1, max: 3000 }),
      (cores, from, size) => {
        const { media } = threadsFor(cores);
        const loads = Array.from({ length: media }, () => 0);
        for (let n = from; n < from + size; n++) loads[shardOf(n, media)]!++;
        const [most, least] = [Math.max(...loads), Math.min(...loads)];
        return most - least <= 1 && (size < media || least > 0);
      },
    ),
  );
});

t.test('the ports are split in whole pairs', async (t) => {
  t.same(portRanges(2, { firstPort: 16_384, lastPort: 32_767 }), [
    { firstPort: 16_384, lastPort: 24_575 },
    { firstPort: 24_576, lastPort: 32_767 },
  ]);
  t.same(portRanges(3, { firstPort: 1025, lastPort: 1032 }), [
    { firstPort: 1026, lastPort: 1027 },
    { firstPort: 1028, lastPort: 1029 },
    { firstPort: 1030, lastPort: 1032 },
  ]);
  t.throws(() => portRanges(3, { firstPort: 1024, lastPort: 1028 }), RangeError);
});

t.test('as many media threads as asked for start and end together', async (t) => {
  const before = getPriority();
  const media = await startMediaThreads(3, { capacity: 8, firstPort: 16_000, lastPort: 16_099, realtime: true });
  t.equal(media.memories.length, 3);
  t.equal(media.realtime, media.realtimeFault === null, 'real time, or the reason why not');
  t.ok(media.nice === -10 || media.nice === getPriority(), 'preferred, or like the rest of the process');
  t.equal(getPriority(), before, 'which stays as it was');
  const engines = media.connect().map((connection) => createMediaEngine(connection));
  t.equal(new Set(engines.map(({ fingerprint }) => fingerprint?.value)).size, 1, 'DTLS on any: one certificate');
  const engine = shardEngines(engines);
  const streams = await engine.open(HOST, 1, numbers(9));
  t.equal(new Set(streams.map((stream) => stream.rtpPort)).size, 9);
  await engine.close();
  await media.close();
  t.equal(await media.ended, null);
  await t.rejects(startMediaThreads(2, { firstPort: 16_000, lastPort: 16_002 }), RangeError);
});

t.test('the limit of open files bounds the threads', async (t) => {
  t.equal(
    parseOpenFilesLimit(
      'Max processes  5 5 processes\nMax open files            1024                 524288               files',
    ),
    1024,
  );
  t.equal(
    parseOpenFilesLimit('Max open files            unlimited            unlimited            files'),
    Number.POSITIVE_INFINITY,
  );
  t.equal(parseOpenFilesLimit(''), Number.POSITIVE_INFINITY);
  t.equal(streamsWithin(1024), 412);
  t.equal(streamsWithin(100), 0);
  t.ok(openFilesLimit() > 0);
});
