/** A network that swallows: connections stay open, and no answer comes. Our own clock ends what waits. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import t from 'tap';
import { startQueue } from '../queue/boss.ts';
import { testDatabase } from '../testing/database.ts';
import { type ConnectionConfig, openDatabase, openedConnection, ping } from './db.ts';

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

/** Of the connections that there are; new ones work. */
function swallow(): void {
  for (const [near, far] of pairs) {
    near.unpipe(far);
    far.unpipe(near);
    for (const one of [near, far]) one.resume();
  }
}

t.test('a statement without an answer ends, and its connection with it; the next one has another', async (t) => {
  const silent = openDatabase(config, { max: 1, statementLimitMs: 500, onError: () => undefined });
  await ping(silent.db);
  swallow();
  await t.rejects(
    silent.transaction(async (tx) => sql`select 1`.execute(tx)),
    /Query read timeout/,
  );
  await ping(silent.db);
  await silent.close();
});

t.test('what waits for an answer does not keep a pool from closing', async (t) => {
  const silent = openDatabase(config, { max: 2, onError: () => undefined });
  await ping(silent.db);
  swallow();
  const waiting = t.rejects(ping(silent.db));
  while (silent.poolState().idle > 0) await nextTurn();
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
