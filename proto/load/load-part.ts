/**
 * Assigns the calls of a load to parts. Every call has a place among `of`; a part has the places `from` up to `until`.
 * Consecutive calls are a stride apart that is close to the golden ratio, so each part has its share of any period of the load,
 * and together the parts have all calls.
 */

export type LoadPart = { readonly from: number; readonly until: number; readonly of: number };

export const WHOLE: LoadPart = { from: 0, until: 1, of: 1 };

export const isOfPart = (place: number, { from, until }: LoadPart): boolean => place >= from && place < until;

/** Returns consecutive parts of this many places each. */
export function partsOf(sizes: readonly number[]): LoadPart[] {
  const of = sizes.reduce((sum, size) => sum + size, 0);
  let from = 0;
  return sizes.map((size) => {
    const part = { from, until: from + size, of };
    from += size;
    return part;
  });
}

/** Splits `part` further by `sizes`. Their sum must be the number of its places. */
export const partsWithin = (part: LoadPart, sizes: readonly number[]): LoadPart[] =>
  partsOf(sizes).map(({ from, until }) => ({ from: part.from + from, until: part.from + until, of: part.of }));

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** The number of candidates on either side. One of them spreads well. */
const CANDIDATES = 64;

/**
 * The stride from one call's place to the next, over `of` places: coprime to it, and the most even of those near the
 * golden ratio.
 */
export function strideOf(of: number): number {
  const middle = Math.round(of * GOLDEN);
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let away = 0; away <= CANDIDATES; away++) {
    for (const stride of [middle + away, middle - away]) {
      if (stride < 1 || stride >= of) continue;
      const uneven = largestQuotient(of, stride);
      if (uneven >= least) continue;
      best = stride;
      least = uneven;
    }
  }
  return best;
}

/**
 * The largest quotient of the continued fraction: lower values spread the multiples more evenly. Infinity if the two are not
 * coprime.
 */
function largestQuotient(of: number, stride: number): number {
  let [a, b] = [of, stride];
  let largest = 0;
  while (b > 0) {
    largest = Math.max(largest, Math.floor(a / b));
    [a, b] = [b, a % b];
  }
  return a === 1 ? largest : Number.POSITIVE_INFINITY;
}
