/**
 * An agent has proved its key on a new connection. The answer says which worker it is, and which allocations it must
 * stop. After a reconnection only the difference is settled; nothing is restarted
 * (docs/architecture.md, What happens when something dies).
 */

import { step } from '@carillon/proto/base/machine.ts';
import type { Secret } from '@carillon/proto/base/secret.ts';
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import { lackedSettings } from '../../domain/run/preflight/lacked.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { WORKER } from '../../domain/worker-machine.ts';
import type { EntryRefusal, ReturningAgent } from '../../enrollment-hooks.ts';
import { noteRefusal as noteStranger } from '../../limits/refusals.ts';
import type { Ports } from '../../ports.ts';
import { undeliveredInstances } from '../../store/agents/commands.ts';
import { openOutbox } from '../../store/agents/outboxes.ts';
import {
  connectWorker,
  lockWorker,
  setWorkerPolicy,
  type WorkerHello,
  type WorkerRow,
  workerByKey,
} from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { isUuid } from '../../store/new-id.ts';
import { insertWorkerEvent } from '../../store/run/events.ts';
import { type InstanceRow, openInstancesOfWorker, shareInstances } from '../../store/run/instances.ts';
import { VERSION } from '../../version.ts';
import { hashOf } from '../request/actor.ts';
import { announceWorker } from './announce-worker.ts';
import { COPIED, isCopied, isSecond, judgeAgain, noteSecond, SECOND_RETRY_MS } from './copied-identity.ts';
import { FORGOTTEN, type ForgottenBatches, noteForgotten } from './forgotten.ts';
import { identifyAgent, type Unwelcome } from './identify-agent.ts';
import { lateShares } from './late-shares.ts';
import { loseInstances } from './lose.ts';
import { noteRefusal } from './refusals.ts';

export type Greeting = {
  readonly publicKey: Buffer;
  /** Null unless the agent enrolls. */
  readonly joinToken: Secret | null;
  readonly connectionId: string;
  /** The address that the connection comes from; '': unknown. */
  readonly address: string;
  readonly bootId: string;
  /** The name that it wants for a worker that is created by a token of a feature; '': any. */
  readonly wantedName: string;
  readonly isDisposable: boolean;
  readonly outboxId: string;
  readonly heldAllocationIds: readonly string[];
  /** Reported data that this database lacks; absent: nothing is lost. */
  readonly forgotten?: ForgottenBatches;
  readonly hello: WorkerHello;
};

export type Welcome = {
  readonly workerId: string;
  readonly name: string;
  readonly region: string;
  readonly nextBatch: number;
  /** Allocations that the agent holds but that are no longer wanted. */
  readonly stopAllocationIds: readonly string[];
  /** The version of this control plane. */
  readonly version: string;
  readonly agentLacks: readonly string[];
};

export async function greet(ports: Ports, greeting: Greeting): Promise<Welcome | Unwelcome> {
  const greeted = await ports.database.transaction((tx) => admitAgent(ports, tx, greeting));
  if ('code' in greeted) {
    await noteUnwelcome(ports, greeting, greeted);
    return greeted;
  }
  const { welcome, resumed, isSameProcess } = greeted;
  // The agent ended the share and reported it, so the database came back older. Older agents do not say so.
  const reason = greeting.forgotten || isSameProcess ? FORGOTTEN : undefined;
  await loseWhatIsNotHeld(ports, welcome.workerId, greeting.heldAllocationIds, resumed, reason);
  ports.log.info({ workerId: welcome.workerId, name: welcome.name, host: greeting.hello.hostname }, 'agent is online');
  return welcome;
}

type Refused = Unwelcome & { readonly isSecond?: true };

async function admitAgent(ports: Ports, tx: Tx, greeting: Greeting) {
  const agent = { ...greeting, tokenHash: greeting.joinToken && hashOf(greeting.joinToken) };
  const worker = await identifyAgent(ports, tx, agent);
  if ('code' in worker) return worker as Refused;
  const refused = await refusalOf(ports, tx, worker, agent);
  if (refused) return refused;
  await connect(ports, tx, worker, greeting);
  const { lastBatch, resumed } = await openOutbox(tx, worker.id, greeting.outboxId);
  const { stopAllocationIds, back } = await compareHeld(ports, tx, worker.id, greeting.heldAllocationIds);
  // This is repeated if the welcome did not arrive: the outbox is then known.
  if (greeting.forgotten && !resumed) await noteForgotten(ports, tx, worker, greeting.forgotten, back);
  const { id: workerId, name, region } = worker;
  const told = { version: VERSION, agentLacks: lackedSettings(greeting.hello) };
  const welcome: Welcome = { workerId, name, region, nextBatch: lastBatch + 1, stopAllocationIds, ...told };
  return { welcome, resumed, isSameProcess: worker.bootId === greeting.bootId };
}

/** Null: the agent may come in. */
async function refusalOf(ports: Ports, tx: Tx, worker: WorkerRow, agent: ReturningAgent): Promise<Refused | null> {
  const objection = await objectionOf(ports, tx, worker, agent);
  if (!isSecond(worker, agent.bootId)) return objection && { ...objection, workerId: worker.id };
  await noteSecond(ports, tx, worker);
  const refusal = { code: 'KEY_COPIED', reason: 'KEY_COPIED', message: COPIED } as const;
  return { ...(objection ?? refusal), retryAfterMs: SECOND_RETRY_MS, workerId: worker.id, isSecond: true };
}

