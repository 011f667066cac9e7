/** A connection for statements of any duration. */
import pg from 'pg';
import { type ConnectionConfig, openedConnection } from '../../../store/db.ts';

/** `ending`: when it is aborted, the connection is cut, with its current statement. */
export async function openClient(config: ConnectionConfig, name: string, ending: AbortSignal): Promise<pg.Client> {
  ending.throwIfAborted();
  const client = new pg.Client({
    ...openedConnection(config),
    application_name: name,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The statement in progress fails, and that report is enough.
  client.on('error', () => undefined);
  ending.addEventListener('abort', () => void client.end(), { once: true });
  await client.connect();
  return client;
}
