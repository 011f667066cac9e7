/** Test signals as linear samples at 8 kHz: the same on every machine and in every run, and silent at the seam when looped. */

export const SAMPLE_RATE_HZ = 8000;

/** A sine of full G.711 mu-law range, 32124, is +3.17 dBm0 (G.711, table 5). */
const FULL_SCALE = 32_124;
const FULL_SCALE_DBM0 = 3.17;
const amplitudeOf = (dbm0: number): number => FULL_SCALE * 10 ** ((dbm0 - FULL_SCALE_DBM0) / 20);

/** 1004 Hz is the telephone test frequency that shares no period with the 8 kHz sampling, so that many codes are used. */
export const TONE_HZ = 1004;
export const TONE_DBM0 = -10;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Whole periods of a sine: as many samples as it takes until the wave meets the sampling again (2000 at 1004 Hz). */
export function tone(frequencyHz = TONE_HZ, dbm0 = TONE_DBM0): Int16Array {
  const samples = SAMPLE_RATE_HZ / gcd(SAMPLE_RATE_HZ, frequencyHz);
  const peak = amplitudeOf(dbm0);
  return Int16Array.from({ length: samples }, (_, i) =>
    Math.round(peak * Math.sin((2 * Math.PI * frequencyHz * i) / SAMPLE_RATE_HZ)),
  );
}

export const silence = (): Int16Array => new Int16Array(1);

/** A small generator of equally distributed numbers in -1 to 1 (xorshift32): the same sequence everywhere. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 0x8000_0000;
  };
}

/** Two-pole resonator: one formant of a vocal tract. */
function resonator(frequencyHz: number, bandwidthHz: number): (input: number) => number {
  const radius = Math.exp((-Math.PI * bandwidthHz) / SAMPLE_RATE_HZ);
  const feedback = 2 * radius * Math.cos((2 * Math.PI * frequencyHz) / SAMPLE_RATE_HZ);
  let last = 0;
  let beforeLast = 0;
  return (input) => {
    const output = (1 - radius) * input + feedback * last - radius * radius * beforeLast;
    beforeLast = last;
    last = output;
    return output;
  };
}

const SPEECH_MS = 8000;
const SPEECH_DBM0 = -18;
const SYLLABLE_MS = 250;
/** Syllables 0 to 9 and 14 to 25 of 32 are spoken, the rest is pause: about two thirds activity (ITU-T P.59). */
const spoken = (syllable: number): boolean => syllable < 10 || (syllable >= 14 && syllable < 26);
/** First and second formant of a few vowels, Hz. */
const VOWELS = [
  [730, 1090],
  [270, 2290],
  [570, 840],
  [440, 1020],
  [530, 1840],
] as const;

/** Eight seconds that talk like a person without saying anything: glottal pulses and breath through formants, in syllables with pauses. */
export function speech(): Int16Array {
  const total = (SPEECH_MS * SAMPLE_RATE_HZ) / 1000;
  const perSyllable = (SYLLABLE_MS * SAMPLE_RATE_HZ) / 1000;
  const breath = noise(0x2545f491);
  const wave = new Float64Array(total);
  let phase = 0;
  for (let syllable = 0; syllable * perSyllable < total; syllable++) {
    if (!spoken(syllable)) continue;
    const [first, second] = VOWELS[(syllable * 3) % VOWELS.length]!;
    const formants = [resonator(first, 90), resonator(second, 120), resonator(2900, 200)];
    for (let i = 0; i < perSyllable; i++) {
      const progress = i / perSyllable;
      phase += (120 + 25 * Math.sin(syllable) - 20 * progress) / SAMPLE_RATE_HZ;
      const pulse = phase >= 1 ? 1 : 0;
      phase -= pulse;
      const source = progress < 0.15 ? 0.3 * breath() : pulse * 6 + 0.02 * breath();
      const sum = formants.reduce((out, formant) => out + formant(source), 0);
      wave[syllable * perSyllable + i] = sum * Math.sin(Math.PI * progress) ** 2;
    }
  }
  return toLevel(wave, SPEECH_DBM0);
}

/** Scales to an active level: the mean power of the samples that are not pause. */
function toLevel(wave: Float64Array, dbm0: number): Int16Array {
  let power = 0;
  let active = 0;
  for (const sample of wave) {
    if (sample === 0) continue;
    power += sample * sample;
    active += 1;
  }
  const gain = amplitudeOf(dbm0) / Math.SQRT2 / Math.sqrt(power / active);
  return Int16Array.from(wave, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))));
}
