/** A connection for statements that take as long as they take. */
import pg from 'pg';
import { type ConnectionConfig, openedConnection } from '../db.ts';

/** `ending`: when aborted, the connection is cut, with its current statement. */
export async function openClient(config: ConnectionConfig, name: string, ending: AbortSignal): Promise<pg.Client> {
  ending.throwIfAborted();
  const client = new pg.Client({
    ...openedConnection(config),
    application_name: name,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The statement under way fails, that is enough.
  client.on('error', () => undefined);
  ending.addEventListener('abort', () => void client.end(), { once: true });
  await client.connect();
  return client;
}
