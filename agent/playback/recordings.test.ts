/** Transfer of recordings: fetched in chunks across broken connections, verified, encoded once, stored on disk, held and released. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EncodedAudio } from '@carillon/media/audio/encode.ts';
import type { AudioCodec } from '@carillon/media/codec/audio-codecs.ts';
import { packetizeFile } from '@carillon/media/video/file-packets.ts';
import { parseVideo } from '@carillon/media/video/video-file.ts';
import { packetizeClip } from '@carillon/media/video/video-packets.ts';
import type { wire } from '@carillon/proto';
import t, { type Test } from 'tap';
import { RecordingRefused, Recordings } from '../link/recordings.ts';
import { readEncoded, writeEncoded } from './encoded-file.ts';
import { MediaCache } from './media-cache.ts';
import { MediaLibrary, type RecordingOrigin } from './media-library.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never;
const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const file = Buffer.from(Array.from({ length: 2500 }, (_, i) => i & 0xff));
const checksum = checksumOf(file);

type Chunk = wire.agent.v1.MediaChunk;

/** A control plane that has the file, in chunks of 1000 bytes. */
const chunkAt = (offset: number, more: Partial<Chunk> = {}): Chunk =>
  ({
    sha256: Buffer.from(checksum, 'hex'),
    offset,
    totalBytes: file.length,
    data: file.subarray(offset, offset + 1000),
    refused: '',
    ...more,
  }) as Chunk;

t.test('a file comes chunk by chunk; a cut is waited for, what came twice counts once', async (t) => {
  const asked: number[] = [];
  const recordings = new Recordings(({ mediaRequest }) => asked.push(mediaRequest?.offset ?? 0));
  const whole = recordings.fetch(checksum);
  t.equal(recordings.fetch(checksum), whole, 'asked for once');
  recordings.onChunk(chunkAt(0));
  recordings.onChunk(chunkAt(0));
  recordings.onChunk(chunkAt(0, { sha256: new Uint8Array(32) }));
  recordings.onWelcome();
  recordings.onChunk(chunkAt(1000));
  recordings.onChunk(chunkAt(2000));
  t.same(Buffer.from(await whole), file);
  t.same(asked, [0, 1000, 1000, 2000]);
  recordings.onWelcome();
  t.equal(asked.length, 4, 'nothing is wanted any more');
});

t.test('an unavailable recording is refused with the reason', async (t) => {
  const rows: [Partial<Chunk>, RegExp][] = [
    [{ refused: 'it was deleted' }, /it was deleted/],
    [{ totalBytes: 2 ** 31 }, /no more are available/],
    [{ data: new Uint8Array() }, /0 of 2500 bytes/],
  ];
  for (const [answer, message] of rows) {
    const recordings = new Recordings(() => undefined);
    const refused = recordings.fetch(checksum);
    recordings.onChunk(chunkAt(0, answer));
    await t.rejects(refused, { name: 'RecordingRefused', message });
  }
  const silent = new Recordings(() => undefined, 1);
  const keepAlive = setInterval(() => undefined, 50);
  await t.rejects(silent.fetch(checksum), RecordingRefused, 'a control plane that says nothing');
  clearInterval(keepAlive);
});

t.test('an agent that stops waits for none, and asks for none', async (t) => {
  const asked: unknown[] = [];
  const recordings = new Recordings((frame) => asked.push(frame));
  const refused = t.rejects(recordings.fetch(checksum), { name: 'RecordingRefused', message: 'the agent is stopping' });
  recordings.close();
  await refused;
  await t.rejects(recordings.fetch(checksum), RecordingRefused, 'nor does it begin with another');
  recordings.onWelcome();
  recordings.onChunk(chunkAt(0));
  t.equal(asked.length, 1);
});

const openCache = async (t: Test, maxBytes?: number): Promise<{ cache: MediaCache; dir: string }> => {
  const dir = path.join(t.testdir({}), 'media');
  const cache = new MediaCache(dir, maxBytes);
  await cache.open();
  return { cache, dir };
};

