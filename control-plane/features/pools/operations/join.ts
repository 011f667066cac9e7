/** Agents that show the token of a pool: each new one becomes a worker of its own. */
import type { EntryRefusal, NewAgent, ReturningAgent } from '../../../enrollment-hooks.ts';
import type { Ports } from '../../../ports.ts';
import { retiredKey } from '../../../store/agents/agent-keys.ts';
import type { WorkerHello, WorkerRow } from '../../../store/agents/workers.ts';
import type { Tx } from '../../../store/db.ts';
import { newId } from '../../../store/new-id.ts';
import type { PoolPolicy } from '../contract/pool.ts';
import { workerNames } from '../domain/names.ts';
import { tooWide } from '../domain/policy.ts';
import { countPresent, insertPoolWorker, nextNumber, poolOfWorker, takeBack } from '../store/pool-workers.ts';
import { type JoinedPool, lockPoolOfToken } from '../store/pools.ts';

/** After this time, an agent that is refused for now asks again. */
const AGAIN_MS = 30_000;

/** The lock on the pool lasts until the agent has joined, so that the limit is exact. */
export async function join(ports: Ports, tx: Tx, agent: NewAgent) {
  const pool = await lockPoolOfToken(tx, agent.tokenHash);
  if (!pool) return null;
  const refusal = await refusalOf(ports, tx, pool, agent);
  if (refusal) {
    const concerns = { organizationId: pool.organizationId, target: { pool: pool.name } };
    return { ...refusal, concerns };
  }
  // Its worker was archived while it was away: what it has measured still belongs to its shares.
  const former = await retiredKey(tx, agent.publicKey);
  if (former && (await takeBack(tx, pool.id, former.workerId, agent.isDisposable)))
    return { workerId: former.workerId };
  const n = await nextNumber(tx, pool.id);
  const { first, again } = workerNames(agent.wantedName || pool.namePattern, {
    pool: pool.name,
    host: agent.hello.hostname,
    n,
  });
  const { isDisposable } = agent;
  for (const name of [first, again, `${pool.id.slice(-12)}-${n}`]) {
    const id = newId();
    if (await insertPoolWorker(tx, pool, { id, name, isDisposable, at: ports.now() })) return { workerId: id };
  }
  throw new Error(`no name is free for agent ${n} of pool ${pool.name}`);
}

async function refusalOf(ports: Ports, tx: Tx, pool: JoinedPool, { hello }: NewAgent): Promise<EntryRefusal | null> {
  const { name, expiresAt, revokedAt, maxAgents, policy } = pool;
  const refused = (reason: EntryRefusal['reason'], message: string) => ({
    code: 'JOIN_TOKEN_REFUSED',
    reason,
    message,
  });
  if (revokedAt !== null)
    return refused('JOIN_TOKEN_REVOKED', `The token of the pool ${name} is revoked. Start with the token of another.`);
  if (expiresAt !== null && expiresAt <= ports.now())
    return refused('JOIN_TOKEN_EXPIRED', `The token of the pool ${name} has expired. Start with the token of another.`);
  const wide = wideIn(name, policy, hello);
  if (wide) return wide;
  if ((await countPresent(tx, pool.id)) < maxAgents) return null;
  const full = `The pool ${name} has ${maxAgents} agents, its limit. The agent joins when another has left.`;
  return { ...refused('JOIN_TOKEN_FULL', full), retryAfterMs: AGAIN_MS };
}

function wideIn(pool: string, demanded: PoolPolicy, { policy }: WorkerHello): EntryRefusal | null {
  const beyond = tooWide(demanded, policy);
  const message = `The policy of this host permits more than the pool ${pool}: ${beyond}.`;
  return beyond === null ? null : { code: 'POLICY_TOO_WIDE', reason: 'POLICY_TOO_WIDE', message };
}

/**
 * The policy of the host may have become wider since its agent joined; the agent returns when it is not. Another process with
 * this key may be connected: then this one has a copy of its state folder, and joins anew if it is told so again, when a dead
 * connection would have been noticed (agent/agent.ts).
 */
export async function objection(
  ports: Ports,
  tx: Tx,
  { id, status, bootId }: WorkerRow,
  agent: ReturningAgent,
): Promise<EntryRefusal | null> {
  const pool = await poolOfWorker(tx, id);
  if (!pool) return null;
  const wide = wideIn(pool.name, pool.policy, agent.hello);
  if (wide) return { ...wide, retryAfterMs: AGAIN_MS };
  const isOpen = pool.revokedAt === null && (pool.expiresAt === null || pool.expiresAt > ports.now());
  if (!isOpen || !agent.tokenHash?.equals(pool.hash)) return null;
  return status === 'OFFLINE' || bootId === agent.bootId ? null : COPIED_IN_POOL;
}

const COPIED_IN_POOL: EntryRefusal = {
  code: 'KEY_COPIED_IN_POOL',
  reason: 'KEY_COPIED',
  message:
    'Another agent uses the key of this one: a copy of its state folder. If it is still there later, this one joins its pool anew.',
  retryAfterMs: AGAIN_MS,
};
