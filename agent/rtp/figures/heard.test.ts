/** What counts as heard in a stream and what does not: Opus with a separate decoder, and only audio that was negotiated. */
import { emptyRtpPacket, patchRtpHeader, writeRtpHeader } from '@carillon/media/rtp/header.ts';
import { Application, createEncoder } from 'libopus-wasm';
import t from 'tap';
import { EncodingThread } from '../../playback/encoding-thread-host.ts';
import { createOpusDecoder } from '../../playback/opus.ts';
import { call, HERE, PCMU, run, type SimulatedPath, seeded, THERE } from '../../testing/rtp/simulation.ts';
import { RowPool } from '../loop/row-pool.ts';
import type { AudioFormat, StreamSource } from '../media-engine.ts';
import type { LoadedAudio } from '../send/playlists.ts';
import { type AudioFigures, HEARD_ENOUGH, type OpenOpusDecoder } from './audio-meter.ts';
import { tapPacket } from './audio-tap.ts';
import { Sampler } from './sampler.ts';
import { ACTIVE, CLOSED, CODECS, createMediaMemory } from './stream-memory.ts';
import type { StreamRecord } from './stream-record.ts';

const RATE_HZ = 48_000;
const UNIT = (RATE_HZ * 20) / 1000;
const OPUS: AudioFormat = { kind: 'AUDIO', codec: 'OPUS', sendPayloadType: 111, receivePayloadType: 111, packetMs: 20 };

const thread = new EncodingThread();
t.teardown(() => thread.close());

/** Frames of 20 ms as a playable list. */
function listOf(packets: readonly Uint8Array[]): LoadedAudio {
  const ends: number[] = [];
  for (const { length } of packets) ends.push((ends.at(-1) ?? 0) + length);
  const encoded = {
    codec: 'OPUS' as const,
    unitMs: 20 as const,
    bytes: Buffer.concat(packets),
    unitEnds: Uint32Array.from(ends),
  };
  return { source: 'TONE', encoded: [encoded] };
}

/** `sampleAt`: -1 to 1, by the number of the sample. */
async function encode(seconds: number, dtx: boolean, sampleAt: (i: number) => number): Promise<Uint8Array[]> {
  const application = dtx ? Application.Voip : Application.RestrictedLowDelay;
  const encoder = await createEncoder({
    channels: 1,
    sampleRate: RATE_HZ,
    frameSize: UNIT,
    application,
    bitrate: 32_000,
    dtx,
  });
  const packets = Array.from({ length: seconds * 50 }, (_, n) =>
    encoder.encode(Int16Array.from({ length: UNIT }, (_, i) => Math.round(32_000 * sampleAt(n * UNIT + i)))).slice(),
  );
  encoder.free();
  return packets;
}
const sine = (amplitude: number) => (i: number) => amplitude * Math.sin((2 * Math.PI * 1000 * i) / RATE_HZ);
const quiet = (): number => 0;

type Heard = { readonly audio: AudioFigures | null; readonly record: StreamRecord };
type Calls = ReturnType<typeof call>;

/** What the far end hears in ten seconds of a stream; `each`: called every second; `opensAt`: the second in which a decoder opens. */
async function hear(
  format: AudioFormat,
  loaded: LoadedAudio | null,
  more: {
    readonly source?: StreamSource;
    readonly open?: OpenOpusDecoder | null;
    readonly opensAt?: number;
    readonly each?: (calls: Calls, second: number) => void;
    readonly path?: SimulatedPath;
  } = {},
): Promise<Heard> {
  const { source = 'TONE', open = createOpusDecoder, opensAt = 0, each, path } = more;
  const calls = call(1, { format, session: { source } });
  const { network, here, there, ours, theirs, both } = calls;
  if (loaded !== null) {
    here.loop.load(loaded);
    here.loop.change(ours[0]!.row, {
      remote: { address: THERE, rtpPort: theirs[0]!.rtpPort, rtcpPort: theirs[0]!.rtpPort + 1 },
      ...{ format, source, direction: 'BOTH' },
    });
  }
  if (path) network.path = path;
  const opening: Promise<unknown>[] = [];
  const { promise: mayOpen, resolve: letOpen } = Promise.withResolvers<void>();
  const opened = (): ReturnType<OpenOpusDecoder> => {
    const decoder = mayOpen.then(open!);
    opening.push(decoder);
    return decoder;
  };
  const sampler = new Sampler(there.memory, open && opened, seeded(1));
  for (let second = 0; second < 10; second++) {
    each?.(calls, second);
    run(network, both, 1000);
    sampler.sample(network.nowMs);
    if (second < opensAt) continue;
    letOpen();
    await Promise.allSettled(opening);
  }
  there.loop.close(theirs[0]!.row);
  const [record] = sampler.sample(network.nowMs).records;
  return { audio: record!.audio, record: record! };
}

