/**
 * Turns each tick into one execution. The process that finds a due probe locks it, advances its next tick and starts
 * the execution in one transaction; a second process finds it advanced. A tick found too late, or during the previous
 * execution, is skipped, with a recorded reason.
 */
import { dueTicks, nextTick } from '../../domain/probe/schedule.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import {
  type DueProbe,
  executedTicks,
  insertSkips,
  lockDueProbes,
  type Move,
  moveTicks,
  type Skip,
} from '../../store/probe/probe-executions.ts';
import { executeProbes, type WantedExecution } from './execute.ts';

/** The probes of one transaction; a burst is spread over several. */
const BATCH = 200;
/** The batches of one job; the next one handles the rest, a second later. */
const BATCHES = 10;

const MISSED = 'Nobody was there to run it: the control plane was down, or its database was.';
const BUSY = 'The previous execution had not ended.';
/** The next tick of schedules that never come due again. */
const NEVER = new Date('9999-12-31T00:00:00Z');

export async function tickProbes(ports: Ports): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const looked: string[] = [];
    try {
      await ports.database.transaction((tx) => tickSome(ports, tx, BATCH, [], looked));
    } catch (error) {
      await tickEach(ports, looked.length);
      throw error;
    }
    if (looked.length < BATCH) return;
  }
}

/** A probe that cannot be executed must not keep the others waiting; it stays due. */
async function tickEach(ports: Ports, probes: number): Promise<void> {
  const seen: string[] = [];
  for (let n = 0; n < probes; n++) {
    const looked: string[] = [];
    try {
      await ports.database.transaction((tx) => tickSome(ports, tx, 1, seen, looked));
    } catch (error) {
      ports.log.error({ probeId: looked[0], error: (error as Error).message }, 'the probe cannot be executed');
    }
    // No probe is due, or it is not known which ones are.
    if (looked.length === 0) return;
    seen.push(...looked);
  }
}

/** `looked`: the ids of the due probes, even if this throws. */
async function tickSome(
  ports: Ports,
  tx: Tx,
  limit: number,
  except: readonly string[],
  looked: string[],
): Promise<void> {
  const at = ports.now();
  const found = await lockDueProbes(tx, at, limit, except);
  looked.push(...found.map((probe) => probe.id));
  if (found.length === 0) return;
  const plans = found.map((probe) => executionPlanOf(ports, probe, at));
  await moveTicks(
    tx,
    plans.map((p) => p.move),
    at,
  );
  const skips = plans.flatMap((p) => p.skips);
  if (skips.length > 0) await insertSkips(tx, skips);
  const due = plans.flatMap((p) => p.execution ?? []);
  const executed = await executedTicks(tx, due);
  await executeProbes(
    ports,
    tx,
    due.filter((d) => !executed.has(d.probeId)),
    at,
  );
}

type Plan = {
  readonly move: Move;
  readonly skips: readonly Skip[];
  readonly execution: (WantedExecution & { readonly tickAt: Date }) | null;
};

function executionPlanOf(ports: Ports, probe: DueProbe, at: Date): Plan {
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
