/** Which worker an agent is: by its key, or by the token with which it enrolls. */
import type { EntryRefusal, NewAgent } from '../../enrollment-hooks.ts';
import type { LinkRefusal } from '../../limits/stranger-log.ts';
import type { Ports } from '../../ports.ts';
import { retiredKey, retireKeys, reviveKey, setWorkerKey, workerOfToken } from '../../store/agents/agent-keys.ts';
import { lockWorker, spendJoinToken, type WorkerRow, workerByKey } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { auditWorker } from './refusals.ts';

/** The reason why an agent may not work here; an operator must change it. */
export type Unwelcome = {
  readonly code: string;
  readonly message: string;
  readonly reason: LinkRefusal;
  /** Absent: the agent need not come back by itself. */
  readonly retryAfterMs?: number;
  /** The worker that the key or token belongs to. */
  readonly workerId?: string;
  readonly concerns?: EntryRefusal['concerns'];
};

/** `tokenHash` null: it presents no token. `address`: where its connection comes from; '': unknown. */
type UnidentifiedAgent = Omit<NewAgent, 'tokenHash'> & { readonly tokenHash: Buffer | null; readonly address: string };

/** The worker of an agent that has proved its key; one that presents a token becomes the agent of the token's worker. */
export async function identifyAgent(ports: Ports, tx: Tx, agent: UnidentifiedAgent): Promise<WorkerRow | Unwelcome> {
  const { publicKey, tokenHash: hash } = agent;
  const found = await workerByKey(tx, publicKey);
  if (found) return found;
  const at = ports.now();
  const spent = hash === null ? undefined : await spendJoinToken(tx, hash, at);
  const joined = spent ?? (hash === null ? null : await joinBy(ports, tx, { ...agent, tokenHash: hash }));
  if (joined && 'code' in joined) return joined;
  const worker = joined && (await lockWorker(tx, joined.workerId));
  if (!worker) return unwelcome(await retiredKey(tx, publicKey), hash === null ? null : await workerOfToken(tx, hash));
  await retireKeys(tx, [worker.id], 'CHANGED', at);
  // Enrolling it again with a token deliberately revives it.
  await reviveKey(tx, publicKey);
  await setWorkerKey(tx, worker.id, publicKey, at);
  await auditWorker(tx, worker, { action: 'enrolAgent', target: {}, address: agent.address, at });
  ports.log.info({ workerId: worker.id, name: worker.name }, 'agent enrolled');
  return worker;
}

/** Null: the token is of no feature. */
async function joinBy(ports: Ports, tx: Tx, agent: NewAgent) {
  for (const { enrollment } of ports.hooks) {
    const joined = await enrollment?.join(ports, tx, agent);
    if (joined) return joined;
  }
  return null;
}

/** `token` null: none was presented. */
function unwelcome(
  key: Awaited<ReturnType<typeof retiredKey>>,
  token: Awaited<ReturnType<typeof workerOfToken>> | null,
): Unwelcome {
  if (token !== null) {
    const message = 'The join token is unknown, used or expired. Make a new one for this worker.';
    const refused = { code: 'JOIN_TOKEN_REFUSED', message } as const;
    if (!token) return { ...refused, reason: 'JOIN_TOKEN_UNKNOWN' };
    const reason = token.usedAt === null ? 'JOIN_TOKEN_EXPIRED' : 'JOIN_TOKEN_USED';
    return { ...refused, reason, workerId: token.workerId };
  }
  const message =
    'No worker has this key: it was never enrolled here, or the database is older than its enrollment. Make a join token for its worker, and ' +
    'on its host: carillon-agent enroll --url URL --token TOKEN. What the agent has measured is kept until then.';
  if (!key) return { code: 'UNKNOWN_AGENT', message, reason: 'KEY_UNKNOWN' };
  return { code: 'UNKNOWN_AGENT', message, reason: 'KEY_RETIRED', workerId: key.workerId };
}
