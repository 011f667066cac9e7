/**
 * Decides whether the run's figures can be trusted: a verdict from the agents' own noise (docs/decisions.md, Verdict).
 * Pure; docs/guide/trust.md shows the table below. Each check is made per worker, and the worst one counts. Effects
 * judge: what the agents did late, or not at all. Causes explain: a busy host that did everything in time has measured
 * well.
 */
import { count, type Histogram, quantile } from '@carillon/media/quality/histogram.ts';
import type { Validity } from '../../contract/run/validity.ts';
import { busiest, type NoiseTally, type WorkerNoise } from './noise-tally.ts';

type Effect = {
  readonly suspectAbove: number;
  /** Null: it never makes a run VOID. */
  readonly voidAbove: number | null;
  readonly unit: string;
  readonly says: string;
  readonly touches: string;
};
type Cause = {
  readonly above: number;
  readonly unit: string;
  readonly says: string;
  /** True: people read of it also when nothing was late. */
  readonly isSaidAlone: boolean;
};

export const EFFECTS = {
  inviteLateness: {
    suspectAbove: 20,
    voidAbove: 200,
    unit: 'ms p99',
    says: 'calls were started late',
    touches: 'post-dial delay and call set-up time, which count from the planned instant, and the calls per second',
  },
  actionLateness: {
    suspectAbove: 20,
    voidAbove: 200,
    unit: 'ms p99',
    says: 'registrations, hang-ups or steps of scenarios were late',
    touches: 'call durations, and when scenario steps were taken',
  },
  pacingError: {
    suspectAbove: 5,
    voidAbove: 20,
    unit: 'ms p99',
    says: 'RTP packets were sent late',
    touches: 'the jitter that the other end measured',
  },
  skippedSlots: {
    suspectAbove: 0.5,
    voidAbove: 2,
    unit: '%',
    says: 'RTP packets were not sent, because they were too late',
    touches: 'what the other end heard: its gaps and its MOS',
  },
  loopDelay: {
    suspectAbove: 10,
    voidAbove: 100,
    unit: 'ms p99',
    says: "the agent's event loop was delayed",
    touches: 'how fast the agent answered, and with it the times that the other end measured',
  },
  stall: {
    suspectAbove: 150,
    voidAbove: 10_000,
    unit: 'ms',
    says: 'the agent stalled',
    touches: 'calls in progress at that moment',
  },
  receiveDrops: {
    suspectAbove: 0,
    voidAbove: 0.1,
    unit: '%',
    says: 'the kernel dropped packets that had arrived',
    touches: 'loss and MOS, and retransmissions of SIP messages',
  },
  notStarted: {
    suspectAbove: 0.1,
    voidAbove: 1,
    unit: '%',
    says: 'planned calls were not started',
    touches: 'the load, which was lower than requested',
  },
  clockSteps: {
    suspectAbove: 0,
    voidAbove: null,
    unit: 'times',
    says: "the host's clock was set",
    touches: 'instants, and jitter at that moment',
  },
} as const satisfies Record<string, Effect>;

export const CAUSES_OF_NOISE = {
  threadCpu: { above: 70, unit: '% for 10 s', says: "one of the agent's threads was busy", isSaidAlone: true },
  steal: { above: 2, unit: '%', says: 'the hypervisor took processor time away', isSaidAlone: true },
  coldStart: {
    above: 10,
    unit: '% of the time',
    says: 'the agent was in its first minute after it started',
    isSaidAlone: false,
  },
} as const satisfies Record<string, Cause>;

type EffectName = keyof typeof EFFECTS;
type CauseName = keyof typeof CAUSES_OF_NOISE;
const EFFECT_NAMES = Object.keys(EFFECTS) as EffectName[];
const CAUSE_NAMES = Object.keys(CAUSES_OF_NOISE) as CauseName[];

/** `value` null: nothing to judge. `count`: the number of measurements of the value. */
type Figure = { readonly value: number | null; readonly count: number };
type Worst = Figure & { readonly worker: string | null };
type Reason = Validity['reasons'][number];
type Explanation = Validity['explanations'][number];

/** `copied`: names of workers whose key two agents had. */
export function judge(tally: NoiseTally, copied: readonly string[] = []): Validity {
  const byWorker = [...tally.keys()]
    .sort()
    .map((worker) => ({ worker, figures: figuresOf(tally.get(worker) as WorkerNoise) }));
  const worstOf = (name: EffectName | CauseName): Worst => {
    let worst: Worst = { value: null, count: 0, worker: null };
    for (const { worker, figures } of byWorker) {
      const { value, count } = figures[name];
      const isWorse = value !== null && (worst.value === null || value > worst.value);
      worst = { ...(isWorse ? { value, worker } : worst), count: worst.count + count };
    }
    return worst;
  };
  const effects = EFFECT_NAMES.map((check) => ({ check, worst: worstOf(check) }));
  const causes = CAUSE_NAMES.map((check) => ({ check, worst: worstOf(check) }));
  const reasons = effects.flatMap(({ check, worst }) => reasonOf(check, worst) ?? []);
  const all = [...tally.values()];
  if (all.every((w) => w.intervals === 0) && all.some((w) => w.planned > 0)) reasons.push(NOT_REPORTED);
  reasons.push(...copied.map(twoAgents));
  reasons.sort((a, b) => Number(b.level === 'VOID') - Number(a.level === 'VOID'));
  const explanations = causes.flatMap(({ check, worst }) => explanationOf(check, worst) ?? []);
  const verdict = reasons[0]?.level ?? 'VALID';
  return {
    verdict,
    sentence: sentenceOf(verdict, reasons, explanations),
    reasons,
    explanations,
    checks: [
      ...effects.map(({ check, worst }) => {
        const { suspectAbove, voidAbove, unit } = EFFECTS[check];
        return { check, kind: 'EFFECT' as const, ...shown(worst), suspectAbove, voidAbove, unit };
      }),
      ...causes.map(({ check, worst }) => {
        const { above, unit } = CAUSES_OF_NOISE[check];
        return { check, kind: 'CAUSE' as const, ...shown(worst), suspectAbove: above, voidAbove: null, unit };
      }),
    ],
  };
}

