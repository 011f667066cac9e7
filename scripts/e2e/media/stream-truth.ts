/** The expected report about a stream, computed separately from the instants at which its packets came. Pure. */

export type Arrived = { readonly atMs: number; readonly sequence: number; readonly timestamp: number };

export type StreamTruth = {
  readonly packets: number;
  readonly expected: number;
  /** Numbers that are missing between others. */
  readonly lost: number;
  /** What the clock shows beyond them, in packets. */
  readonly absent: number;
  readonly paused: number;
  readonly reordered: number;
  /** Runs of neighbours that never came. */
  readonly lossRuns: number;
  /** Time of lost packets, and time that nothing explains; time that the far end left out. */
  readonly absentMs: number;
  readonly pausedMs: number;
  /** The gap before the first packet, and the one after the last. */
  readonly headMs: number;
  readonly tailMs: number;
  /** Gaps between two packets that no pause explains, and the longest time between two. */
  readonly gaps: number;
  readonly longestGapMs: number;
  /** RFC 3550, 6.4.1, over all packets after the first. */
  readonly jitterMeanMs: number;
  readonly jitterMaxMs: number;
};

const HOLE_MS = 1000;
const PACKET_MS = 20;
const UNITS_PER_MS = 8;
const DIVISOR = 16;
/** More time between two timestamps is a pause. */
const MAX_PACKET_MS = 200;

/**
 * `arrived` without duplicates, in the order of arrival; media were owed from `fromMs` to `untilMs`. Gaps are counted in
 * packets as if they were `differMs` longer.
 */
export function truthOf(arrived: readonly Arrived[], fromMs: number, untilMs: number, differMs = 0): StreamTruth {
  const first = arrived[0]?.sequence ?? 0;
  const numbers = arrived.map(({ sequence }) => ((sequence - first) << 16) >> 16);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const come = new Set(numbers);
  const missing = Array.from({ length: most - least + 1 }, (_, i) => least + i).filter((n) => !come.has(n));
  const holes = holesOf(arrived, numbers, fromMs, untilMs, differMs);
  const packetsOf = (isPause: boolean): number =>
    holes.reduce((sum, h) => (h.isPause === isPause ? sum + Math.max(0, h.owed - h.numbered) : sum), 0);
  const [absent, paused] = [packetsOf(false), packetsOf(true)];
  const msOf = (isPause: boolean): number =>
    holes.reduce((sum, h) => (h.isPause === isPause ? sum + Math.max(0, h.ms - h.numbered * PACKET_MS) : sum), 0);
  const between = arrived.slice(1).map(({ atMs }, i) => atMs - arrived[i]!.atMs);
  return {
    packets: arrived.length,
    expected: most - least + 1 + absent + paused,
    lost: missing.length,
    absent,
    paused,
    reordered: numbers.filter((n, i) => n < Math.max(...numbers.slice(0, i))).length,
    lossRuns: missing.filter((n) => come.has(n - 1)).length,
    absentMs: missing.length * PACKET_MS + msOf(false),
    pausedMs: msOf(true),
    headMs: holes.find(({ where }) => where === 'HEAD')?.ms ?? 0,
    tailMs: holes.find(({ where }) => where === 'TAIL')?.ms ?? 0,
    gaps: holes.filter(({ where, isPause }) => where === 'GAP' && !isPause).length,
    longestGapMs: Math.max(0, ...between),
    ...jitterOf(arrived),
  };
}

type Hole = {
  readonly where: 'HEAD' | 'GAP' | 'TAIL';
  /** Beyond the packet before it. */
  readonly ms: number;
  /** The packet after it has a timestamp that went on by more than its number did. */
  readonly isPause: boolean;
  /** Packets that belong into it, and those with missing numbers. */
  readonly owed: number;
  readonly numbered: number;
};

function holesOf(
  arrived: readonly Arrived[],
  numbers: readonly number[],
  fromMs: number,
  untilMs: number,
  differMs: number,
): Hole[] {
  const step = (i: number): number => Math.max(0, numbers[i]! - numbers[i - 1]! - 1);
  const instants = [fromMs, ...arrived.map(({ atMs }) => atMs), untilMs];
  return instants.slice(1).flatMap((atMs, i): Hole[] => {
    const ms = atMs - instants[i]!;
    if (ms < HOLE_MS) return [];
    const packets = (ms + differMs) / PACKET_MS;
    if (i === 0) return [{ where: 'HEAD', ms, isPause: false, owed: Math.round(packets), numbered: 0 }];
    const hole = { ms: ms - PACKET_MS, isPause: false, owed: Math.round(packets) - 1, numbered: 0 };
    if (i === arrived.length) return [{ where: 'TAIL', ...hole }];
    const before = arrived[i - 1]!;
    const skippedMs =
      ((arrived[i]!.timestamp - before.timestamp) | 0) / UNITS_PER_MS - (numbers[i]! - numbers[i - 1]!) * PACKET_MS;
    if (skippedMs > MAX_PACKET_MS) return [{ where: 'GAP', ...hole, isPause: true, numbered: step(i) }];
    // Due in it by their timestamps, these were delayed: with the packets between them, their numbers are known.
    const late = arrived
      .slice(i)
      .findLastIndex((p) => before.atMs + ((p.timestamp - before.timestamp) | 0) / UNITS_PER_MS < atMs - PACKET_MS / 2);
    if (late < 0) return [{ where: 'GAP', ...hole, numbered: step(i) }];
    const slots = Math.floor(packets - 1 / 2);
    return [{ where: 'GAP', ...hole, owed: slots - (numbers[i + late]! - numbers[i - 1]!), numbered: step(i) }];
  });
}

function jitterOf(arrived: readonly Arrived[]): Pick<StreamTruth, 'jitterMeanMs' | 'jitterMaxMs'> {
  let jitter = 0;
  let sum = 0;
  let greatest = 0;
  for (let i = 1; i < arrived.length; i++) {
    const [before, now] = [arrived[i - 1]!, arrived[i]!];
    const mediaMs = ((now.timestamp - before.timestamp) | 0) / UNITS_PER_MS;
    jitter += (Math.abs(now.atMs - before.atMs - mediaMs) - jitter) / DIVISOR;
    sum += jitter;
    greatest = Math.max(greatest, jitter);
  }
  return { jitterMeanMs: sum / (arrived.length - 1), jitterMaxMs: greatest };
}
