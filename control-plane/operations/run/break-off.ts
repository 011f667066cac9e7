/** The breaker of one agent opened: an event of the run, and the others that carry callers of the same group are told. */
import type { BreachFact } from '../../domain/facts.ts';
import { isInstanceOver } from '../../domain/instance-machine.ts';
import type { Tx } from '../../store/db.ts';
import { insertEvents } from '../../store/events.ts';
import { type InstanceRow, siblingInstances } from '../../store/instances.ts';
import { orderEach } from './order.ts';

export async function breakOff(tx: Tx, instance: InstanceRow, breaches: readonly BreachFact[]): Promise<void> {
  const { runId, id } = instance;
  await insertEvents(tx, runId, id, {
    unixMs: breaches.map((b) => b.unixMs),
    endpoint: breaches.map(() => Number.NaN),
    kind: breaches.map(() => 'BREAKER' as const),
    detail: breaches.map(({ reason, untilUnixMs }) => `${reason}: ${lasting(untilUnixMs)}`),
  });
  const others = (await siblingInstances(tx, instance)).filter(({ status }) => !isInstanceOver(status));
  for (const { reason, untilUnixMs } of breaches) {
    await orderEach(tx, others, (allocationIds) => ({ kind: 'breakOff', runId, allocationIds, reason, untilUnixMs }));
  }
}

const lasting = (untilUnixMs: number): string =>
  untilUnixMs === 0 ? 'no more calls' : `no calls until ${new Date(untilUnixMs).toISOString()}`;
