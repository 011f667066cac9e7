/** Orders to agents. Written in the transaction that decides them; NOTIFY wakes the replica that holds the agent's socket. */
import { type Opened, Secret } from '@carillon/proto/secret.ts';
import { sql } from 'kysely';
import type { Order } from '../../domain/run/orders.ts';
import { numbers } from '../arrays.ts';
import type { Tx } from '../db.ts';

export const COMMAND_CHANNEL = 'carillon_command';

export const insertCommand = async (
  tx: Tx,
  command: { workerId: string; runId: string | null; instanceId?: string; kind: string; body: Order },
): Promise<void> => {
  await tx
    .insertInto('worker_commands')
    .values({
      worker_id: command.workerId,
      run_id: command.runId,
      instance_id: command.instanceId ?? null,
      kind: command.kind,
      body: JSON.stringify(opened(command.body)),
    })
    .execute();
  await sql`select pg_notify(${COMMAND_CHANNEL}, ${command.workerId})`.execute(tx);
};

/** As it is stored: the agent gets the passwords and the key of its allocation from there. */
const opened = (order: Order): Opened<Order> =>
  order.kind === 'allocate'
    ? {
        ...order,
        group: { ...order.group, tls: order.group.tls && { ...order.group.tls, key: order.group.tls.key.reveal() } },
        endpoints: {
          ...order.endpoints,
          accountPassword: order.endpoints.accountPassword.map((one) => one.reveal()),
          accountHa1: order.endpoints.accountHa1.map((one) => one.reveal()),
        },
      }
    : order;

/** What lacks a part goes on as it is: it cannot be told, and is refused by itself (link/encode-order.ts), not with all that waits. */
function sealed(order: Opened<Order>): Order {
  if (order.kind !== 'allocate') return order;
  const { group, endpoints } = order;
  return {
    ...order,
    group: group && { ...group, tls: group.tls && { ...group.tls, key: new Secret(group.tls.key) } },
    endpoints: endpoints && {
      ...endpoints,
      accountPassword: endpoints.accountPassword?.map((one) => new Secret(one)),
      accountHa1: endpoints.accountHa1?.map((one) => new Secret(one)),
    },
  };
}

/** The worker's connections are no longer its own: the process that holds one drops it. */
export const announceDeparture = (tx: Tx, workerId: string): Promise<unknown> =>
  sql`select pg_notify(${COMMAND_CHANNEL}, ${`${DEPARTURE}${workerId}`})`.execute(tx);

/** Before the worker's id in a notification. */
export const DEPARTURE = 'gone:';

/**
 * Orders that the agent has not acknowledged, oldest first, without those of `sent`. Ids are drawn before their transaction
 * commits: a lower one may appear after a higher one, so no highest id says what has been seen.
 */
export const openCommands = async (tx: Tx, workerId: string, sent: readonly number[]) => {
  const rows = await tx
    .selectFrom('worker_commands')
    .where('worker_id', '=', workerId)
    .where(sql<boolean>`id <> all (${numbers(sent)}::bigint[])`)
    .select(['id', 'body'])
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(({ id, body }) => ({ id, order: sealed(body as unknown as Opened<Order>) }));
};

export const hasOpenCommand = async (tx: Tx, workerId: string, kind: string): Promise<boolean> =>
  (await tx
    .selectFrom('worker_commands')
    .where('worker_id', '=', workerId)
    .where('kind', '=', kind)
    .select('id')
    .executeTakeFirst()) !== undefined;

/** The agent has it: forgotten here, for an allocation carries SIP passwords. */
export const acknowledgeCommand = (tx: Tx, workerId: string, id: number): Promise<unknown> =>
  tx.deleteFrom('worker_commands').where('worker_id', '=', workerId).where('id', '=', id).execute();

/** Orders of a run that has ended: agents that have not seen them need not. The stop orders stay. */
export const dropStaleCommands = (tx: Tx, runId: string): Promise<unknown> =>
  tx.deleteFrom('worker_commands').where('run_id', '=', runId).where('kind', '!=', 'stop').execute();

/** Instances whose allocation the agent has not acknowledged yet: it cannot hold them. */
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
