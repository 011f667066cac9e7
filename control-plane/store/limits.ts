/**
 * Timeouts of a connection whose server is silent. A stalled server, or a network that drops packets, closes no
 * connection: only our own clock ends the wait.
 */

/** How much longer than the server's own limit we wait: where it lives, its word comes first. */
const SILENCE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** pg options for a connection with this statement timeout. */
export const connectionLimits = (statementLimitMs: number) =>
  ({
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementLimitMs,
    query_timeout: statementLimitMs + SILENCE_MS,
    idle_in_transaction_session_timeout: 60_000,
    // Keep-alives detect a vanished host, also on idle connections.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }) as const;

/** Did our own clock end a statement, not the server? */
export const isSilence = (error: unknown): boolean => (error as Error).message === 'Query read timeout';
