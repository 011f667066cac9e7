/** Key changes of agents, and removal of workers. A former key is never accepted again. */
import type { Ports } from '../../ports.ts';
import { isKeyTaken, keyOfWorker, retireKeys, setWorkerKey } from '../../store/agents/agent-keys.ts';
import { announceDeparture } from '../../store/agents/commands.ts';
import { lockWorker } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { openInstancesOfWorker } from '../../store/run/instances.ts';
import { isCopied } from './copied-identity.ts';
import { auditWorker, type From } from './refusals.ts';

export type KeyReplacement = { readonly workerId: string; readonly from: Buffer; readonly to: Buffer };

/**
 * After the commit the old key is invalid. Null: success, also for a repetition (the first receipt was lost). Otherwise
 * the reason: another agent has connected with another key in the meantime, or the new one is not new.
 */
export const changeKey = (
  ports: Ports,
  { workerId, from, to }: KeyReplacement,
  { address }: From,
): Promise<string | null> =>
  ports.database.transaction(async (tx) => {
    const worker = await lockWorker(tx, workerId);
    const present = worker && (await keyOfWorker(tx, workerId));
    if (present?.equals(to)) return null;
    if (!worker || !present?.equals(from)) return 'The worker has another key.';
    if (isCopied(worker, ports.now())) return 'Two agents use the present key: enroll one of them with a join token.';
    if (await isKeyTaken(tx, to)) return 'The new key was used before.';
    const at = ports.now();
    await retireKeys(tx, [workerId], 'CHANGED', at);
    await setWorkerKey(tx, workerId, to, at);
    await auditWorker(tx, worker, { action: 'changeAgentKey', target: {}, address, at });
    ports.log.info({ workerId, name: worker.name }, 'agent has a new key');
    return null;
  });

export const EXPELLED = 'The worker was revoked.';

/**
 * The worker is removed: the control plane with its socket closes it now, and its instances are lost without a grace
 * period.
 */
export async function expel(ports: Ports, tx: Tx, workerId: string): Promise<void> {
  await loseOpen(ports, tx, workerId, EXPELLED);
  await announceDeparture(tx, workerId);
}

/** Its instances will not be ended by an agent. */
export async function loseOpen(ports: Ports, tx: Tx, workerId: string, reason: string): Promise<void> {
  const instanceIds = (await openInstancesOfWorker(tx, workerId)).map((i) => i.id);
  if (instanceIds.length > 0) await ports.jobs.enqueue(tx, 'instances.lost', { workerId, instanceIds, reason });
}
