/** Seeded random numbers for tests, so that failures can be repeated. */
import type { Random } from '@carillon/media/seeded.ts';

export { type Random, seeded } from '@carillon/media/seeded.ts';

/** This many bytes of it. */
export const bytesFrom = (random: Random, length: number): Buffer<ArrayBuffer> =>
  Buffer.from(Uint8Array.from({ length }, () => random() * 256));
