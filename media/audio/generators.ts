/**
 * Test signals as linear 16-bit samples: the same on every machine and in every run, and without a click at the point
 * of repetition.
 */
import { seeded } from '../seeded.ts';

/** A sine of full G.711 mu-law range, 32124, is +3.17 dBm0 (G.711, table 5). */
const FULL_SCALE = 32_124;
const FULL_SCALE_DBM0 = 3.17;
/** A full-scale square wave (G.100.1), the reference for mean power. */
const FULL_SCALE_DBOV = 32_768;

/** 1004 Hz is the telephone test frequency that shares no period with the 8 kHz sampling, so that many codes are used. */
export const TONE_HZ = 1004;
const TONE_DBM0 = -10;

/** The duration has whole periods of the tone and whole packets of 10, 20, 30, 40 and 60 ms. */
const TONE_MS = 3000;
const SILENCE_MS = 600;

export function tone(rateHz: number): Int16Array {
  const peak = FULL_SCALE * 10 ** ((TONE_DBM0 - FULL_SCALE_DBM0) / 20);
  const wave = new Int16Array((rateHz * TONE_MS) / 1000);
  const period = rateHz / greatestCommonDivisor(rateHz, TONE_HZ);
  for (let i = 0; i < period; i++) wave[i] = Math.round(peak * Math.sin((2 * Math.PI * TONE_HZ * i) / rateHz));
  for (let i = period; i < wave.length; i += period) wave.copyWithin(i, 0, period);
  return wave;
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

export const silence = (rateHz: number): Int16Array => new Int16Array((rateHz * SILENCE_MS) / 1000);

/** A two-pole resonator of gain 1 at its centre: one formant of a vocal tract. Silent above what the rate can carry. */
class Resonator {
  #gain = 0;
  #feedback = 0;
  #decay = 0;
  #last = 0;
  #beforeLast = 0;

  constructor(rateHz: number, frequencyHz: number, bandwidthHz: number) {
    if (frequencyHz > 0.45 * rateHz) return;
    const radius = Math.exp((-Math.PI * bandwidthHz) / rateHz);
    const angle = (2 * Math.PI * frequencyHz) / rateHz;
    this.#feedback = 2 * radius * Math.cos(angle);
    this.#gain = (1 - radius) * Math.sqrt(1 - 2 * radius * Math.cos(2 * angle) + radius * radius);
    this.#decay = radius * radius;
  }

  next(input: number): number {
    const output = this.#gain * input + this.#feedback * this.#last - this.#decay * this.#beforeLast;
    this.#beforeLast = this.#last;
    this.#last = output;
    return output;
  }
}

/** A one-pole low pass: each application adds the 6 dB per octave slope of the glottis. */
class LowPass {
  readonly #share: number;
  #state = 0;

  constructor(rateHz: number, cornerHz: number) {
    this.#share = 1 - Math.exp((-2 * Math.PI * cornerHz) / rateHz);
  }

  next(input: number): number {
    this.#state += this.#share * (input - this.#state);
    return this.#state;
  }
}

const SPEECH_MS = 9000;
const SPEECH_DBOV = -20;
const SYLLABLE_MS = 250;
/** Syllables 0 to 10 and 16 to 28 of 36 are spoken, the rest is pause: about two thirds activity (ITU-T P.59). */
const isSpoken = (syllable: number): boolean => syllable < 11 || (syllable >= 16 && syllable < 29);
/** The part of a syllable that is its consonant: breath without voice. */
const CONSONANT = 0.25;
/** Formants of a few vowels, Hz. */
const VOWELS = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [570, 840, 2410],
  [440, 1020, 2240],
  [530, 1840, 2480],
] as const;
/** The frequencies at which the breath of a few consonants is loudest, Hz. */
const FRICATIVES = [4800, 2600, 6200, 1800] as const;
const PITCH_HZ = 120;

/** The weight of each formant; the last three formants are those of every vowel. */
const WEIGHTS = [1, 0.6, 0.35, 0.25, 0.12, 0.08] as const;

/** The voice of one syllable: the properties of the mouth that change between syllables. */
class Voice {
  readonly #low: LowPass;
  readonly #high: LowPass;
  readonly #formants: readonly Resonator[];

  constructor(rateHz: number, syllable: number) {
    const [first, second, third] = VOWELS[(syllable * 3) % VOWELS.length]!;
    this.#low = new LowPass(rateHz, 250);
    this.#high = new LowPass(rateHz, 2500);
    this.#formants = [
      new Resonator(rateHz, first, 90),
      new Resonator(rateHz, second, 120),
      new Resonator(rateHz, third, 180),
      new Resonator(rateHz, 3500, 250),
      new Resonator(rateHz, 5200, 400),
      new Resonator(rateHz, 7000, 500),
    ];
  }

  next(pulse: number): number {
    const source = this.#high.next(this.#low.next(pulse));
    let sum = 0;
    for (let i = 0; i < WEIGHTS.length; i++) sum += WEIGHTS[i]! * this.#formants[i]!.next(source);
    return sum;
  }
}

/**
 * Nine seconds that sound like speech without words: syllables of a breathed consonant and a voiced vowel, in sentences
 * with pauses. The long-term spectrum falls above 500 Hz as that of speech does (ITU-T P.50), into the upper band at
 * wideband rates. Every media thread makes it at its start, so its filters are plain loops.
 */
export function speech(rateHz: number): Int16Array {
  const perSyllable = (rateHz * SYLLABLE_MS) / 1000;
  const random = seeded(0x2545f491);
  const breathe = (): number => 2 * random() - 1;
  const wave = new Float64Array((rateHz * SPEECH_MS) / 1000);
  const swell = Float64Array.from({ length: perSyllable }, (_, i) => Math.sin((Math.PI * i) / perSyllable) ** 0.7);
  let phase = 0;
  for (let syllable = 0; syllable * perSyllable < wave.length; syllable++) {
    if (!isSpoken(syllable)) continue;
    const voice = new Voice(rateHz, syllable);
    const fricativeHz = Math.min(0.4 * rateHz, FRICATIVES[syllable % FRICATIVES.length]!);
    const breath = new Resonator(rateHz, fricativeHz, 1200);
    const pitchHz = PITCH_HZ + 25 * Math.sin(syllable);
    for (let i = 0; i < perSyllable; i++) {
      const progress = i / perSyllable;
      phase += (pitchHz - 20 * progress) / rateHz;
      const isPulse = phase >= 1;
      if (isPulse) phase -= 1;
      const voiced = voice.next(isPulse && progress >= CONSONANT ? rateHz / PITCH_HZ : 0);
      const unvoiced = breath.next(progress < CONSONANT ? breathe() : 0.03 * breathe());
      wave[syllable * perSyllable + i] = (voiced + 0.4 * unvoiced) * swell[i]!;
    }
  }
  return toLevel(wave, SPEECH_DBOV);
}

/** Scales to an active level: the mean power of the samples outside pauses. */
function toLevel(wave: Float64Array, dbov: number): Int16Array {
  let power = 0;
  let active = 0;
  for (const sample of wave) {
    if (sample === 0) continue;
    power += sample * sample;
    active += 1;
  }
  const gain = (FULL_SCALE_DBOV * 10 ** (dbov / 20)) / Math.sqrt(power / active);
  const samples = new Int16Array(wave.length);
  for (let i = 0; i < wave.length; i++) samples[i] = Math.max(-32_768, Math.min(32_767, Math.round(wave[i]! * gain)));
  return samples;
}
