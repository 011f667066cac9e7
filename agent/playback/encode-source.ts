/** A signal or a recording in one codec, in memory that threads share. */
import { type EncodedAudio, encodeOctets, encodeOpus } from '@carillon/media/audio/encode.ts';
import { AUDIO_SOURCES, signalFor } from '@carillon/media/audio/frames.ts';
import { recordingSamples } from '@carillon/media/audio/recording.ts';
import { type AudioCodec, audioCodec, isOctetCodec } from '@carillon/media/codec/audio-codecs.ts';
import { createOpusEncoder } from './opus.ts';

/** Opus packets consist of single frames: 20 ms long if the packet time allows it, otherwise 10. */
const OPUS_UNITS_MS = [20, 10] as const;

/**
 * @param source TONE, SPEECH, SILENCE, or the bytes of a WAV file
 * @throws WavError if the file is not supported
 */
export async function encodeSource(source: string | Uint8Array, codec: AudioCodec): Promise<EncodedAudio[]> {
  const samples = samplesOf(source, codec);
  if (isOctetCodec(codec)) return [shared(encodeOctets(codec, samples))];
  const streams: EncodedAudio[] = [];
  for (const unitMs of OPUS_UNITS_MS) {
    const encoder = await createOpusEncoder(unitMs);
    streams.push(shared(encodeOpus(samples, encoder)));
    encoder.free();
  }
  return streams;
}

function samplesOf(source: string | Uint8Array, codec: AudioCodec): Int16Array {
  if (typeof source !== 'string') return recordingSamples(source, audioCodec(codec).samplingRateHz);
  const signal = AUDIO_SOURCES.find((known) => known === source);
  if (!signal) throw new RangeError(`${source} is not a signal`);
  return signalFor(signal, codec);
}

/** Copies the streams into memory that threads share without further copies. */
export function shared(encoded: EncodedAudio): EncodedAudio {
  const { bytes, unitEnds } = encoded;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  if (unitEnds === null) return { ...encoded, bytes: copy };
  const ends = new Uint32Array(new SharedArrayBuffer(unitEnds.byteLength));
  ends.set(unitEnds);
  return { ...encoded, bytes: copy, unitEnds: ends };
}
