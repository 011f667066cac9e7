/** A dedicated connection that listens for NOTIFY, and reconnects after a database outage. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type ConnectionConfig, openedConnection } from './db.ts';
import { connectionLimits } from './limits.ts';

export type Listener = { close(): Promise<void> };

const RETRY_MS = 500;
/** The connection is queried at this interval: otherwise a broken network would look like silence. */
const HEARTBEAT_MS = 15_000;
const STATEMENT_LIMIT_MS = 10_000;

/**
 * `onNotify` gets each payload; `onConnected` is called after every (re)connection, because earlier notifications were
 * missed.
 */
export function listen(
  config: ConnectionConfig,
  channel: string,
  handlers: { onNotify(payload: string): void; onConnected(): void; onLost(error: Error): void },
): Listener {
  let closed = false;
  let client: pg.Client | undefined;

  const connect = async (): Promise<void> => {
    while (!closed) {
      const next = new pg.Client({
        ...openedConnection(config),
        application_name: 'carillon listen',
        ...connectionLimits(STATEMENT_LIMIT_MS),
      });
      let heartbeat: NodeJS.Timeout | undefined;
      try {
        next.on('notification', (n) => handlers.onNotify(n.payload ?? ''));
        const lost = new Promise<Error>((resolve) => {
          next.on('error', resolve);
          next.on('end', () => resolve(new Error('the connection ended')));
          heartbeat = setInterval(() => void next.query('select').catch(resolve), HEARTBEAT_MS);
        });
        await next.connect();
        client = next;
        await next.query(`listen ${pg.escapeIdentifier(channel)}`);
        handlers.onConnected();
        const error = await lost;
        if (!closed) handlers.onLost(error);
      } catch (error) {
        if (!closed) handlers.onLost(error as Error);
      }
      clearInterval(heartbeat);
      await next.end().catch(() => undefined);
      if (!closed) await sleep(RETRY_MS);
    }
  };
  const running = connect();

  return {
    async close() {
      closed = true;
      await client?.end().catch(() => undefined);
      await Promise.race([running, sleep(2 * RETRY_MS)]);
    },
  };
}
