/**
 * May the run's figures be trusted? A verdict from the agents' own noise (design 8). Pure; the table below is published in
 * the README. Each check is made for every worker by itself, the worst one counts.
 */
import { count, type Histogram, quantile } from '@carillon/media/quality/histogram.ts';
import type { Validity } from '../contract/run.ts';
import { busiest, type NoiseTally, type WorkerNoise } from './noise-tally.ts';

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

/** value null: nothing to judge. `count`: what stands behind the value. */
type Finding = { readonly value: number | null; readonly count: number };

export function judge(tally: NoiseTally): Validity {
  const findings = [...tally.keys()]
    .sort()
    .map((worker) => ({ worker, by: findingsOf(tally.get(worker) as WorkerNoise) }));
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
  const all = [...tally.values()];
  if (all.every((w) => w.intervals === 0) && all.some((w) => w.planned > 0)) {
    const message = 'The agents reported no noise figures, so nothing vouches for the measurement.';
    reasons.push({ check: 'reported', level: 'SUSPECT', value: 0, limit: 0, unit: 'intervals', worker: null, message });
  }
  const verdict = reasons.some((r) => r.level === 'VOID') ? 'VOID' : reasons.length > 0 ? 'SUSPECT' : 'VALID';
  return { verdict, reasons, checks };
}

function findingsOf(w: WorkerNoise): Record<CheckName, Finding> {
  const share = (part: number, whole: number): Finding => ({
    value: whole > 0 ? (part / whole) * 100 : null,
    count: whole,
  });
  const p99 = (h: Histogram): Finding => ({ value: count(h) > 0 ? quantile(h, 0.99) : null, count: count(h) });
  return {
    inviteLateness: p99(w.inviteLate),
    pacingError: p99(w.pacingError),
    skippedSlots: share(w.slotsSkipped, w.slotsPlanned),
    loopDelay: p99(w.loopDelay),
    threadCpu: { value: busiest(w.cpu), count: w.intervals },
    steal: {
      value: w.stealSeconds > 0 ? (w.stolenSeconds / w.stealSeconds) * 100 : null,
      count: Math.round(w.stealSeconds),
    },
    receiveDrops: share(w.receiveDrops, w.receiveDrops + w.received),
    notStarted: share(w.notStarted, w.planned),
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
