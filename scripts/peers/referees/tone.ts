/** Tones: as recordings that tests upload, and their measurement at the other end. */
import { dbov, loudness } from '@carillon/media/audio/level.ts';

export type DetectedTone = {
  /** A second of each, in sequence; whole numbers, so that they join without a click. */
  readonly hz: readonly number[];
  /** 1: full scale. */
  readonly peak: number;
  readonly rateHz: number;
  readonly channels?: number;
};

/** 16 bits, in a minimal RIFF file; the same in each channel. */
export function toneWav({ hz, peak, rateHz, channels = 1 }: DetectedTone): Buffer {
  const samples = rateHz * hz.length;
  const frameBytes = 2 * channels;
  const wav = Buffer.alloc(44 + frameBytes * samples);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + frameBytes * samples, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels, 22);
  wav.writeUInt32LE(rateHz, 24);
  wav.writeUInt32LE(rateHz * frameBytes, 28);
  wav.writeUInt16LE(frameBytes, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(frameBytes * samples, 40);
  for (let i = 0; i < samples; i++) {
    const value = Math.round(peak * 32_767 * Math.sin((2 * Math.PI * hz[Math.floor(i / rateHz)]! * i) / rateHz));
    for (let c = 0; c < channels; c++) wav.writeInt16LE(value, 44 + i * frameBytes + 2 * c);
  }
  return wav;
}

/** dBov of a sine of that peak. */
export const toneLevel = (peak: number): number => dbov(peak ** 2 / 2);

/** `purity`: the share of the power at `hz` (Goertzel); 1 for a pure sine. */
export type Heard = { readonly hz: number; readonly level: number; readonly purity: number };

/** Frequency by rising zero crossings, level in dBov. */
export function hear(samples: Int16Array, rateHz: number): Heard {
  const crossings: number[] = [];
  for (let i = 1; i < samples.length; i++) {
    const [before, after] = [samples[i - 1]!, samples[i]!];
    if (before < 0 && after >= 0) crossings.push(i - after / (after - before));
  }
  const [first = 0, last = 0] = [crossings[0], crossings.at(-1)];
  const hz = ((crossings.length - 1) * rateHz) / (last - first);
  const { power } = loudness(samples);
  return { hz, level: dbov(power), purity: powerAt(samples, hz / rateHz) / power };
}

/** Power of one frequency (a share of the sampling rate), as a share of full scale. */
function powerAt(samples: Int16Array, frequency: number): number {
  let re = 0;
  let im = 0;
  for (const [i, sample] of samples.entries()) {
    re += sample * Math.cos(2 * Math.PI * frequency * i);
    im += sample * Math.sin(2 * Math.PI * frequency * i);
  }
  return (2 * (re * re + im * im)) / (samples.length * 32_768) ** 2;
}
