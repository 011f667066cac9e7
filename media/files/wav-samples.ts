/** The samples of a WAV file, mixed down to one channel in the range -1 to 1, without a change of level. */
import { A_LAW_TO_LINEAR, MU_LAW_TO_LINEAR } from '../codec/g711.ts';
import type { Wav, WavEncoding } from './wav.ts';

type Read = (view: DataView, at: number) => number;

const FULL_16 = 2 ** 15;
const FULL_24 = 2 ** 23;
const FULL_32 = 2 ** 31;

/** Reads one sample at its byte, by encoding and bits. */
const READERS: Readonly<Record<WavEncoding, Readonly<Record<number, Read>>>> = {
  PCM: {
    // Only 8-bit samples are unsigned.
    8: (view, at) => (view.getUint8(at) - 128) / 128,
    16: (view, at) => view.getInt16(at, true) / FULL_16,
    24: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / FULL_24,
    32: (view, at) => view.getInt32(at, true) / FULL_32,
  },
  FLOAT: {
    32: (view, at) => finite(view.getFloat32(at, true)),
    64: (view, at) => finite(view.getFloat64(at, true)),
  },
  A_LAW: { 8: (view, at) => A_LAW_TO_LINEAR[view.getUint8(at)]! / FULL_16 },
  MU_LAW: { 8: (view, at) => MU_LAW_TO_LINEAR[view.getUint8(at)]! / FULL_16 },
};

/** NaN becomes silence; values beyond full scale are clipped. */
const finite = (value: number): number => (Number.isNaN(value) ? 0 : Math.max(-1, Math.min(1, value)));

/** `wav` must be the result of `parseWav` for this file. */
export function monoSamples(file: Uint8Array, wav: Wav): Float32Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const { channels, bitsPerSample, dataOffset, frames, encoding } = wav;
  const read = READERS[encoding][bitsPerSample]!;
  const step = bitsPerSample / 8;
  const samples = new Float32Array(frames);
  for (let i = 0; i < frames; i++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += read(view, dataOffset + (i * channels + channel) * step);
    samples[i] = sum / channels;
  }
  return samples;
}
