/** The encoding thread: a decoder gets the original sound back from Opus; recordings in every codec; errors with reasons. */

import { toFrames } from '@carillon/media/audio/frames.ts';
import { TONE_HZ } from '@carillon/media/audio/generators.ts';
import { AUDIO_CODECS, audioCodec } from '@carillon/media/codec/audio-codecs.ts';
import { samplesOfOpusPacket } from '@carillon/media/testing/opus-packet.ts';
import t from 'tap';
import { Playlists } from '../rtp/send/playlists.ts';
import { sineWav } from '../testing/sine-wav.ts';
import { EncodingThread } from './encoding-thread-host.ts';
import { createOpusDecoder } from './opus.ts';

const RATE_HZ = 48_000;
const thread = new EncodingThread();
const [tone, speech, silence] = await Promise.all(
  ['TONE', 'SPEECH', 'SILENCE'].map((source) => thread.encode(source, 'OPUS')),
);
const recording = sineWav({ hz: 600, rateHz: 44_100, ms: 500, peak: 0.25 });
const inEveryCodec = await Promise.all(AUDIO_CODECS.map((codec) => thread.encode(recording, codec)));
const broken = await thread.encode(Buffer.from('RIFF, but no WAVE at all'), 'PCMU').catch((error: Error) => error);
const unheardOf = await thread.encode('SONG', 'PCMU').catch((error: Error) => error);
const decoder = await createOpusDecoder();
const ended = thread.encode('TONE', 'OPUS').catch((error: Error) => error);
await thread.close();
const afterEnd = await ended;
const late = await thread.encode('TONE', 'OPUS').catch((error: Error) => error);

/** Peak of one frequency, and root mean square. */
function measure(samples: ArrayLike<number>, hz: number): { peak: number; rms: number } {
  let re = 0;
  let im = 0;
  let power = 0;
  for (let i = 0; i < samples.length; i++) {
    re += samples[i]! * Math.cos((2 * Math.PI * hz * i) / RATE_HZ);
    im += samples[i]! * Math.sin((2 * Math.PI * hz * i) / RATE_HZ);
    power += samples[i]! ** 2;
  }
  return { peak: (2 * Math.hypot(re, im)) / samples.length, rms: Math.sqrt(power / samples.length) };
}
const decode = (frames: readonly Uint8Array[]): number[] => frames.flatMap((frame) => [...decoder.decode(frame)]);

t.test('Opus at every packet time is the tone, at its level, of one length', async (t) => {
  const lists = new Playlists(484);
  lists.load({ source: 'TONE', encoded: tone! });
  for (const packetMs of [10, 20, 30, 40, 60]) {
    const frames = lists.find('TONE', 'OPUS', packetMs)!;
    t.equal(frames.length * packetMs, 3000);
    t.equal(frames.timestampStep, packetMs * 48);
    t.ok([...frames].every((frame) => samplesOfOpusPacket(frame) === frames.timestampStep));
    const heard = decode([...frames]).slice(RATE_HZ / 2);
    const { peak, rms } = measure(heard, TONE_HZ);
    const dbm0 = 20 * Math.log10(peak / 32_124) + 3.17;
    t.ok(Math.abs(dbm0 + 10) < 0.1, `${packetMs} ms: ${dbm0.toFixed(2)} dBm0`);
    t.ok(peak / Math.SQRT2 / rms > 0.99, `${packetMs} ms: nothing else is heard`);
  }
  t.equal(lists.find('TONE', 'OPUS', 15), undefined, 'no frames make 15 ms');
  t.equal(lists.find('SPEECH', 'OPUS', 20), undefined, 'what was not loaded is not there');
  lists.unload('TONE');
  t.equal(lists.find('TONE', 'OPUS', 20), undefined);
});

t.test('speech in Opus differs in size, and is as loud as in any codec', async (t) => {
  const frames = [...toFrames(speech!.find(({ unitMs }) => unitMs === 20)!, 20)];
  t.ok(new Set(frames.map((frame) => frame.length)).size > 10, 'variable');
  const heard = decode(frames);
  const spoken = heard.filter((_, i) => {
    const syllable = Math.floor(i / (RATE_HZ / 4));
    return syllable < 11 || (syllable >= 16 && syllable < 29);
  });
  const dbov = 20 * Math.log10(measure(spoken, 1000).rms / 32_768);
  t.ok(Math.abs(dbov + 20) < 0.5, `${dbov.toFixed(2)} dBov`);
  const quiet = decode([...toFrames(silence![0]!, 20)]);
  t.ok(quiet.every((sample) => Math.abs(sample) <= 2));
});

t.test('a recording is encoded for every codec, in shared memory', async (t) => {
  for (const [i, codec] of AUDIO_CODECS.entries()) {
    for (const { bytes, codec: named } of inEveryCodec[i]!) {
      t.equal(named, codec);
      t.ok(bytes.buffer instanceof SharedArrayBuffer);
      if (codec !== 'OPUS') t.equal(bytes.length, 600 * audioCodec(codec).octetsPerMs!, 'filled up to whole packets');
    }
  }
  const frames = [...toFrames(inEveryCodec[3]!.find(({ unitMs }) => unitMs === 20)!, 20)];
  const { peak } = measure(decode(frames).slice(RATE_HZ / 10, (RATE_HZ * 4) / 10), 600);
  t.ok(Math.abs(20 * Math.log10(peak / (0.25 * 32_768))) < 0.2, `peak ${peak}`);
});

t.test('what cannot be encoded says why', async (t) => {
  t.match(broken, { message: /not a WAV file/ });
  t.match(unheardOf, { message: /SONG is not a signal/ });
  t.match(afterEnd, { message: /ended/ });
  t.match(late, { message: 'the agent is stopping' }, 'a closed thread is not started again');
});