t.test('Opus: what is silent is heard as silence, what is not is not', async (t) => {
  const load = async (source: string): Promise<LoadedAudio> => ({
    source: 'TONE',
    encoded: await thread.encode(source, 'OPUS'),
  });
  const dtx = await encode(4, true, quiet);
  t.ok(dtx.filter(({ length }) => length <= 2).length > 150, 'most of them say that nothing is sent (RFC 6716, 2.1.9)');
  const half = await encode(4, false, (i) => (i % (2 * RATE_HZ) < RATE_HZ ? sine(0.3)(i) : 0));
  const rows: [what: string, list: LoadedAudio, silentShare: (share: number) => boolean][] = [
    ['a tone', await load('TONE'), (share) => share === 0],
    ['digital silence', await load('SILENCE'), (share) => share === 1],
    ['frames of DTX', listOf(dtx), (share) => share === 1],
    ['a tone far below the limit of -55 dBov', listOf(await encode(2, false, sine(0.0005))), (share) => share === 1],
    ['a tone a little above it', listOf(await encode(2, false, sine(0.01))), (share) => share === 0],
    ['a second of tone, a second of silence', listOf(half), (share) => share > 0.2 && share < 0.8],
    ['speech', await load('SPEECH'), (share) => share < 0.9],
  ];
  for (const [what, list, isRight] of rows) {
    const { audio, record } = await hear(OPUS, list);
    t.ok(audio !== null && audio.frames >= 16, `${what}: ${audio?.frames} frames were heard`);
    t.ok(isRight(audio?.silentShare ?? Number.NaN), `${what}: ${audio?.silentShare} is silent`);
    t.equal(audio?.levelDbov, null, 'no level is told of Opus');
    t.ok(Number.isNaN(audio?.clippedShare));
    t.equal(record.lost, 0);
  }
});

t.test('each stream of Opus has a decoder of its own, for as long as it lasts', async (t) => {
  const tone = { source: 'TONE' as const, encoded: await thread.encode('TONE', 'OPUS') };
  let opened = 0;
  let freed = 0;
  const open: OpenOpusDecoder = async () => {
    opened++;
    const decoder = await createOpusDecoder();
    return {
      decode: decoder.decode,
      free: () => {
        freed++;
        decoder.free();
      },
    };
  };
  await hear(OPUS, tone, { open });
  t.same([opened, freed], [1, 1]);
  await hear(PCMU, null, { open });
  t.same([opened, freed], [1, 1], 'none for another codec');
  const none = await hear(OPUS, tone, { open: null });
  t.equal(none.audio, null, 'without a decoder nothing is said');
  const broken = await hear(OPUS, tone, { open: () => Promise.reject(new Error('no memory')) });
  t.equal(broken.audio, null);
});

t.test('packets wait for a decoder that opens late', async (t) => {
  const silence = { source: 'TONE' as const, encoded: await thread.encode('SILENCE', 'OPUS') };
  const early = await hear(OPUS, silence);
  const late = await hear(OPUS, silence, { opensAt: 5 });
  t.equal(late.audio?.silentShare, 1);
  // Five requests of four instants are not made while the packets of the first wait.
  t.ok(late.audio!.instants >= early.audio!.instants - 20, `${late.audio!.instants} of ${early.audio!.instants}`);
  t.ok(late.audio!.instants >= HEARD_ENOUGH, 'enough to find silence');
});

