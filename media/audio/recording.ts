/** Converts a recording to the samples that a codec's encoder takes. */
import { parseWav } from '../files/wav.ts';
import { monoSamples } from '../files/wav-samples.ts';
import { resample } from './resample.ts';

/** The duration has whole packets of 10, 20, 30, 40 and 60 ms; the end is padded with silence. */
const WHOLE_MS = 120;

/**
 * One channel of 16 bits at `rateHz`, at the recorded level.
 * @throws WavError if the file is not supported
 */
export function recordingSamples(file: Uint8Array, rateHz: number): Int16Array {
  const wav = parseWav(file);
  const heard = resample(monoSamples(file, wav), wav.sampleRateHz, rateHz);
  const whole = (rateHz * WHOLE_MS) / 1000;
  const samples = new Int16Array(Math.ceil(heard.length / whole) * whole);
  for (let i = 0; i < heard.length; i++)
    samples[i] = Math.max(-32_768, Math.min(32_767, Math.round(heard[i]! * 32_768)));
  return samples;
}
