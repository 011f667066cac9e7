/** Signals have their specified form at every rate, and the same loudness in every codec that carries them. */

import t from 'tap';
import { AUDIO_CODECS, type AudioCodec, audioCodec, isOctetCodec } from '../codec/audio-codecs.ts';
import { A_LAW_TO_LINEAR, decodeG711, MU_LAW_TO_LINEAR } from '../codec/g711.ts';
import { G722Decoder } from '../codec/g722.ts';
import { decodeL16 } from '../codec/l16.ts';
import { joinOpusFrames } from '../codec/opus-packet.ts';
import { samplesOfOpusPacket } from '../testing/opus-packet.ts';
import { type EncodedAudio, encodeOctets, encodeOpus } from './encode.ts';
import { AUDIO_SOURCES, encodeGenerated, fits, signalFor, toFrames } from './frames.ts';
import { silence, speech, TONE_HZ, tone } from './generators.ts';

/** Of G.711 and G.722 (RFC 3551, 4.5.14 and 4.5.2). */
const OCTETS_A_MS = 8;
const octetsOf = (codec: AudioCodec): number => audioCodec(codec).octetsPerMs ?? 0;

const RATES_HZ = [8000, 16_000, 48_000];

const powerOf = (samples: ArrayLike<number>): number => {
  let power = 0;
  for (let i = 0; i < samples.length; i++) power += samples[i]! ** 2;
  return power / samples.length;
};
const dbov = (power: number): number => 10 * Math.log10(power / 32_768 ** 2);
/** Of a sine; 0 dBm0 is 3.17 dB under the full mu-law range (G.711, table 5). */
const dbm0 = (samples: ArrayLike<number>): number => 10 * Math.log10((2 * powerOf(samples)) / 32_124 ** 2) + 3.17;

const spoken = (samples: Int16Array, rateHz: number): number[] => {
  const syllable = rateHz / 4;
  return [...samples].filter((_, i) => {
    const n = Math.floor(i / syllable);
    return n < 11 || (n >= 16 && n < 29);
  });
};

/** Power of one frequency (Goertzel), relative to the whole. */
function shareOf(samples: ArrayLike<number>, hz: number, rateHz: number): number {
  let re = 0;
  let im = 0;
  for (let i = 0; i < samples.length; i++) {
    re += samples[i]! * Math.cos((2 * Math.PI * hz * i) / rateHz);
    im += samples[i]! * Math.sin((2 * Math.PI * hz * i) / rateHz);
  }
  return (2 * (re * re + im * im)) / samples.length ** 2 / powerOf(samples);
}

t.test('the tone is 1004 Hz at -10 dBm0 and whole, at every rate', async (t) => {
  for (const rateHz of RATES_HZ) {
    const samples = tone(rateHz);
    t.equal(samples.length, 3 * rateHz);
    t.ok(Math.abs(dbm0(samples) + 10) < 0.02, `${dbm0(samples)} dBm0 at ${rateHz}`);
    t.ok(shareOf(samples, TONE_HZ, rateHz) > 0.999);
    const steepest = samples.reduce((most, sample, i) => Math.max(most, Math.abs(sample - (samples[i - 1] ?? 0))), 0);
    t.ok(Math.abs(samples[0]! - samples.at(-1)!) <= steepest, 'no click where it begins again');
  }
});

t.test('speech is the same every time, talks two thirds of it, and is loud alike at every rate', async (t) => {
  t.same(speech(8000), speech(8000));
  for (const rateHz of RATES_HZ) {
    const samples = speech(rateHz);
    t.equal(samples.length, 9 * rateHz);
    const level = dbov(powerOf(spoken(samples, rateHz)));
    t.ok(Math.abs(level + 20) < 0.1, `${level} dBov at ${rateHz}`);
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    t.ok(peak > 10_000 && peak < 32_000, `peak ${peak}: loud, not clipped`);
    const quiet = samples.filter((sample) => sample === 0).length / samples.length;
    t.ok(quiet > 0.3 && quiet < 0.4, `${quiet} is pause`);
    t.ok(Math.abs(samples[0]!) < 50 && samples.at(-1) === 0);
  }
});

