/**
 * A mergeable histogram for latencies, in milliseconds. Bucket widths grow by a constant factor, so every quantile is
 * within 2.5 % of the true value; count, sum, minimum and maximum are exact. It can be in shared memory, with one
 * writer and many readers.
 */

/** This value is the same wherever histograms are stored or sent: only equal layouts can be merged. */
export const RELATIVE_ERROR = 0.025;
const GROWTH = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LOG_GROWTH = Math.log(GROWTH);

/** Values below 1 us share bucket 0; the last bucket takes values above one hour. */
const MIN_MS = 0.001;
const MAX_MS = 3_600_000;
const INDEX_OFFSET = Math.floor(Math.log(MIN_MS) / LOG_GROWTH) - 1;
const indexOf = (value: number): number => Math.ceil(Math.log(value) / LOG_GROWTH) - INDEX_OFFSET;

export const BUCKETS = indexOf(MAX_MS) + 1;

/** Bytes of one histogram; a multiple of 64. */
export const HISTOGRAM_BYTES = Math.ceil((32 + BUCKETS * 4) / 64) * 64;

export type Histogram = {
  readonly counts: Uint32Array;
  /** Count, sum, minimum, maximum. Minimum and maximum are undefined while count is 0. */
  readonly exact: Float64Array;
};

const COUNT = 0;
const SUM = 1;
const MIN = 2;
const MAX = 3;

/** A histogram over zeroed bytes of `buffer`, or over newly allocated memory. */
export function createHistogram(
  buffer: ArrayBuffer | SharedArrayBuffer = new ArrayBuffer(HISTOGRAM_BYTES),
  offset = 0,
): Histogram {
  return {
    exact: new Float64Array(buffer as ArrayBuffer, offset, 4),
    counts: new Uint32Array(buffer as ArrayBuffer, offset + 32, BUCKETS),
  };
}

/** Adds `value` ms `times` times. NaN is not counted. */
export function add(h: Histogram, value: number, times = 1): void {
  if (Number.isNaN(value) || times <= 0) return;
  const index = value > MIN_MS ? Math.min(BUCKETS - 1, indexOf(value)) : 0;
  h.counts[index]! += times;
  if (h.exact[COUNT] === 0 || value < h.exact[MIN]!) h.exact[MIN] = value;
  if (h.exact[COUNT] === 0 || value > h.exact[MAX]!) h.exact[MAX] = value;
  h.exact[SUM]! += value * times;
  h.exact[COUNT]! += times;
}

/** Number of steps over which a long delay is spread: enough for any percentile. */
const MAX_STEPS = 1000;

/**
 * Counts a delay once for each millisecond in which work may have become due, with the remaining delay at that time. A
 * plain count would weigh a stall of 3 s like one turn among thousands. `everyMs`: an integer; the intended interval of
 * turns.
 */
export function addDelay(h: Histogram, delayMs: number, everyMs: number): void {
  add(h, delayMs, everyMs);
  const missed = Math.floor(delayMs / everyMs);
  if (!(missed >= 1)) return;
  const steps = Math.min(MAX_STEPS, missed);
  const times = Math.round((missed / steps) * everyMs);
  for (let i = 1; i <= steps; i++) add(h, delayMs * (1 - i / (steps + 1)), times);
}

export const count = (h: Histogram): number => h.exact[COUNT]!;
export const sum = (h: Histogram): number => h.exact[SUM]!;
/** NaN if nothing was counted, like `greatest` and `mean`. */
export const least = (h: Histogram): number => (h.exact[COUNT] === 0 ? Number.NaN : h.exact[MIN]!);
export const greatest = (h: Histogram): number => (h.exact[COUNT] === 0 ? Number.NaN : h.exact[MAX]!);
export const mean = (h: Histogram): number => h.exact[SUM]! / h.exact[COUNT]!;

