/**
 * The loudness of decoded samples, and whether they were clipped. Levels are in dBov: 0 is the loudest square wave (RFC
 * 6465, 2).
 */

/** Quieter audio is silence: 25 dB below the quietest speech that telephone networks are planned for. */
export const SILENCE_DBOV = -55;
/** G.711 has one code left from this sample value on. */
const CLIPPED = 31_600;
const FULL_SCALE = 32_768;

export type Loudness = { readonly power: number; readonly clipped: number };

/** The mean square of the first `length` samples as a share of full scale, and the number of samples at its limit. */
export function loudness(samples: Int16Array, length = samples.length): Loudness {
  let sum = 0;
  let clipped = 0;
  for (let i = 0; i < length; i++) {
    const sample = samples[i]!;
    sum += sample * sample;
    if (sample >= CLIPPED || sample <= -CLIPPED) clipped += 1;
  }
  return { power: length > 0 ? sum / length / FULL_SCALE ** 2 : 0, clipped };
}

/** The dBov of a mean square; -127 for digital silence, the lowest value of RFC 6465. */
export const dbov = (power: number): number => (power > 0 ? Math.max(-127, 10 * Math.log10(power)) : -127);
