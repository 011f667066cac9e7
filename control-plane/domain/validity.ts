/**
 * May the run's figures be trusted? A verdict from the agents' own noise (design 8). Pure; the table below is published in
 * the README. Each check is made for every worker by itself, the worst one counts.
 */
import {
  BUCKETS,
  count,
  createHistogram,
  fromSparse,
  type Histogram,
  merge,
  quantile,
} from '@carillon/media/quality/histogram.ts';
import type { Validity } from '../contract/run.ts';

/** One interval of one worker's noise. */
export type NoiseInterval = {
  readonly worker: string;
  readonly atMs: number;
  readonly seconds: number;
  readonly pacingError: readonly number[];
  readonly slotsPlanned: number;
  readonly slotsSkipped: number;
  readonly loopDelay: readonly number[];
  /** Busiest thread, 0 to 1. */
  readonly threadCpu: number;
  /** 0 to 1; null: the host does not tell. */
  readonly steal: number | null;
  readonly receiveDrops: number;
  readonly received: number;
};

export type StartNoise = {
  readonly worker: string;
  readonly inviteLate: readonly number[];
  readonly planned: number;
  readonly started: number;
  readonly notStarted: number;
};

type Check = {
  readonly suspectAbove: number;
  readonly voidAbove: number;
  readonly unit: string;
  readonly says: string;
};

export const CHECKS = {
  inviteLateness: { suspectAbove: 20, voidAbove: 200, unit: 'ms p99', says: 'calls were started late' },
  pacingError: { suspectAbove: 5, voidAbove: 20, unit: 'ms p99', says: 'RTP packets were sent off their instant' },
  skippedSlots: {
    suspectAbove: 0.1,
    voidAbove: 1,
    unit: '%',
    says: 'RTP packets were not sent because their instant had passed',
  },
  loopDelay: { suspectAbove: 10, voidAbove: 100, unit: 'ms p99', says: 'the event loop was held up' },
  threadCpu: { suspectAbove: 70, voidAbove: 90, unit: '% for 10 s', says: 'a thread had no reserve' },
  steal: { suspectAbove: 2, voidAbove: 10, unit: '%', says: 'the hypervisor took the processor away' },
  receiveDrops: { suspectAbove: 0, voidAbove: 0.1, unit: '%', says: 'the kernel dropped packets that had arrived' },
  notStarted: { suspectAbove: 0.1, voidAbove: 1, unit: '%', says: 'planned calls were not started' },
} as const satisfies Record<string, Check>;
type CheckName = keyof typeof CHECKS;

/** Buckets of the histograms that a verdict is drawn from: indices below it. */
export const HISTOGRAM_BUCKETS = BUCKETS;

/** CPU counts when it stays high this long. */
const CPU_WINDOW_SECONDS = 10;

/** value null: nothing to judge. `count`: what stands behind the value. */
type Finding = { readonly value: number | null; readonly count: number };

