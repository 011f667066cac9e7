/** The curves of a folded run: the sums of ended calls by the second, together with the calls that are open now. */
import { readFigures } from '@carillon/proto/figures/call-figures.ts';
import type { CallStep } from '../../domain/figures/time-steps.ts';
import { addSeconds, type CallSeconds, type OpenCall } from '../../domain/sums/call-seconds.ts';
import { middleOf, percentilesOf } from '../../domain/sums/spread.ts';
import type { Tx } from '../../store/db.ts';
import { countedSteps, endedSetups, type SetupCount, setupSteps } from '../../store/run/call-sums.ts';
import { openCalls } from '../../store/run/endpoint-ends.ts';

/** Only the phases of an open call are known. */
const OPEN: OpenCall['outcome'] = {
  ...readFigures(() => undefined),
  plannedUnixMs: Number.NaN,
  attempted: false,
  outcome: null,
  finalStatus: 0,
};

type Step = { -readonly [K in keyof CallStep]: CallStep[K] };

/** Set-up times are those since then. */
export async function foldedSteps(tx: Tx, runId: string, seconds: number, since = new Date(0)): Promise<CallStep[]> {
  const open = await openSeconds(tx, runId);
  const steps = new Map<number, Step>();
  const stepAt = (ms: number): Step => {
    const atMs = Math.floor(ms / 1000 / seconds) * seconds * 1000;
    const step = steps.get(atMs) ?? noStep(atMs);
    steps.set(atMs, step);
    return step;
  };
  for (const row of await countedSteps(tx, runId, seconds)) add(stepAt(row.at.getTime()), row);
  for (const sums of open.values())
    add(stepAt(sums.second * 1000), { ...sums, classes: Object.fromEntries(sums.classes.entries()) });
  for (const { at, setups: answered, percentiles } of await setupSteps(
    tx,
    runId,
    { seconds, since },
    setupsOf(open, since),
  )) {
    const step = stepAt(at.getTime());
    step.setups = answered;
    step.setup = percentiles.map(middleOf);
  }
  return [...steps.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

async function openSeconds(tx: Tx, runId: string): Promise<CallSeconds> {
  const open: CallSeconds = new Map();
  for (const { answered, countsAsCall, ...phases } of await openCalls(tx, runId))
    addSeconds(open, { outcome: OPEN, phases, answered, countsAsCall });
  return open;
}

const setupsOf = (open: CallSeconds, since: Date): SetupCount[] =>
  [...open.values()]
    .filter(({ second }) => second >= since.getTime() / 1000)
    .flatMap(({ second, setups }) => [...setups].map(([bucket, count]) => ({ second, bucket, count })));

/** The 95th percentile of the set-up times of calls that were answered from then on, in milliseconds, within 1 %. */
export async function foldedSetup(tx: Tx, runId: string, since: Date): Promise<{ value: number; count: number }> {
  const open = setupsOf(await openSeconds(tx, runId), since);
  const buckets = [...(await endedSetups(tx, runId, since)), ...open].sort((a, b) => a.bucket - b.bucket);
  const [, p95 = 0] = percentilesOf(buckets) ?? [];
  return { value: p95, count: buckets.reduce((n, { count }) => n + count, 0) };
}

const noStep = (atMs: number): Step => ({
  at: new Date(atMs),
  started: 0,
  answered: 0,
  left: 0,
  ended: 0,
  failed: 0,
  classes: {},
  setup: null,
  setups: 0,
});

function add(step: Step, sums: Omit<CallStep, 'at' | 'setup' | 'setups'>): void {
  step.started += sums.started;
  step.answered += sums.answered;
  step.left += sums.left;
  step.ended += sums.ended;
  step.failed += sums.failed;
  const classes = Object.entries(sums.classes).map(([of, n]) => [of, (step.classes[of] ?? 0) + n]);
  step.classes = { ...step.classes, ...Object.fromEntries(classes) };
}
