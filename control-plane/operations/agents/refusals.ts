/**
 * Refused agents. Each refusal is counted (the gateway's metric); if it concerns a worker, its organization sees it in
 * the audit log: one entry per worker and reason in a window.
 */

import { secondsAfter } from '../../domain/seconds-after.ts';
import { LIMITS } from '../../limits/limits.ts';
import type { LinkRefusal } from '../../limits/stranger-log.ts';
import type { Ports } from '../../ports.ts';
import { countRefusal } from '../../store/agents/agent-keys.ts';
import { lockWorker, type WorkerRow } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { type AuditRow, insertAuditEntry } from '../../store/people/audit.ts';

export type From = {
  /** The address of the peer; '': unknown. */
  readonly address: string;
};

/** Never throws: failing to record a refusal must not change it. */
export async function noteRefusal(
  ports: Ports,
  workerId: string,
  reason: LinkRefusal,
  { address }: From,
): Promise<void> {
  try {
    await ports.database.transaction(async (tx) => {
      const worker = await lockWorker(tx, workerId);
      if (!worker) return;
      const at = ports.now();
      const windowStart = secondsAfter(at, -LIMITS.auditedOfWorker.withinMs / 1000);
      if (!(await countRefusal(tx, { workerId, reason, at, windowStart }))) return;
      await auditWorker(tx, worker, { action: 'agentRefused', target: { reason }, address, at });
    });
  } catch (error) {
    ports.log.warn({ workerId, reason, error: (error as Error).message }, 'refusal not stored');
  }
}

/** Writes an entry as the agent itself, or as a client that claimed to be it. A shared worker appears in no log. */
export async function auditWorker(
  tx: Tx,
  worker: Pick<WorkerRow, 'id' | 'name' | 'organizationId'>,
  said: Pick<AuditRow, 'action' | 'target' | 'address' | 'at'>,
): Promise<void> {
  const { id: workerId, name, organizationId } = worker;
  if (organizationId === null) return;
  const target = { workerId, name, ...said.target };
  await insertAuditEntry(tx, { organizationId, userId: null, actor: name, via: 'AGENT', ...said, target });
}
