/**
 * What a connection is given before its server is taken to be silent. One that stands still, or a network that swallows, closes no
 * connection: only our own clock ends the waiting.
 */

/** How much longer than the server's own limit we wait: where it lives, its word comes first. */
const SILENCE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** In the words of pg, of a connection whose statements may take so long. */
export const connectionLimits = (statementLimitMs: number) =>
  ({
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementLimitMs,
    query_timeout: statementLimitMs + SILENCE_MS,
    idle_in_transaction_session_timeout: 60_000,
    // A host that vanished is noticed by these, also where nothing is asked.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }) as const;

/** Did our own clock end a statement, not the server? */
export const isSilence = (error: unknown): boolean => (error as Error).message === 'Query read timeout';
