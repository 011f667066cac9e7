/**
 * Ticks become executions, each once: whoever finds a probe due locks it, moves its next tick on and starts the execution in one
 * transaction; whoever comes second finds it moved. A tick that nobody found in time, or that comes while the one before is
 * still being executed, is skipped, and recorded with its reason.
 */
import { dueTicks, nextTick } from '../../domain/schedule.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import {
  type DueProbe,
  insertSkips,
  lockDueProbes,
  type Move,
  moveTicks,
  type Skip,
} from '../../store/probe-executions.ts';
import { executeProbes, type Wanted } from './execute.ts';

/** In one transaction; a burst is spread over several. */
const BATCH = 200;
/** Of one job; what is left then is the next one's, a second later. */
const BATCHES = 10;

const MISSED = 'Nobody was there to run it: the control plane was down, or its database was.';
const BUSY = 'The execution before it had not ended.';
/** For schedules that never come due again. */
const NEVER = new Date('9999-12-31T00:00:00Z');

export async function tickProbes(ports: Ports): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const found = await ports.database.transaction((tx) => tickSome(ports, tx));
    if (found < BATCH) return;
  }
}

/** How many were due. */
async function tickSome(ports: Ports, tx: Tx): Promise<number> {
  const at = ports.now();
  const found = await lockDueProbes(tx, at, BATCH);
  if (found.length === 0) return 0;
  const plans = found.map((probe) => planOf(ports, probe, at));
  await moveTicks(
    tx,
    plans.map((p) => p.move),
    at,
  );
  const skips = plans.flatMap((p) => p.skips);
  if (skips.length > 0) await insertSkips(tx, skips);
  await executeProbes(
    ports,
    tx,
    plans.flatMap((p) => p.execution ?? []),
    at,
  );
  return found.length;
}

type Plan = { readonly move: Move; readonly skips: readonly Skip[]; readonly execution: Wanted | null };

function planOf(ports: Ports, probe: DueProbe, at: Date): Plan {
  const { id: probeId, busy } = probe;
  try {
    const next = (afterMs: number) => nextTick(probe, probeId, afterMs);
    const due = probe.nextTickAt
      ? dueTicks(next, probe.nextTickAt.getTime(), at.getTime())
      : { tickMs: null, missed: null, nextMs: next(at.getTime()) };
    const skips = [
      ...(due.missed ? [skip(probeId, due.missed.firstMs, due.missed.lastMs, due.missed.ticks, MISSED)] : []),
      ...(due.tickMs !== null && busy ? [skip(probeId, due.tickMs, due.tickMs, 1, BUSY)] : []),
    ];
    const nextTickAt = due.nextMs === null ? NEVER : new Date(due.nextMs);
    const tickAt = due.tickMs === null || busy ? null : new Date(due.tickMs);
    return {
      move: { probeId, nextTickAt, skipReason: skips.at(-1)?.reason ?? null },
      skips,
      execution: tickAt && { probeId, tickAt, startedBy: null },
    };
  } catch (error) {
    // One schedule that cannot be read must not keep the others waiting.
    const { message } = error as Error;
    ports.log.error({ probeId, error: message }, 'the schedule cannot be read');
    const skipReason = `Its schedule cannot be read: ${message}`;
    return { move: { probeId, nextTickAt: NEVER, skipReason }, skips: [], execution: null };
  }
}

const skip = (probeId: string, firstMs: number, lastMs: number, ticks: number, reason: string): Skip => ({
  probeId,
  firstAt: new Date(firstMs),
  lastAt: new Date(lastMs),
  ticks,
  reason,
});
