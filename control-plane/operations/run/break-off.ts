/**
 * The circuit breaker of a group: one agent has opened its own, or the calls of all agents together open it. Adds an
 * event to the run, and informs the agents that place calls of the group.
 */
import { breakReason, STALE_SECONDS, WINDOW_SECONDS } from '../../domain/run/breaker.ts';
import type { BreachFact, CallTallyFacts } from '../../domain/run/facts.ts';
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import type { Tx } from '../../store/db.ts';
import { addCallTallies, breakerOfRun, callSums, lockBreaker, openBreaker } from '../../store/run/call-tallies.ts';
import { insertEvents } from '../../store/run/events.ts';
import { type InstanceRow, siblingInstances } from '../../store/run/instances.ts';
import { orderEach } from './order.ts';

/** One agent has seen the breaches, and has acted already. A permanent opening happens only once. */
export async function breakOff(
  tx: Tx,
  instance: InstanceRow,
  breaches: readonly BreachFact[],
  now: Date,
): Promise<void> {
  const { runId, groupId } = instance;
  const isOpen = await lockBreaker(tx, runId, groupId);
  const lasting = breaches.find(({ untilUnixMs }) => untilUnixMs === 0);
  const news = breaches.filter((breach) => breach.untilUnixMs !== 0 || (breach === lasting && !isOpen));
  if (lasting !== undefined && !isOpen) await openBreaker(tx, runId, groupId, now);
  await tell(tx, instance, news, await siblingInstances(tx, instance));
}

/** Adds the results of an agent's calls to those of all others. */
export async function countCalls(tx: Tx, instance: InstanceRow, tally: CallTallyFacts, now: Date): Promise<void> {
  const { runId, groupId } = instance;
  // Only failures open the breaker: without any, no lock is needed.
  const hasFailures = tally.failures.some((failures) => failures > 0);
  const isOpen = hasFailures && (await lockBreaker(tx, runId, groupId));
  await addCallTallies(tx, runId, groupId, tally);
  const newest = Math.max(...tally.second);
  const isStale = newest < now.getTime() / 1000 - STALE_SECONDS;
  if (!hasFailures || isOpen || isStale) return;
  const breaker = await breakerOfRun(tx, runId);
  const reason = breaker && breakReason(breaker, await callSums(tx, runId, groupId, newest - WINDOW_SECONDS));
  if (!reason) return;
  await openBreaker(tx, runId, groupId, now);
  const all = [instance, ...(await siblingInstances(tx, instance))];
  await tell(tx, instance, [{ unixMs: now.getTime(), untilUnixMs: 0, reason }], all);
}

async function tell(
  tx: Tx,
  { runId, id }: InstanceRow,
  breaches: readonly BreachFact[],
  whom: readonly InstanceRow[],
): Promise<void> {
  if (breaches.length === 0) return;
  await insertEvents(tx, runId, id, {
    unixMs: breaches.map((b) => b.unixMs),
    endpoint: breaches.map(() => Number.NaN),
    kind: breaches.map(() => 'BREAKER' as const),
    detail: breaches.map(({ reason, untilUnixMs }) => `${reason}: ${lasting(untilUnixMs)}`),
  });
  const open = whom.filter(({ status }) => !isInstanceOver(status));
  for (const { reason, untilUnixMs } of breaches) {
    await orderEach(tx, open, (allocationIds) => ({ kind: 'breakOff', runId, allocationIds, reason, untilUnixMs }));
  }
}

const lasting = (untilUnixMs: number): string =>
  untilUnixMs === 0 ? 'no more calls' : `no calls until ${new Date(untilUnixMs).toISOString()}`;
