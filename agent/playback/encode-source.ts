/** A signal or a recording in one codec, in memory that threads share. */
import {
  type AudioCodec,
  type EncodedAudio,
  encodeOctets,
  encodeOpus,
  samplingRateHz,
} from '@carillon/media/audio/encode.ts';
import { AUDIO_SOURCES, signalFor } from '@carillon/media/audio/frames.ts';
import { recordingSamples } from '@carillon/media/audio/recording.ts';
import { createOpusEncoder } from './opus.ts';

/** Opus packets consist of single frames: of 20 ms if the packet time allows it, otherwise of 10. */
const OPUS_UNITS_MS = [20, 10] as const;

/**
 * @param source TONE, SPEECH, SILENCE, or the bytes of a WAV file
 * @throws WavError if the file is not supported
 */
export async function encodeSource(source: string | Uint8Array, codec: AudioCodec): Promise<EncodedAudio[]> {
  const samples = samplesOf(source, codec);
  if (codec !== 'OPUS') return [shared(encodeOctets(codec, samples))];
  const streams: EncodedAudio[] = [];
  for (const unitMs of OPUS_UNITS_MS) {
    const encoder = await createOpusEncoder(unitMs);
    streams.push(shared(encodeOpus(samples, encoder)));
    encoder.free();
  }
  return streams;
}

function samplesOf(source: string | Uint8Array, codec: AudioCodec): Int16Array {
  if (typeof source !== 'string') return recordingSamples(source, samplingRateHz(codec));
  const signal = AUDIO_SOURCES.find((known) => known === source);
  if (!signal) throw new RangeError(`${source} is not a signal`);
  return signalFor(signal, codec);
}

/** Copied into memory that goes from thread to thread without a copy. */
export function shared(encoded: EncodedAudio): EncodedAudio {
  const { bytes, unitEnds } = encoded;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  if (unitEnds === null) return { ...encoded, bytes: copy };
  const ends = new Uint32Array(new SharedArrayBuffer(unitEnds.byteLength));
  ends.set(unitEnds);
  return { ...encoded, bytes: copy, unitEnds: ends };
}