t.test('the cache proves what it gives, forgets what was used longest ago, and clears up after a kill', async (t) => {
  const { cache, dir } = await openCache(t, 3 * 1032);
  t.equal(await cache.read('a'), null);
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    await cache.write(name, Buffer.alloc(1000, name));
    await utimes(path.join(dir, name), i + 1, i + 1);
  }
  t.same(await cache.read('a'), Buffer.alloc(1000, 'a'));
  await cache.write('d', Buffer.alloc(1000, 'd'));
  t.same((await readdir(dir)).sort(), ['a', 'c', 'd'], 'a was used after b');
  const damaged = await readFile(path.join(dir, 'c'));
  damaged[500]! ^= 1;
  await writeFile(path.join(dir, 'c'), damaged);
  t.equal(await cache.read('c'), null);
  await writeFile(path.join(dir, 'd'), 'short');
  t.equal(await cache.read('d'), null);
  await writeFile(path.join(dir, 'e-0.part'), 'half of it');
  await cache.open();
  t.same(await readdir(dir), ['a'], 'neither damaged files nor half ones are left');
});

const octets: EncodedAudio = { codec: 'PCMU', unitMs: 1, bytes: Buffer.alloc(960, 7), unitEnds: null };
const opus: EncodedAudio = {
  codec: 'OPUS',
  unitMs: 20,
  bytes: Buffer.from([0xf8, 1, 0xf8, 2, 3]),
  unitEnds: Uint32Array.of(2, 5),
};

t.test('encoded streams survive their file, anything else is not read', async (t) => {
  t.same(readEncoded(writeEncoded([octets, opus])), [octets, opus]);
  const written = Buffer.from(writeEncoded([opus]));
  for (const bad of [
    Buffer.alloc(0),
    Buffer.from('{}\n'),
    written.subarray(0, -1),
    Buffer.concat([written, octets.bytes]),
  ])
    t.equal(readEncoded(bad), null);
});

/** A library over a control plane that has one file, and a record of what it did. */
async function openLibrary(
  t: Test,
  cache: MediaCache,
  serve: (checksum: string) => Uint8Array | Error,
  encoding: () => Promise<void> = async () => undefined,
) {
  const did: string[] = [];
  const origins: RecordingOrigin[] = [];
  const library = new MediaLibrary({
    cache,
    log: quiet,
    async fetch(wanted) {
      did.push('fetch');
      const served = serve(wanted);
      if (served instanceof Error) throw served;
      return served;
    },
    async encode(source, codec: AudioCodec) {
      did.push(`encode ${typeof source === 'string' ? source : checksumOf(source).slice(0, 4)} ${codec}`);
      await encoding();
      return [codec === 'OPUS' ? opus : { ...octets, codec }];
    },
    async packetize(video) {
      did.push(`packetize ${checksumOf(video).slice(0, 4)}`);
      return packetizeFile(video);
    },
    async load(media) {
      const made = 'encoded' in media ? media.encoded : media.packets;
      t.ok(made.length > 0);
      did.push(`load ${media.source.slice(0, 9)} ${made[0]?.codec}`);
    },
    unload: (source) => did.push(`unload ${source.slice(0, 9)}`),
    onRecording: (origin) => origins.push(origin),
  });
  return { library, did, origins, taken: () => did.splice(0) };
}

