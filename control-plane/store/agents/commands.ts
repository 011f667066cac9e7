/**
 * Orders to agents. They are written in the transaction that decides them; NOTIFY wakes the replica with the agent's
 * socket.
 */
import { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import type { Order } from '../../domain/run/orders/orders.ts';
import { numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { openIn, SecretUnreadable, sealIn } from '../secrets/sealing.ts';

export const COMMAND_CHANNEL = 'carillon_command';

export const insertCommand = async (
  tx: Tx,
  command: { workerId: string; runId: string | null; instanceId?: string; kind: string; body: Order },
): Promise<void> => {
  const { body, secrets } = parted(command.body);
  await tx
    .insertInto('worker_commands')
    .values({
      worker_id: command.workerId,
      run_id: command.runId,
      instance_id: command.instanceId ?? null,
      kind: command.kind,
      body: JSON.stringify(body),
      secrets: secrets && sealIn(tx, rowOf(command.instanceId ?? ''), secrets),
    })
    .execute();
  await sql`select pg_notify(${COMMAND_CHANNEL}, ${command.workerId})`.execute(tx);
};

const rowOf = (instanceId: string) => ({ table: 'worker_commands', id: instanceId }) as const;

/** The secrets of an allocation, which its body does not contain: passwords and the private key, sealed as one. */
type OrderSecrets = {
  readonly accountPassword: readonly string[];
  readonly accountHa1: readonly string[];
  readonly tlsKey: string | null;
};

function parted(order: Order): { readonly body: unknown; readonly secrets: Secret | null } {
  if (order.kind !== 'allocate') return { body: order, secrets: null };
  const { accountPassword, accountHa1, ...endpoints } = order.endpoints;
  const { tls } = order.group;
  const secrets: OrderSecrets = {
    accountPassword: accountPassword.map((one) => one.reveal()),
    accountHa1: accountHa1.map((one) => one.reveal()),
    tlsKey: tls === null ? null : tls.key.reveal(),
  };
  const group = { ...order.group, tls: tls && { ...tls, key: undefined } };
  return { body: { ...order, group, endpoints }, secrets: new Secret(JSON.stringify(secrets)) };
}

/**
 * An incomplete order is passed on: it cannot be encoded, and is refused individually (link/wire/encode-order.ts), not
 * with all waiting ones.
 */
function joined(tx: Tx, order: Order, instanceId: string | null, sealed: Buffer | null): Order {
  if (order.kind !== 'allocate' || sealed === null) return order;
  const { group, endpoints } = order;
  const secrets = openSecrets(tx, instanceId ?? '', sealed);
  if (secrets === null) return order;
  const seal = (texts: readonly string[] | null) => (texts ?? []).map((text) => new Secret(text));
  return {
    ...order,
    group: group && { ...group, tls: group.tls && { ...group.tls, key: new Secret(secrets.tlsKey ?? '') } },
    endpoints: endpoints && {
      ...endpoints,
      accountPassword: seal(secrets.accountPassword),
      accountHa1: seal(secrets.accountHa1),
    },
  };
}

/** Null: none of the sealing keys opens it. */
function openSecrets(tx: Tx, instanceId: string, sealed: Buffer): OrderSecrets | null {
  try {
    return JSON.parse(openIn(tx, rowOf(instanceId), sealed).reveal()) as OrderSecrets;
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

/** The worker's connections are revoked: their process drops them. */
export const announceDeparture = (tx: Tx, workerId: string): Promise<unknown> =>
  sql`select pg_notify(${COMMAND_CHANNEL}, ${`${DEPARTURE}${workerId}`})`.execute(tx);

/** The prefix of the worker's id in a notification. */
export const DEPARTURE = 'gone:';

/**
 * Unacknowledged orders of the agent, oldest first, except `sent`. Ids are assigned before their transaction commits: a
 * lower one may appear after a higher one, so the highest id does not show what has been seen.
 */
export const openCommands = async (tx: Tx, workerId: string, sent: readonly number[]) => {
  const rows = await tx
    .selectFrom('worker_commands')
    .where('worker_id', '=', workerId)
    .where(sql<boolean>`id <> all (${numbers(sent)}::bigint[])`)
    .select(['id', 'body', 'instance_id as instanceId', 'secrets'])
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(({ id, body, instanceId, secrets }) => ({
    id,
    order: joined(tx, body as Order, instanceId, secrets),
  }));
};

/** The workers among these that have unacknowledged orders. */
export const workersWithCommands = async (tx: Tx, workerIds: readonly string[]): Promise<string[]> =>
  (
    await tx
      .selectFrom('worker_commands')
      .where(sql<boolean>`worker_id = any (${texts(workerIds)}::uuid[])`)
      .select('worker_id')
      .distinct()
      .execute()
  ).map((row) => row.worker_id);

export const hasOpenCommand = async (tx: Tx, workerId: string, kind: string): Promise<boolean> =>
  (await tx
    .selectFrom('worker_commands')
    .where('worker_id', '=', workerId)
    .where('kind', '=', kind)
    .select('id')
    .executeTakeFirst()) !== undefined;

/** The agent has the order, so it is deleted here: an allocation carries SIP passwords. */
export const acknowledgeCommand = (tx: Tx, workerId: string, id: number): Promise<unknown> =>
  tx.deleteFrom('worker_commands').where('worker_id', '=', workerId).where('id', '=', id).execute();

/** Deletes the orders of a run that has ended, because agents that have not seen them need not. The stop orders stay. */
export const dropStaleCommands = (tx: Tx, runId: string): Promise<unknown> =>
  tx.deleteFrom('worker_commands').where('run_id', '=', runId).where('kind', '!=', 'stop').execute();

/** Instances whose allocation the agent has not acknowledged, so that the agent cannot hold them. */
export const undeliveredInstances = async (tx: Tx, workerId: string): Promise<string[]> =>
  (
    await tx
      .selectFrom('worker_commands')
      .where('worker_id', '=', workerId)
      .where('kind', '=', 'allocate')
      .where('instance_id', 'is not', null)
      .select('instance_id')
      .execute()
  ).map((row) => row.instance_id as string);