export function judge(noise: readonly NoiseInterval[], starts: readonly StartNoise[]): Validity {
  const workers = [...new Set([...noise.map((n) => n.worker), ...starts.map((s) => s.worker)])].sort();
  const findings = workers.map((worker) => ({
    worker,
    by: findingsOf(
      noise.filter((n) => n.worker === worker),
      starts.filter((s) => s.worker === worker),
    ),
  }));
  const names = Object.keys(CHECKS) as CheckName[];
  const reasons: Validity['reasons'] = [];
  const checks: Validity['checks'] = names.map((check) => {
    const { suspectAbove, voidAbove, unit, says } = CHECKS[check];
    let worst: { worker: string; value: number } | null = null;
    let total = 0;
    for (const { worker, by } of findings) {
      total += by[check].count;
      const { value } = by[check];
      if (value !== null && (worst === null || value > worst.value)) worst = { worker, value };
    }
    if (worst && worst.value > suspectAbove) {
      const level = worst.value > voidAbove ? 'VOID' : 'SUSPECT';
      const limit = level === 'VOID' ? voidAbove : suspectAbove;
      const value = round(worst.value);
      const message = `On ${worst.worker} ${says}: ${value} ${unit}, ${level === 'VOID' ? 'void' : 'suspect'} above ${limit}.`;
      reasons.push({ check, level, value, limit, unit, worker: worst.worker, message });
    }
    return { check, value: worst && round(worst.value), suspectAbove, voidAbove, unit, count: total };
  });
  if (noise.length === 0 && starts.some((s) => s.planned > 0)) {
    const message = 'The agents reported no noise figures, so nothing vouches for the measurement.';
    reasons.push({ check: 'reported', level: 'SUSPECT', value: 0, limit: 0, unit: 'intervals', worker: null, message });
  }
  const verdict = reasons.some((r) => r.level === 'VOID') ? 'VOID' : reasons.length > 0 ? 'SUSPECT' : 'VALID';
  return { verdict, reasons, checks };
}

function findingsOf(noise: readonly NoiseInterval[], starts: readonly StartNoise[]): Record<CheckName, Finding> {
  const sum = <T>(rows: readonly T[], pick: (row: T) => number) => rows.reduce((s, row) => s + pick(row), 0);
  const share = (part: number, whole: number): Finding => ({
    value: whole > 0 ? (part / whole) * 100 : null,
    count: whole,
  });
  const p99 = (histograms: readonly (readonly number[])[]): Finding => {
    const all = createHistogram();
    for (const pairs of histograms) merge(all, fromPairs(pairs));
    return { value: count(all) > 0 ? quantile(all, 0.99) : null, count: count(all) };
  };
  const drops = sum(noise, (n) => n.receiveDrops);
  const told = noise.filter((n) => n.steal !== null);
  const stolen = sum(told, (n) => (n.steal as number) * n.seconds);
  const seconds = sum(told, (n) => n.seconds);
  return {
    inviteLateness: p99(starts.map((s) => s.inviteLate)),
    pacingError: p99(noise.map((n) => n.pacingError)),
    skippedSlots: share(
      sum(noise, (n) => n.slotsSkipped),
      sum(noise, (n) => n.slotsPlanned),
    ),
    loopDelay: p99(noise.map((n) => n.loopDelay)),
    threadCpu: sustainedCpu(noise),
    steal: { value: seconds > 0 ? (stolen / seconds) * 100 : null, count: Math.round(seconds) },
    receiveDrops: share(drops, drops + sum(noise, (n) => n.received)),
    notStarted: share(
      sum(starts, (s) => s.notStarted),
      sum(starts, (s) => s.planned),
    ),
  };
}

/** Highest mean over any 10 s in a row, percent; the whole of a shorter record. */
function sustainedCpu(noise: readonly NoiseInterval[]): Finding {
  const rows = [...noise].sort((a, b) => a.atMs - b.atMs);
  let worst: number | null = null;
  for (let from = 0; from < rows.length; from++) {
    let seconds = 0;
    let busy = 0;
    for (let i = from; i < rows.length && seconds < CPU_WINDOW_SECONDS; i++) {
      const row = rows[i] as NoiseInterval;
      seconds += row.seconds;
      busy += row.threadCpu * row.seconds;
    }
    const whole = seconds >= CPU_WINDOW_SECONDS * 0.95 || from === 0;
    if (whole && seconds > 0) worst = Math.max(worst ?? 0, (busy / seconds) * 100);
  }
  return { value: worst, count: rows.length };
}

/** [bucket, count, bucket, count …] as stored. */
export function fromPairs(pairs: readonly number[]): Histogram {
  const bucket: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    bucket.push(pairs[i] as number);
    counts.push(pairs[i + 1] as number);
  }
  return fromSparse({ bucket, count: counts, sum: 0, min: 0, max: Number.MAX_VALUE });
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