/** Adds everything that `from` counted. */
export function merge(into: Histogram, from: Histogram): void {
  if (from.exact[COUNT] === 0) return;
  for (let i = 0; i < BUCKETS; i++) into.counts[i]! += from.counts[i]!;
  if (into.exact[COUNT] === 0 || from.exact[MIN]! < into.exact[MIN]!) into.exact[MIN] = from.exact[MIN]!;
  if (into.exact[COUNT] === 0 || from.exact[MAX]! > into.exact[MAX]!) into.exact[MAX] = from.exact[MAX]!;
  into.exact[SUM]! += from.exact[SUM]!;
  into.exact[COUNT]! += from.exact[COUNT]!;
}

/** The middle, in relative terms, of a bucket's range. */
const middleOfBucket = (index: number): number => {
  if (index === 0) return MIN_MS;
  return (2 * GROWTH ** (index + INDEX_OFFSET)) / (GROWTH + 1);
};

/** The value at `q` (0 to 1) by nearest rank, within 2.5 %; NaN if nothing was counted. */
export function quantile(h: Histogram, q: number): number {
  const total = h.exact[COUNT]!;
  if (total === 0) return Number.NaN;
  const rank = Math.max(1, Math.ceil(q * total));
  let seen = 0;
  let index = 0;
  while (index < BUCKETS - 1) {
    seen += h.counts[index]!;
    if (seen >= rank) break;
    index += 1;
  }
  return Math.min(h.exact[MAX]!, Math.max(h.exact[MIN]!, middleOfBucket(index)));
}

/** A histogram for the wire: the buckets that are not empty, ascending. */
export type SparseHistogram = {
  readonly bucket: readonly number[];
  readonly count: readonly number[];
  readonly sum: number;
  readonly min: number;
  readonly max: number;
};

export function toSparse(h: Histogram): SparseHistogram {
  const bucket: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < BUCKETS; i++) {
    if (h.counts[i] === 0) continue;
    bucket.push(i);
    counts.push(h.counts[i]!);
  }
  const empty = h.exact[COUNT] === 0;
  return {
    bucket,
    count: counts,
    sum: h.exact[SUM]!,
    min: empty ? 0 : h.exact[MIN]!,
    max: empty ? 0 : h.exact[MAX]!,
  };
}

/** The histogram that was encoded. RangeError on buckets that the layout does not have or arrays of unequal length. */
export function fromSparse(sparse: SparseHistogram): Histogram {
  if (sparse.bucket.length !== sparse.count.length) throw new RangeError('buckets and counts differ in number');
  const h = createHistogram();
  let total = 0;
  sparse.bucket.forEach((index, i) => {
    if (!Number.isInteger(index) || index < 0 || index >= BUCKETS) throw new RangeError(`no bucket ${index}`);
    h.counts[index]! += sparse.count[i]!;
    total += sparse.count[i]!;
  });
  h.exact.set([total, sparse.sum, sparse.min, sparse.max]);
  return h;
}

/** The values counted in `now` since `before`, an earlier copy. Minimum and maximum are as exact as a bucket. */
export function since(now: Histogram, before: Histogram): Histogram {
  const h = createHistogram();
  let total = 0;
  let first = -1;
  let last = 0;
  for (let i = 0; i < BUCKETS; i++) {
    h.counts[i] = now.counts[i]! - before.counts[i]!;
    if (h.counts[i] === 0) continue;
    total += h.counts[i]!;
    if (first < 0) first = i;
    last = i;
  }
  if (total === 0) return h;
  const least = Math.max(now.exact[MIN]!, middleOfBucket(first));
  const greatest = Math.max(least, Math.min(now.exact[MAX]!, middleOfBucket(last)));
  h.exact.set([total, now.exact[SUM]! - before.exact[SUM]!, least, greatest]);
  return h;
}

/** An unshared copy, to be compared with by `since`. */
export function copy(h: Histogram): Histogram {
  const made = createHistogram();
  made.counts.set(h.counts);
  made.exact.set(h.exact);
  return made;
}
