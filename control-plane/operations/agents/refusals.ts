/**
 * Refused agents. Each refusal is counted (the gateway's metric); if it concerns a worker, its organization sees it in
 * the audit log: one entry per worker and reason in a window.
 */

import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { countRefusal } from '../../store/agents/agent-keys.ts';
import { lockWorker, type WorkerRow } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { insertAuditEntry } from '../../store/people/audit.ts';

/** Why, in the words of the metric and of the audit log; a closed set. */
export type LinkRefusal =
  | 'JOIN_TOKEN_UNKNOWN'
  | 'JOIN_TOKEN_USED'
  | 'JOIN_TOKEN_EXPIRED'
  | 'KEY_UNKNOWN'
  | 'KEY_NOT_PROVED'
  | 'KEY_RETIRED'
  | 'KEY_COPIED'
  | 'KEY_CHANGE_REFUSED'
  | 'FOREIGN_FACTS'
  | 'BATCH_OUT_OF_TURN'
  | 'FRAME_REFUSED'
  | 'FRAME_TOO_LARGE'
  | 'REFUSED_TOO_OFTEN'
  | 'NO_GREETING'
  | 'TOO_MANY_GREETINGS'
  | 'TOO_MANY_STRANGERS'
  | 'WRONG_DOOR'
  | 'FOREIGN_ORIGIN';

const WINDOW_SECONDS = 3600;

export type From = {
  /** Of the peer; '' unknown. */
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
      const windowStart = secondsAfter(at, -WINDOW_SECONDS);
      if (!(await countRefusal(tx, { workerId, reason, at, windowStart }))) return;
      await auditWorker(tx, worker, `agentRefused`, { reason }, address, at);
    });
  } catch (error) {
    ports.log.warn({ workerId, reason, error: (error as Error).message }, 'refusal not stored');
  }
}

/** An entry by the agent itself, or by a client that claimed to be it. A shared worker appears in no log. */
export async function auditWorker(
  tx: Tx,
  worker: Pick<WorkerRow, 'id' | 'name' | 'organizationId'>,
  action: string,
  target: Readonly<Record<string, string>>,
  address: string,
  at: Date,
): Promise<void> {
  const { id: workerId, name, organizationId } = worker;
  if (organizationId === null) return;
  const entry = { organizationId, userId: null, actor: name, via: 'AGENT' as const, action, address, at };
  await insertAuditEntry(tx, { ...entry, target: { workerId, name, ...target } });
}