t.test('a recording is fetched once, encoded once for a codec, and leaves memory with its last holder', async (t) => {
  const { cache, dir } = await openCache(t);
  const { library, taken, origins } = await openLibrary(t, cache, () => file);
  const id = checksum.slice(0, 4);
  const wanted = [{ kind: 'AUDIO', source: `FILE:${checksum}`, codecs: ['PCMU', 'OPUS'] }] as const;
  await Promise.all([library.hold('one', wanted), library.hold('two', wanted)]);
  const name = `FILE:${id}`;
  t.same(taken(), ['fetch', `encode ${id} PCMU`, `load ${name} PCMU`, `encode ${id} OPUS`, `load ${name} OPUS`]);
  library.release('one');
  t.same(taken(), []);
  library.release('two');
  library.release('two');
  t.same(taken(), [`unload ${name}`]);

  await library.hold('three', [{ kind: 'AUDIO', source: `FILE:${checksum}`, codecs: ['PCMU', 'G722'] }]);
  t.same(taken(), [`load ${name} PCMU`, `encode ${id} G722`, `load ${name} G722`], 'from disk');
  library.release('three');
  taken();

  const [encodedName] = (await readdir(dir)).filter((entry) => entry.includes('PCMU'));
  await writeFile(path.join(dir, encodedName!), 'damaged');
  await writeFile(path.join(dir, checksum), 'damaged');
  await library.hold('four', [{ kind: 'AUDIO', source: `FILE:${checksum}`, codecs: ['PCMU'] }]);
  t.same(taken(), ['fetch', `encode ${id} PCMU`, `load ${name} PCMU`], 'what is damaged is had again');
  t.same(origins, ['FETCHED', 'CACHED', 'ENCODED', 'CACHED', 'FETCHED']);
});

t.test(
  'a video is cut once for all its holders, again when it is requested again, and refused if it is not a video',
  async (t) => {
    const { cache } = await openCache(t);
    const clip = readFileSync(new URL(import.meta.resolve('@carillon/media/video/pattern/pattern-slices.h264')));
    const id = checksumOf(clip);
    const { library, taken, origins } = await openLibrary(t, cache, (wanted) => (wanted === id ? clip : file));
    const wanted = (of: string) => [{ kind: 'VIDEO', source: `FILE:${of}` }] as const;
    const cut = [`packetize ${id.slice(0, 4)}`, `load FILE:${id.slice(0, 4)} H264`];
    await Promise.all([library.hold('one', wanted(id)), library.hold('two', wanted(id))]);
    t.same(taken(), ['fetch', ...cut]);
    t.same(library.h264(`FILE:${id}`), { profileLevelId: '42c00d', modes: [1, 0] }, 'what is sent of it');
    library.release('one');
    library.release('two');
    t.same(taken(), [`unload FILE:${id.slice(0, 4)}`]);
    t.equal(library.h264(`FILE:${id}`), null);
    await library.hold('three', wanted(id));
    t.same(taken(), cut, 'from disk');
    await t.rejects(library.hold('four', wanted(checksum)), { name: 'VideoError' });
    await library.hold('five', [{ kind: 'VIDEO', source: 'PATTERN' }]);
    t.same(origins, ['FETCHED', 'CACHED', 'FETCHED', 'REFUSED']);
  },
);

t.test('packets go from thread to thread as they are, in shared memory', (t) => {
  for (const name of ['pattern.ivf', 'pattern.h264', 'pattern-slices.h264']) {
    const clip = readFileSync(new URL(import.meta.resolve(`@carillon/media/video/pattern/${name}`)));
    const ways = packetizeFile(clip);
    t.same(
      ways.map(({ mode }) => mode),
      name === 'pattern-slices.h264' ? [1, 0] : [1],
      name,
    );
    for (const { codec: _, profileLevelId, ...packets } of ways) {
      const { mode, ...cut } = structuredClone(packets);
      t.same(cut, packetizeClip(parseVideo(clip), mode));
      t.equal(cut.bytes.buffer instanceof SharedArrayBuffer, true);
      t.equal(profileLevelId, name === 'pattern.ivf' ? null : '42c00d');
    }
  }
  t.end();
});

