/**
 * A server that permits fewer connections than we want, or none: requests are served in turn, the cause is reported, and the
 * state recovers.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import t from 'tap';
import { until } from '../../scripts/peers/process.ts';
import { type Database, openDatabase, openedConnection } from './db.ts';
import { startEmbeddedPostgres } from './embedded/supervisor.ts';
import { troubleOf } from './trouble.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'carillon-turns-'));
await chmod(dataDir, 0o711);
const MAX_CONNECTIONS = 8;
const settings = [`max_connections=${MAX_CONNECTIONS}`, 'superuser_reserved_connections=0', 'max_wal_senders=0'];
const postgres = await startEmbeddedPostgres({
  dataDir,
  unsafe: true,
  diesWithUs: true,
  settings,
  log: () => undefined,
});
t.teardown(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Other clients of the server: as many as it accepts. A connection that has just been closed occupies its place a little longer. */
async function takeAll(leave: number): Promise<() => Promise<unknown>> {
  const others: pg.Client[] = [];
  const take = async (): Promise<boolean> => {
    const other = new pg.Client(openedConnection(postgres.connection));
    other.on('error', () => undefined);
    const isGiven = await other.connect().then(
      () => true,
      () => false,
    );
    if (isGiven) others.push(other);
    return others.length >= MAX_CONNECTIONS;
  };
  await until(() => `all are given, not only ${others.length}`, take, { everyMs: 1 });
  for (const other of others.splice(0, leave)) await other.end();
  return () => Promise.all(others.map((other) => other.end()));
}

const open = (turnMs?: number): Database =>
  openDatabase(postgres.connection, { ...(turnMs !== undefined && { turnMs }), onError: () => undefined });

const becomes = (database: Database, spent: boolean): Promise<boolean> =>
  until(`connections spent: ${spent}`, () => database.troubles.has('CONNECTIONS_SPENT') === spent, { everyMs: 20 });
const isSpent = (database: Database): Promise<boolean> => becomes(database, true);
const isOver = (database: Database): Promise<boolean> => becomes(database, false);

t.test('forty ask at once where there are three: all are served', async (t) => {
  const giveBack = await takeAll(3);
  const database = open(300_000);
  const pids = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid from pg_sleep(0.02)`.execute(
        database.db,
      );
      return rows[0]?.pid;
    }),
  );
  t.equal(pids.length, 40);
  t.comment(`over ${new Set(pids).size} connections`);
  t.ok(database.troubles.has('CONNECTIONS_SPENT'), 'and the cause is known');
  await giveBack();
  t.ok(await isOver(database), 'it passes by itself');
  await Promise.all(Array.from({ length: 6 }, () => sql`select pg_sleep(0.02)`.execute(database.db)));
  await database.close();
});

t.test('none at all: what waits is served once there is one', async (t) => {
  const giveBack = await takeAll(0);
  const database = open(300_000);
  const served: number[] = [];
  const asked = Array.from({ length: 10 }, async (_, i) => {
    await sql`select 1`.execute(database.db);
    served.push(i);
  });
  t.ok(await isSpent(database));
  t.same(served, []);
  await giveBack();
  await Promise.all(asked);
  t.equal(served.length, 10);
  t.ok(await isOver(database));
  await database.close();
});

t.test('none for longer than anybody waits: refused by name, all of them', async (t) => {
  const giveBack = await takeAll(0);
  const database = open(300);
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => sql`select 1`.execute(database.db)));
  t.same(
    answers.map((a) => (a.status === 'rejected' ? troubleOf(a.reason) : a.status)),
    answers.map(() => 'CONNECTIONS_SPENT'),
  );
  await giveBack();
  t.ok(await isOver(database));
  await sql`select 1`.execute(database.db);
  await database.close();
});
