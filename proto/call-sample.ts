/**
 * Decides for which calls of a run detail is always kept. The sample depends on the call number, and is the same on every agent.
 */

export type CallSample = {
  /** 1: all calls. */
  readonly oneIn: number;
  readonly seed: number;
};

/**
 * Neighbours, and calls of one endpoint, whose numbers have a fixed distance, are as likely to be in the sample
 * together as any two calls.
 */
export function isInSample({ oneIn, seed }: CallSample, number: number): boolean {
  // The finalizer of MurmurHash3: each bit of the number changes half of the bits.
  let hash = (number ^ Math.imul(seed, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % oneIn === 0;
}