t.test('a release during the download leaves nothing in memory', async (t) => {
  const { cache } = await openCache(t);
  const { library, taken } = await openLibrary(t, cache, () => file);
  const id = checksum.slice(0, 4);
  const holding = library.hold('one', [
    { kind: 'AUDIO', source: `FILE:${checksum}`, codecs: ['PCMU', 'PCMA', 'OPUS'] },
  ]);
  library.release('one');
  await holding;
  t.same(taken(), [`unload FILE:${id}`, 'fetch'], 'nothing is encoded, and nothing is loaded');
});

t.test('an encoding whose turn comes after its last holder is gone is left out', async (t) => {
  const { cache } = await openCache(t);
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { library, taken, origins } = await openLibrary(
    t,
    cache,
    () => file,
    () => {
      begun.resolve();
      return gate.promise;
    },
  );
  const id = checksum.slice(0, 4);
  const source = `FILE:${checksum}`;
  const first = library.hold('one', [{ kind: 'AUDIO', source, codecs: ['PCMU'] }]);
  await begun.promise;
  const second = library.hold('two', [{ kind: 'AUDIO', source, codecs: ['OPUS'] }]);
  const third = library.hold('three', [{ kind: 'AUDIO', source, codecs: ['PCMA'] }]);
  for (const holder of ['one', 'two', 'three']) library.release(holder);
  const fourth = library.hold('four', [{ kind: 'AUDIO', source, codecs: ['G722'] }]);
  gate.resolve();
  await Promise.all([first, second, third, fourth]);
  t.same(taken(), ['fetch', `encode ${id} PCMU`, `unload FILE:${id}`, `encode ${id} G722`, `load FILE:${id} G722`]);
  t.notOk(origins.includes('REFUSED'));
});

t.test('a concurrent request for other codecs waits for the same fetch', async (t) => {
  const { cache } = await openCache(t);
  const { library, origins } = await openLibrary(t, cache, () => file);
  const source = `FILE:${checksum}`;
  const holders = (['PCMU', 'PCMA', 'G722', 'OPUS'] as const).map(async (codec, i) => {
    // In sequence, into each step of the first request: fetching, then writing to disk.
    for (let turns = 0; turns < i; turns++) await new Promise((resolve) => setImmediate(resolve));
    await library.hold(codec, [{ kind: 'AUDIO', source, codecs: [codec] }]);
  });
  await Promise.all(holders);
  t.equal(origins.filter((origin) => origin === 'FETCHED').length, 1);
});

t.test('signals in G.711 need nothing; in G.722 and Opus they are encoded once and stay', async (t) => {
  const { cache } = await openCache(t);
  const { library, taken } = await openLibrary(t, cache, () => new Error('nothing is here'));
  await library.hold('one', [{ kind: 'AUDIO', source: 'SPEECH', codecs: ['PCMU', 'PCMA', 'G722', 'OPUS'] }]);
  t.same(taken(), ['encode SPEECH G722', 'load SPEECH G722', 'encode SPEECH OPUS', 'load SPEECH OPUS']);
  library.release('one');
  await library.hold('two', [{ kind: 'AUDIO', source: 'SPEECH', codecs: ['OPUS'] }]);
  t.same(taken(), []);
});

t.test('an unavailable recording says so, and is tried again', async (t) => {
  const { cache } = await openCache(t);
  let answer: Uint8Array | Error = new RecordingRefused('it was deleted');
  const { library, taken, origins } = await openLibrary(t, cache, () => answer);
  const wanted = [{ kind: 'AUDIO', source: `FILE:${checksum}`, codecs: ['PCMA'] }] as const;
  await t.rejects(library.hold('one', wanted), { message: 'it was deleted' });
  answer = Buffer.from('another file');
  await t.rejects(library.hold('one', wanted), { message: /the received data has the checksum [0-9a-f]{64}/ });
  answer = file;
  await library.hold('one', wanted);
  t.match(taken().at(-1), /load .* PCMA/);
  t.same(origins, ['REFUSED', 'REFUSED', 'FETCHED']);
});
