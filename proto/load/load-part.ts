/**
 * Which calls of a load are whose. Every call has a place among `of`, a part the places `from` up to `until`. Places follow each other by
 * a stride that is next to the golden section, so that each part has its share of any stretch of the load, and all of them have all.
 */

export type LoadPart = { readonly from: number; readonly until: number; readonly of: number };

export const WHOLE: LoadPart = { from: 0, until: 1, of: 1 };

export const isOfPart = (place: number, { from, until }: LoadPart): boolean => place >= from && place < until;

/** Parts of so many places each, one after another. */
export function partsOf(sizes: readonly number[]): LoadPart[] {
  const of = sizes.reduce((sum, size) => sum + size, 0);
  let from = 0;
  return sizes.map((size) => {
    const part = { from, until: from + size, of };
    from += size;
    return part;
  });
}

/** `part` once more, cut into parts of its own by `sizes`, which are to add up to its places. */
export const partsWithin = (part: LoadPart, sizes: readonly number[]): LoadPart[] =>
  partsOf(sizes).map(({ from, until }) => ({ from: part.from + from, until: part.from + until, of: part.of }));

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** So many candidates on either side: among them is one that spreads well. */
const CANDIDATES = 64;

/** From the place of one call to that of the next, over `of` places: prime to it, and of those near the golden section the most even. */
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

/** Of the continued fraction: the smaller, the more evenly its multiples lie. Infinity where the two are not prime to each other. */
function largestQuotient(of: number, stride: number): number {
  let [a, b] = [of, stride];
  let largest = 0;
  while (b > 0) {
    largest = Math.max(largest, Math.floor(a / b));
    [a, b] = [b, a % b];
  }
  return a === 1 ? largest : Number.POSITIVE_INFINITY;
}
