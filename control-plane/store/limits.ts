/**
 * Timeouts of a connection whose server is silent. A stalled server, or a network that drops packets, closes no
 * connection: only the client's own clock ends the wait.
 */

/** The client waits this much longer than the server's own limit: if the server lives, its answer arrives first. */
const SILENCE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** The pg options for a connection with this statement timeout. */
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

/** True if the client's clock ended a statement, not the server. */
export const isSilence = (error: unknown): boolean => (error as Error).message === 'Query read timeout';