t.test('the second stream of a row is heard as the first', async (t) => {
  const memory = createMediaMemory(1);
  const pool = new RowPool(memory);
  const { streams, tap } = memory;
  let letOpen = (): void => undefined;
  const decoder = { decode: () => new Int16Array(UNIT), free: () => undefined };
  const open: OpenOpusDecoder = () =>
    new Promise((resolve) => {
      letOpen = () => resolve(decoder);
    });
  const sampler = new Sampler(memory, open, seeded(2));
  const bytes = new Uint8Array(8);
  const packet = { ...emptyRtpPacket(), payloadBytes: 8, payloadType: 111 };
  for (const what of ['first', 'second', 'third']) {
    const row = pool.take()!;
    streams.codec[row] = CODECS.indexOf('OPUS');
    streams.packetMs[row] = 20;
    streams.startedAtMs[row] = 0;
    Atomics.store(streams.state, row, ACTIVE);
    for (let atMs = 0; atMs < 6000; atMs += 20) {
      if (atMs % 1000 === 500) sampler.sample(atMs);
      if (atMs === 2000) letOpen();
      await null;
      if (tap.wanted[row] !== 0) tapPacket(tap, row, bytes, packet, atMs);
    }
    streams.closedAtMs[row] = 6000;
    Atomics.store(streams.state, row, CLOSED);
    const [record] = sampler.takeClosed().records;
    t.ok(record!.audio!.instants >= HEARD_ENOUGH, `${record!.audio!.instants} instants of the ${what}`);
  }
});

t.test('what is no Opus says nothing of the sound', async (t) => {
  const garbage = Array.from({ length: 50 }, (_, i) =>
    Uint8Array.from({ length: 80 }, (_, k) => (k === 0 ? 0xff : i * k)),
  );
  const { audio, record } = await hear(OPUS, listOf(garbage));
  t.ok(record.packetsReceived > 400);
  t.notOk(audio !== null && audio.frames > 0 && audio.silentShare === 1, 'garbage is not silence');
});

const EVENTS = 101;
const WITH_EVENTS: AudioFormat = {
  ...PCMU,
  telephoneEvent: { sendPayloadType: EVENTS, receivePayloadType: EVENTS, clockRateHz: 8000 },
};

t.test('keys that are pressed are not heard as audio', async (t) => {
  const press = ({ here, ours }: Calls): void => here.loop.press(ours[0]!.row, '1234', 120, 80);
  const tone = await hear(PCMU, null);
  const pressed = await hear(WITH_EVENTS, null, { each: press });
  t.ok(pressed.record.eventPackets > 100, `${pressed.record.eventPackets} packets of events`);
  // -10 dBm0, see figures.test.ts.
  t.ok(Math.abs(tone.audio!.levelDbov! + 16.35) < 0.1);
  t.ok(Math.abs(pressed.audio!.levelDbov! - tone.audio!.levelDbov!) < 0.05, `${pressed.audio!.levelDbov} dBov`);
  t.match(pressed.audio, { silentShare: 0, clippedShare: 0 });
  const silent = await hear(WITH_EVENTS, null, { source: 'SILENCE', each: press });
  t.match(silent.audio, { silentShare: 1, levelDbov: null, clippedShare: 0 }, 'nor do they hide that nothing was said');
  t.ok(silent.audio!.frames >= 8);
});

/** The loudest level of mu-law. */
const LOUD = 0x80;

t.test('nor packets of another source, or of a type that was not agreed on', async (t) => {
  const loud = (payloadType: number, ssrc: number, sequence: number): Uint8Array => {
    const bytes = new Uint8Array(172).fill(LOUD);
    writeRtpHeader(bytes, 0, payloadType, ssrc);
    patchRtpHeader(bytes, 0, sequence, sequence * 160);
    return bytes;
  };
  for (const [what, payloadType, ofPeer] of [
    ['another source', 0, false],
    ['another type', 96, true],
    ['comfort noise', 13, true],
  ] as const) {
    const { audio } = await hear(PCMU, null, {
      source: 'SILENCE',
      each: ({ network, here, ours, theirs }, second) => {
        const from = `${HERE}:${ours[0]!.rtpPort}`;
        const to = `${THERE}:${theirs[0]!.rtpPort}`;
        const ssrc = ofPeer ? here.memory.streams.localSsrc[ours[0]!.row]! : 0x0bad;
        // The SSRC that comes first, or several times in a row, is the stream.
        let strangers = 0;
        network.path = ({ bytes }) => [bytes[12] === LOUD ? 10 + 40 * strangers++ : 0.05];
        for (let n = 0; second > 0 && n < 20; n++)
          network.transmit({ from, to, bytes: loud(payloadType, ssrc, 1000 * second + 7 * n), sentMs: network.nowMs });
      },
    });
    t.match(audio, { silentShare: 1, levelDbov: null, clippedShare: 0 }, what);
  }
});
