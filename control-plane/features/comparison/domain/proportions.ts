/**
 * Shares of calls with their intervals: Wilson's score interval of one share (E. B. Wilson 1927; R. G. Newcombe,
 * Statistics in Medicine 17 (1998) 857-872, method 3), Newcombe's interval of a difference (ibid., 873-890, method 10),
 * and the score test of two shares; Fisher's exact test is used for small counts. Calls that fail together count as
 * fewer calls, by the design effect of their blocks. Pure.
 */
import { logChoose, normalTails } from '../../../domain/statistics/distributions.ts';
import { Z95 } from '../../../domain/statistics/z95.ts';

export type Share = { readonly hits: number; readonly of: number };
export type Bounds = { readonly from: number; readonly to: number };

/** The 95 % interval. */
export function wilson({ hits, of }: Share): Bounds {
  if (of <= 0) return { from: 0, to: 1 };
  const p = hits / of;
  const z2 = Z95 * Z95;
  const middle = p + z2 / (2 * of);
  const half = Z95 * Math.sqrt((p * (1 - p)) / of + z2 / (4 * of * of));
  const scale = 1 + z2 / of;
  return { from: hits <= 0 ? 0 : (middle - half) / scale, to: hits >= of ? 1 : (middle + half) / scale };
}

/** The 95 % interval of `b` - `a`. */
export function newcombe(a: Share, b: Share): Bounds {
  const [pa, pb] = [a.hits / a.of, b.hits / b.of];
  const [wa, wb] = [wilson(a), wilson(b)];
  const by = pb - pa;
  return {
    from: by - Math.hypot(pb - wb.from, wa.to - pa),
    to: by + Math.hypot(wb.to - pb, pa - wa.from),
  };
}

/** The score test needs at least this many of both kinds in every run. */
const FEW = 10;

/** The probability of at least such a difference without a real one. */
export function differenceOfShares(a: Share, b: Share): number {
  const hits = a.hits + b.hits;
  const of = a.of + b.of;
  const expected = [a.of, b.of].flatMap((n) => [(n * hits) / of, (n * (of - hits)) / of]);
  if (Math.min(...expected) < FEW) return fisher(a, b);
  const pooled = hits / of;
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / a.of + 1 / b.of));
  return normalTails((b.hits / b.of - a.hits / a.of) / deviation);
}

/** The design effect makes calls fractional, so they are rounded. */
function fisher(one: Share, other: Share): number {
  const round = ({ hits, of }: Share) => ({ hits: Math.round(hits), of: Math.max(1, Math.round(of)) });
  const [a, b] = [round(one), round(other)];
  // The sum runs over the count of the rarer kind.
  const isRare = a.hits + b.hits <= (a.of + b.of) / 2;
  const [x, y] = isRare ? [a.hits, b.hits] : [a.of - a.hits, b.of - b.hits];
  const rare = x + y;
  const all = logChoose(a.of + b.of, rare);
  const logOf = (k: number): number => logChoose(a.of, k) + logChoose(b.of, rare - k) - all;
  const least = Math.max(0, rare - b.of);
  const most = Math.min(rare, a.of);
  const seen = logOf(x) + 1e-9;
  let tails = 0;
  for (let k = least; k <= most; k++) {
    const log = logOf(k);
    if (log <= seen) tails += Math.exp(log);
  }
  return Math.min(1, tails);
}

/**
 * How much the variance of a share exceeds that of independent calls, from its blocks: the ratio estimator's (W. G.
 * Cochran, Sampling Techniques, 3rd ed., 6.3) to the binomial one; at least 1. Fewer than FEW_BLOCKS blocks give no
 * result.
 */
export function designEffect(blocks: readonly Share[]): number {
  const filled = blocks.filter(({ of }) => of > 0);
  const hits = filled.reduce((sum, b) => sum + b.hits, 0);
  const of = filled.reduce((sum, b) => sum + b.of, 0);
  const p = of > 0 ? hits / of : 0;
  if (filled.length < FEW_BLOCKS || p <= 0 || p >= 1) return 1;
  const residuals = filled.map((b) => b.hits - p * b.of);
  const square = residuals.reduce((sum, r) => sum + r * r, 0);
  // Neighbours that deviate alike add to it.
  const neighbours = residuals.slice(1).reduce((sum, r, i) => sum + r * (residuals[i] as number), 0);
  const variance = ((square + 2 * Math.max(0, neighbours)) * filled.length) / (filled.length - 1) / (of * of);
  return Math.max(1, variance / ((p * (1 - p)) / of));
}
const FEW_BLOCKS = 5;

/** The number of independent calls that the share is worth. */
export const effective = ({ hits, of }: Share, effect: number): Share => ({ hits: hits / effect, of: of / effect });
