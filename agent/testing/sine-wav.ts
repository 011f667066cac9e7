/** A WAV file of a sine: 16 bits, one channel. */
export function sineWav(options: {
  readonly hz: number;
  readonly rateHz: number;
  readonly ms: number;
  /** 1: full scale. */
  readonly peak: number;
}): Buffer {
  const { hz, rateHz, ms, peak } = options;
  const frames = Math.round((rateHz * ms) / 1000);
  const file = Buffer.alloc(44 + frames * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + frames * 2, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rateHz, 24);
  file.writeUInt32LE(rateHz * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(frames * 2, 40);
  for (let i = 0; i < frames; i++)
    file.writeInt16LE(Math.round(peak * 32_767 * Math.sin((2 * Math.PI * hz * i) / rateHz)), 44 + i * 2);
  return file;
}