const shown = ({ value, count }: Worst): Figure => ({ value: value === null ? null : round(value), count });

function reasonOf(check: EffectName, { value: exact, worker }: Worst): Reason | null {
  const { suspectAbove, voidAbove, unit, says, touches }: Effect = EFFECTS[check];
  if (exact === null || worker === null || exact <= suspectAbove) return null;
  const isVoid = voidAbove !== null && exact > voidAbove;
  const limit = isVoid ? voidAbove : suspectAbove;
  const value = round(exact);
  return {
    check,
    level: isVoid ? 'VOID' : 'SUSPECT',
    value,
    limit,
    unit,
    worker,
    touches,
    message: `On ${worker} ${says}: ${value} ${unit}, limit ${limit} ${unit.replace(/ .*/, '')}. This affects ${touches}.`,
  };
}

function explanationOf(check: CauseName, { value: exact, worker }: Worst): Explanation | null {
  const { above, unit, says } = CAUSES_OF_NOISE[check];
  if (exact === null || worker === null || exact <= above) return null;
  const value = round(exact);
  return { check, value, limit: above, unit, worker, message: `On ${worker} ${says}: ${value} ${unit}.` };
}

const twoAgents = (worker: string): Reason => ({
  check: 'identity',
  level: 'VOID',
  value: 2,
  limit: 1,
  unit: 'agents',
  worker,
  touches: 'everything',
  message: `Two agents had the key of ${worker}, a copied host or state folder, and took turns: calls were lost between them.`,
});

const NOT_REPORTED: Reason = {
  check: 'reported',
  level: 'SUSPECT',
  value: 0,
  limit: 0,
  unit: 'intervals',
  worker: null,
  touches: 'everything',
  message: 'The agents reported nothing about their own noise, so the figures cannot be trusted.',
};

/** `SUSPECT: on w1 calls were started late: 35 ms p99, limit 20. This touches … Likely cause: on w1 the hypervisor took …` */
function sentenceOf(
  verdict: Validity['verdict'],
  reasons: readonly Reason[],
  explanations: readonly Explanation[],
): string {
  const [first, ...others] = reasons;
  // Work was late or missing because the agent was stalled.
  const stall = others.find(({ check }) => check === 'stall');
  const because = [
    ...(stall ? [`on ${stall.worker} the agent stalled for ${stall.value} ms`] : []),
    ...explanations
      .filter(({ check }) => reasons.length > 0 || CAUSES_OF_NOISE[check as CauseName].isSaidAlone)
      .map(({ message }) => lower(message.replace(/\.$/, ''))),
  ].join('; ');
  if (first === undefined) {
    const although = because === '' ? '' : `, although ${because}`;
    return `VALID: the agents did everything in time${although}.`;
  }
  const more = others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'reason' : 'reasons'}.`;
  const cause = because === '' ? '' : ` Likely cause: ${because}.`;
  return `${verdict}: ${lower(first.message)}${more}${cause}`;
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function figuresOf(w: WorkerNoise): Record<EffectName | CauseName, Figure> {
  const share = (part: number, whole: number): Figure => ({
    value: whole > 0 ? (part / whole) * 100 : null,
    count: whole,
  });
  const at = (h: Histogram, q: number): Figure => ({ value: count(h) > 0 ? quantile(h, q) : null, count: count(h) });
  return {
    inviteLateness: at(w.inviteLate, 0.99),
    actionLateness: at(w.actionLate, 0.99),
    pacingError: at(w.pacingError, 0.99),
    skippedSlots: larger(share(w.slotsSkipped, w.slotsPlanned), share(w.streamsSkipped, w.streamsPlanned)),
    loopDelay: at(w.loopDelay, 0.99),
    stall: at(w.loopDelay, 1),
    receiveDrops: share(w.receiveDrops, w.receiveDrops + w.received),
    notStarted: share(w.notStarted, w.planned),
    clockSteps: { value: w.intervals > 0 ? w.clockSteps : null, count: w.intervals },
    threadCpu: { value: busiest(w.cpu), count: w.intervals },
    steal: {
      value: w.stealSeconds > 0 ? (w.stolenSeconds / w.stealSeconds) * 100 : null,
      count: Math.round(w.stealSeconds),
    },
    coldStart: {
      // Both are stored rounded.
      value: w.seconds > 0 ? Math.min((w.coldSeconds / w.seconds) * 100, 100) : null,
      count: Math.round(w.seconds),
    },
  };
}

/** Intervals cover all work of the agent, and streams that of the run; neither hides the other. */
const larger = (a: Figure, b: Figure): Figure => ((b.value ?? -1) > (a.value ?? -1) ? b : a);

const round = (value: number): number => Math.round(value * 1000) / 1000;