t.test('the spectrum of speech falls as that of P.50 does', async (t) => {
  const rateHz = 16_000;
  const samples = speech(rateHz);
  // A difference is a high pass of 6 dB an octave: the levels after one, two and four of them show the slope.
  const bandDb = (from: number, to: number): number => {
    const block = 320;
    let power = 0;
    for (let at = 0; at + block <= samples.length; at += block * 5) {
      const part = samples.subarray(at, at + block);
      for (let hz = from; hz < to; hz += 50) power += shareOf(part, hz, rateHz) * powerOf(part) || 0;
    }
    return 10 * Math.log10(power);
  };
  const [low, middle, high, highest] = [bandDb(200, 600), bandDb(800, 1600), bandDb(1600, 3200), bandDb(4000, 7900)];
  t.ok(low! - middle! > 5 && low! - middle! < 20, `${low! - middle!} dB to 800 Hz`);
  t.ok(middle! - high! > 2 && middle! - high! < 15, `${middle! - high!} dB to 1600 Hz`);
  t.ok(high! - highest! > 2 && high! - highest! < 20, `${high! - highest!} dB to 4 kHz`);
});

t.test('units become packets of every packet time', async (t) => {
  for (const source of AUDIO_SOURCES) {
    for (const codec of AUDIO_CODECS.filter(isOctetCodec)) {
      const encoded = encodeGenerated(source, codec);
      for (const packetMs of [5, 10, 20, 30, 40, 60]) {
        const frames = toFrames(encoded, packetMs);
        t.equal(
          frames.length * packetMs,
          encoded.bytes.length / octetsOf(codec),
          `${source} ${codec} ${packetMs}: all`,
        );
        t.ok([...frames].every((frame) => frame.length === packetMs * octetsOf(codec)));
        t.equal(frames.timestampStep, packetMs * 8);
      }
    }
  }
  t.equal(toFrames(encodeGenerated('SILENCE', 'PCMU'), 7).length, 85, 'what does not fill a packet is left out');
  t.ok(encodeGenerated('SILENCE', 'PCMU').bytes.every((octet) => octet === 0xff));
  t.ok(encodeGenerated('SILENCE', 'PCMA').bytes.every((octet) => octet === 0xd5));
  t.same(
    AUDIO_CODECS.map((codec) => audioCodec(codec).clockRateHz),
    [8000, 8000, 8000, 48_000, 8000],
  );
  t.same(
    AUDIO_CODECS.map((codec) => audioCodec(codec).samplingRateHz),
    [8000, 8000, 16_000, 48_000, 8000],
  );
});

t.test('every codec is as loud as the next, and begins again without a click', async (t) => {
  const decoded = {
    PCMU: (octets: Uint8Array) => decodeG711(MU_LAW_TO_LINEAR, octets),
    PCMA: (octets: Uint8Array) => decodeG711(A_LAW_TO_LINEAR, octets),
    G722: (octets: Uint8Array) => {
      const samples = new Int16Array(octets.length * 2);
      new G722Decoder().decode(octets, samples);
      return samples;
    },
    L16: (octets: Uint8Array) => {
      const samples = new Int16Array(octets.length / 2);
      decodeL16(octets, samples);
      return samples;
    },
  };
  for (const codec of AUDIO_CODECS.filter(isOctetCodec)) {
    const { bytes } = encodeGenerated('TONE', codec);
    const heard = decoded[codec](Buffer.concat([bytes, bytes]));
    t.ok(Math.abs(dbm0(heard.subarray(1000)) + 10) < 0.05, `${codec}: ${dbm0(heard.subarray(1000))} dBm0`);
    const rateHz = audioCodec(codec).samplingRateHz;
    t.ok(
      shareOf(heard.subarray(rateHz, rateHz * 4), TONE_HZ, rateHz) > 0.999,
      `${codec}: nothing but the tone, over the seam`,
    );
    const level = dbov(powerOf(spoken(decoded[codec](encodeGenerated('SPEECH', codec).bytes), rateHz)));
    t.ok(Math.abs(level + 20) < 0.2, `${codec}: speech at ${level} dBov`);
  }
});

