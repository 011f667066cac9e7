/** A network that drops packets: connections stay open, and no answer comes. Our own timeouts end what waits. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import t from 'tap';
import { until } from '../../scripts/peers/process.ts';
import { startQueue } from '../queue/boss.ts';
import { testDatabase } from '../testing/database.ts';
import { type ConnectionConfig, type Database, openDatabase, openedConnection } from './db.ts';

const database = await testDatabase(t);
const given = new pg.Client(openedConnection(database.config));
const pairs = new Set<readonly [Socket, Socket]>();
const server = createServer((near) => {
  const socket = given.host.startsWith('/');
  const far = socket
    ? connect(path.join(given.host, `.s.PGSQL.${given.port}`))
    : connect({ host: given.host, port: given.port });
  const pair = [near, far] as const;
  const drop = () => {
    for (const one of pair) one.destroy();
    pairs.delete(pair);
  };
  for (const one of pair) one.on('error', drop).on('close', drop);
  near.pipe(far).pipe(near);
  pairs.add(pair);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
t.teardown(() => {
  server.close();
  for (const pair of pairs) for (const one of pair) one.destroy();
});
const config: ConnectionConfig & { readonly port: number } = {
  host: '127.0.0.1',
  port: (server.address() as AddressInfo).port,
  user: given.user ?? 'postgres',
  database: given.database ?? '',
};

const ping = (db: Database['db']): Promise<unknown> => sql`select 1`.execute(db);

/** Of the existing connections; new ones work. */
function swallow(): void {
  for (const [near, far] of pairs) {
    near.unpipe(far);
    far.unpipe(near);
    for (const one of [near, far]) one.resume();
  }
}

t.test('a statement without an answer ends, and its connection with it; the next one has another', async (t) => {
  const silent = openDatabase(config, { max: 1, statementLimitMs: 3000, onError: () => undefined });
  await ping(silent.db);
  swallow();
  await t.rejects(
    silent.transaction(async (tx) => sql`select 1`.execute(tx)),
    /Query read timeout/,
  );
  await ping(silent.db);
  await silent.close();
});

const LONG_MS = 600_000;
const LOOK_MS = 50;
/** After this time a pool closes an idle connection by itself. */
const IDLE_MS = 10_000;

t.test('once one connection is dead, all are replaced, long before a statement may take so long', async (t) => {
  const told: string[] = [];
  const limits = { max: 4, statementLimitMs: LONG_MS, lookMs: LOOK_MS };
  const silent = openDatabase(config, { ...limits, onError: (error) => told.push(error.message) });
  const four = () => Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.05)`.execute(silent.db)));
  await four();
  t.equal(silent.poolState().idle, 4);
  const sinceMs = performance.now();
  swallow();
  await t.rejects(
    silent.transaction(async (tx) => sql`select 1`.execute(tx)),
    /^Connection terminated: the database does not answer on it/,
  );
  await until('none is left', () => silent.poolState().total === 0, { everyMs: 1 });
  // On a starved machine the question may come later than that.
  if (performance.now() - sinceMs < IDLE_MS) t.equal(told.length, 3, 'the idle ones');
  await four();
  await silent.close();
});

t.test('a statement that takes long is waited for', async (t) => {
  const dead = openDatabase(config, { max: 1, lookMs: 5 * LOOK_MS, onError: () => undefined });
  await ping(dead.db);
  swallow();
  // Not more often: to a question within a few milliseconds a busy server tells of a statement that it has not begun.
  const patient = openDatabase(config, { max: 1, lookMs: LOOK_MS, onError: (error) => t.fail(error.message) });
  await sql`select pg_sleep(${20 * (LOOK_MS / 1000)}::float8)`.execute(patient.db);
  // Between two statements of a transaction the server waits for us.
  await patient.transaction(async (tx) => {
    await sql`select 1`.execute(tx);
    // A dead connection is found, which is silent for a shorter time and looked at less often.
    await t.rejects(ping(dead.db), /^Connection terminated/);
    await sql`select 1`.execute(tx);
  });
  await patient.close();
  await dead.close();
});

t.test('jobs are done again', async (t) => {
  const told: string[] = [];
  const tell = (_fields: object, message: string) => void told.push(message);
  const queue = await startQueue(config, { debug: () => undefined, info: tell, warn: tell, error: tell }, LOOK_MS);
  await queue.work(async () => undefined);
  swallow();
  const isSeen = () =>
    queue.seen().then(
      () => true,
      () => false,
    );
  await until('the queue is seen', isSeen, { everyMs: 1 });
  t.pass(told.join('; '));
  await queue.stop();
});

t.test('what waits for an answer does not keep a pool from closing', async (t) => {
  const silent = openDatabase(config, { max: 2, onError: () => undefined });
  await ping(silent.db);
  swallow();
  const waiting = t.rejects(ping(silent.db));
  await until('the idle one is in use', () => silent.poolState().idle === 0, { everyMs: 1 });
  await silent.close();
  await waiting;
});

t.test('nor the queue from stopping', async (t) => {
  const told: string[] = [];
  const tell = (_fields: object, message: string) => void told.push(message);
  const queue = await startQueue(config, { debug: () => undefined, info: tell, warn: tell, error: tell });
  await queue.work(async () => undefined);
  swallow();
  await queue.stop();
  t.pass(told.join('; '));
});
