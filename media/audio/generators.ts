/**
 * Test signals as linear 16-bit samples: the same on every machine and in every run, and without a click where they
 * repeat.
 */

/** A sine of full G.711 mu-law range, 32124, is +3.17 dBm0 (G.711, table 5). */
const FULL_SCALE = 32_124;
const FULL_SCALE_DBM0 = 3.17;
/** A full-scale square wave (G.100.1), the reference for mean power. */
const FULL_SCALE_DBOV = 32_768;

/** 1004 Hz is the telephone test frequency that shares no period with the 8 kHz sampling, so that many codes are used. */
export const TONE_HZ = 1004;
const TONE_DBM0 = -10;

/** Whole periods of the tone and whole packets of 10, 20, 30, 40 and 60 ms. */
const TONE_MS = 3000;
const SILENCE_MS = 600;

export function tone(rateHz: number): Int16Array {
  const peak = FULL_SCALE * 10 ** ((TONE_DBM0 - FULL_SCALE_DBM0) / 20);
  return Int16Array.from({ length: (rateHz * TONE_MS) / 1000 }, (_, i) =>
    Math.round(peak * Math.sin((2 * Math.PI * TONE_HZ * i) / rateHz)),
  );
}

export const silence = (rateHz: number): Int16Array => new Int16Array((rateHz * SILENCE_MS) / 1000);

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

type Filter = (input: number) => number;

/** Two-pole resonator of gain 1 at its centre: one formant of a vocal tract. Silent above what the rate can carry. */
function resonator(rateHz: number, frequencyHz: number, bandwidthHz: number): Filter {
  if (frequencyHz > 0.45 * rateHz) return () => 0;
  const radius = Math.exp((-Math.PI * bandwidthHz) / rateHz);
  const angle = (2 * Math.PI * frequencyHz) / rateHz;
  const feedback = 2 * radius * Math.cos(angle);
  const gain = (1 - radius) * Math.sqrt(1 - 2 * radius * Math.cos(2 * angle) + radius * radius);
  let last = 0;
  let beforeLast = 0;
  return (input) => {
    const output = gain * input + feedback * last - radius * radius * beforeLast;
    beforeLast = last;
    last = output;
    return output;
  };
}

/** One-pole low pass: each application adds the 6 dB per octave slope of the glottis. */
function lowPass(rateHz: number, cornerHz: number): Filter {
  const share = 1 - Math.exp((-2 * Math.PI * cornerHz) / rateHz);
  let state = 0;
  return (input) => {
    state += share * (input - state);
    return state;
  };
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
/** Where the breath of a few consonants is loudest, Hz. */
const FRICATIVES = [4800, 2600, 6200, 1800] as const;
const PITCH_HZ = 120;

/**
 * Voice and breath of one syllable, as filters and weights: the properties of the mouth that change between syllables.
 */
function mouth(rateHz: number, syllable: number): { voice: Filter; breath: Filter } {
  const [first, second, third] = VOWELS[(syllable * 3) % VOWELS.length]!;
  const formants = [
    resonator(rateHz, first, 90),
    resonator(rateHz, second, 120),
    resonator(rateHz, third, 180),
    resonator(rateHz, 3500, 250),
    resonator(rateHz, 5200, 400),
    resonator(rateHz, 7000, 500),
  ];
  const weights = [1, 0.6, 0.35, 0.25, 0.12, 0.08];
  const glottis = [lowPass(rateHz, 250), lowPass(rateHz, 2500)];
  const fricative = resonator(rateHz, Math.min(0.4 * rateHz, FRICATIVES[syllable % FRICATIVES.length]!), 1200);
  return {
    voice: (pulse) => {
      const source = glottis.reduce((signal, pole) => pole(signal), pulse);
      return formants.reduce((sum, formant, i) => sum + weights[i]! * formant(source), 0);
    },
    breath: fricative,
  };
}

/**
 * Nine seconds that talk like a person without saying anything: syllables of a breathed consonant and a voiced vowel, in sentences with
 * pauses. The long-term spectrum falls above 500 Hz as that of speech does (ITU-T P.50), into the upper band at wideband rates.
 */
export function speech(rateHz: number): Int16Array {
  const perSyllable = (rateHz * SYLLABLE_MS) / 1000;
  const random = noise(0x2545f491);
  const wave = new Float64Array((rateHz * SPEECH_MS) / 1000);
  let phase = 0;
  for (let syllable = 0; syllable * perSyllable < wave.length; syllable++) {
    if (!isSpoken(syllable)) continue;
    const { voice, breath } = mouth(rateHz, syllable);
    for (let i = 0; i < perSyllable; i++) {
      const progress = i / perSyllable;
      phase += (PITCH_HZ + 25 * Math.sin(syllable) - 20 * progress) / rateHz;
      const isPulse = phase >= 1;
      if (isPulse) phase -= 1;
      const voiced = voice(isPulse && progress >= CONSONANT ? rateHz / PITCH_HZ : 0);
      const unvoiced = breath(progress < CONSONANT ? random() : 0.03 * random());
      wave[syllable * perSyllable + i] = (voiced + 0.4 * unvoiced) * Math.sin(Math.PI * progress) ** 0.7;
    }
  }
  return toLevel(wave, SPEECH_DBOV);
}

/** Scales to an active level: the mean power of the samples that are not pause. */
function toLevel(wave: Float64Array, dbov: number): Int16Array {
  let power = 0;
  let active = 0;
  for (const sample of wave) {
    if (sample === 0) continue;
    power += sample * sample;
    active += 1;
  }
  const gain = (FULL_SCALE_DBOV * 10 ** (dbov / 20)) / Math.sqrt(power / active);
  return Int16Array.from(wave, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))));
}