async function connect(ports: Ports, tx: Tx, worker: WorkerRow, greeting: Greeting): Promise<void> {
  const { connectionId, bootId, hello } = greeting;
  const event = worker.drainedAt === null ? 'greeted' : 'returned';
  const present = step(WORKER.transitions, worker.status, event) ?? worker.status;
  const status = isCopied(worker, ports.now()) ? (step(WORKER.transitions, present, 'faulted') ?? present) : present;
  await connectWorker(tx, worker.id, status, { connectionId, bootId, at: ports.now(), hello });
  await announceWorker(ports, tx, worker, worker.status, status);
}

/** `stopAllocationIds`: held, but no longer wanted. `back`: the instances that were given up, and count again. */
async function compareHeld(ports: Ports, tx: Tx, workerId: string, heldAllocationIds: readonly string[]) {
  const held = heldAllocationIds.filter((id) => isUuid(id));
  const rows = held.length > 0 ? await shareInstances(tx, workerId, held) : [];
  const back = await lateShares(tx, rows, ports.now());
  const late = new Set(back.map((i) => i.id));
  const wanted = new Set(rows.filter((i) => !isInstanceOver(i.status) || late.has(i.id)).map((i) => i.id));
  const tooLate = rows.filter((i) => i.status === 'LOST' && !late.has(i.id));
  await noteTooLate(tx, tooLate, ports.now());
  return { stopAllocationIds: held.filter((id) => !wanted.has(id)), back };
}

/** Tells of a refusal whom it concerns, after the transaction of the greeting. */
async function noteUnwelcome(ports: Ports, greeting: Greeting, refused: Refused): Promise<void> {
  const { workerId, concerns } = refused;
  if (workerId && refused.isSecond) await judgeAgain(ports, workerId);
  if (workerId) await noteRefusal(ports, workerId, refused.reason, greeting);
  else if (concerns) await noteNewcomer(ports, refused, concerns, greeting);
}

/**
 * The agent has facts of instances that were given up while it was away, and whose runs can no longer be revised. Those
 * runs say so.
 */
async function noteTooLate(tx: Tx, late: readonly InstanceRow[], at: Date): Promise<void> {
  const first = late.filter((i, n) => late.findIndex((other) => other.runId === i.runId) === n);
  const words = 'reconnected too late after its timeout: its measurements since then are not in the figures';
  for (const instance of first) await insertWorkerEvent(tx, instance, at, words);
}

/** Stores the host's changed policy: planning uses it from now on. Returns why the agent may not stay with it, or null. */
export const replacePolicy = (
  ports: Ports,
  { workerId, connectionId }: { readonly workerId: string; readonly connectionId: string },
  policy: WorkerHello['policy'],
): Promise<EntryRefusal | null> =>
  ports.database.transaction(async (tx) => {
    await setWorkerPolicy(tx, connectionId, policy);
    const worker = await lockWorker(tx, workerId);
    if (worker?.connectionId !== connectionId) return null;
    const { bootId, hello } = worker;
    return objectionOf(ports, tx, worker, { tokenHash: null, bootId: bootId ?? '', hello: { ...hello, policy } });
  });

async function objectionOf(ports: Ports, tx: Tx, worker: WorkerRow, agent: ReturningAgent) {
  for (const { enrollment } of ports.hooks) {
    const objection = await enrollment?.objection(ports, tx, worker, agent);
    if (objection) return objection;
  }
  return null;
}

/** An agent without a worker was refused by a feature: its organization sees it. */
const noteNewcomer = (
  ports: Ports,
  { reason }: Unwelcome,
  { organizationId, target }: NonNullable<Unwelcome['concerns']>,
  { address, hello }: Greeting,
): Promise<void> =>
  noteStranger(ports, {
    organizationId,
    userId: null,
    actor: hello.hostname,
    via: 'AGENT',
    address,
    action: 'agentRefused',
    target: { reason, ...target },
  });

/** Null: no worker has this key. */
export const workerWithKey = async (ports: Ports, publicKey: Buffer): Promise<string | null> =>
  (await workerByKey(ports.database.db, publicKey))?.id ?? null;

/**
 * Instances that the agent no longer holds (its process was restarted) are lost, unless their order is still in
 * transit. An outbox that continues has the facts saved by the previous process, possibly the last ones: they may
 * arrive within the grace period.
 */
async function loseWhatIsNotHeld(
  ports: Ports,
  workerId: string,
  heldAllocationIds: readonly string[],
  resumed: boolean,
  /** Absent: the agent was restarted. */
  reason: string | undefined,
): Promise<void> {
  const { db } = ports.database;
  const held = new Set(heldAllocationIds);
  const open = await openInstancesOfWorker(db, workerId);
  const underway = new Set(await undeliveredInstances(db, workerId));
  const unheld = open.filter((i) => !held.has(i.id) && !underway.has(i.id));
  if (unheld.length === 0) return;
  if (!resumed) return loseInstances(ports, unheld, reason);
  const startAfter = secondsAfter(ports.now(), ports.settings.workerGraceSeconds);
  const instanceIds = unheld.map((i) => i.id);
  await ports.jobs.enqueue(db, 'instances.lost', { workerId, instanceIds, ...(reason && { reason }) }, { startAfter });
}
