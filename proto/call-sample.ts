/** Of which calls of a run detail is kept whatever becomes of them: a sample by their numbers, the same for everyone who asks. */

export type CallSample = {
  /** 1: all calls. */
  readonly oneIn: number;
  readonly seed: number;
};

/** Neighbours, and those of one endpoint, whose numbers lie a fixed step apart, are as likely to be in it together as any two. */
export function isInSample({ oneIn, seed }: CallSample, number: number): boolean {
  // The finalizer of MurmurHash3: each bit of the number changes half of the bits.
  let hash = (number ^ Math.imul(seed, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % oneIn === 0;
}