t.test('Opus units: an encoder of single frames, its packets joined', async (t) => {
  const heard: number[] = [];
  const memory = new Uint8Array(40);
  /** Writes its input into one shared buffer, like encoders that save allocations: the first byte means CELT, fullband, mono. */
  const encoder = (unitMs: 10 | 20) => ({
    unitMs,
    encode(samples: Int16Array): Uint8Array {
      heard.push(samples.length);
      memory[0] = unitMs === 10 ? 0xf0 : 0xf8;
      memory.fill(samples[1]! & 0xff, 1);
      return memory.subarray(0, 3 + (heard.length % 3));
    },
  });
  const signal = signalFor('TONE', 'OPUS');
  for (const unitMs of [10, 20] as const) {
    const encoded = encodeOpus(signal, encoder(unitMs));
    t.equal(encoded.unitEnds?.length, 3000 / unitMs);
    t.equal(encoded.unitEnds?.at(-1), encoded.bytes.length);
    t.ok(heard.every((length) => length === 480 || length === 960));
    t.equal(fits(encoded, 30), unitMs === 10);
    for (const packetMs of [10, 20, 30, 40, 60].filter((time) => fits(encoded, time))) {
      const frames = toFrames(encoded, packetMs);
      t.equal(frames.timestampStep, packetMs * 48);
      t.equal(frames.length, 3000 / packetMs);
      t.ok(
        [...frames].every((frame) => samplesOfOpusPacket(frame) === frames.timestampStep),
        `${packetMs} ms of ${unitMs}`,
      );
      t.ok([...frames].every((frame) => frame.length <= frames.maxBytes));
      t.equal(frames.at(1), frames.at(1), 'cut once, for all who play it');
    }
  }
  const short = Int16Array.of(1, 2, 3);
  t.equal(encodeOpus(short, encoder(20)).bytes.length, 0, 'less than a unit is nothing');
  t.equal(encodeOctets('G722', silence(16_000)).bytes.length, 600 * OCTETS_A_MS);
});

t.test('Opus units that cannot be joined are told before anything is played', async (t) => {
  const units = (bytes: number[]): EncodedAudio => ({
    codec: 'OPUS',
    unitMs: 20,
    bytes: Uint8Array.from(bytes),
    unitEnds: Uint32Array.from({ length: bytes.length / 2 }, (_, i) => (i + 1) * 2),
  });
  const mixed = units([0xf8, 1, 0xf8, 2, 0xf8, 3, 0xf0, 4]);
  t.throws(() => toFrames(mixed, 40), RangeError);
  t.equal(toFrames(mixed, 20).length, 4);
  t.throws(() => toFrames(units([0xf9, 1, 0xf9, 2]), 40), RangeError, 'of several frames each');
});

t.test('a long recording is not cut before it is played', async (t) => {
  const bytes = new Uint8Array(600_000 * OCTETS_A_MS);
  let cuts = 0;
  const counted = new Proxy(bytes, {
    get(target, key) {
      if (key === 'subarray') cuts += 1;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const frames = toFrames({ codec: 'PCMU', unitMs: 1, bytes: counted, unitEnds: null }, 20);
  t.equal(frames.length, 30_000);
  t.equal(cuts, 0);
  frames.at(29_999);
  frames.at(29_999);
  t.equal(cuts, 1);
});

t.test('Opus packets (RFC 6716, 3)', async (t) => {
  const rows: [packet: number[], samples: number | null][] = [
    [[], null],
    [[0xf8, 1, 2], 960],
    [[0xf9, 1, 2], 1920],
    [[0xfa, 1, 2], 1920],
    [[0xfb], null],
    [[0xfb, 0x83], 2880],
    [[0xfb, 0x80], null],
    [[0xfb, 0x87], null],
    [[0x18], 2880],
    [[0x78], 960],
    [[0x80], 120],
  ];
  for (const [packet, samples] of rows) t.equal(samplesOfOpusPacket(Uint8Array.from(packet)), samples, `${packet}`);
  const long = new Uint8Array(400).fill(9);
  long[0] = 0xf8;
  const joined = joinOpusFrames([long, Uint8Array.of(0xf8, 1), Uint8Array.of(0xf8)]);
  // 399 = 4 x 36 + 255 (3.2.1).
  t.same([...joined.subarray(0, 5)], [0xfb, 0x83, 255, 36, 1]);
  t.equal(joined.length, 5 + 399 + 1);
  t.throws(() => joinOpusFrames([]), RangeError);
  t.throws(() => joinOpusFrames([Uint8Array.of(0xf8), Uint8Array.of(0xf0)]), RangeError);
  t.throws(() => joinOpusFrames([Uint8Array.of(0xf9), Uint8Array.of(0xf9)]), RangeError);
  t.throws(() => joinOpusFrames(Array.from({ length: 7 }, () => Uint8Array.of(0xf8))), RangeError);
});
