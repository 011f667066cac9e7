/** Problems of the database itself, recognized from a failed statement by SQLSTATE and pg's errors. */

export type DatabaseTrouble = 'DATABASE_AWAY' | 'CONNECTIONS_SPENT' | 'DISK_FULL';

/** The maximum number of connections of a control plane: its pool, the queue's, and one for each of two listening channels. */
export const POOL_CONNECTIONS = 10;
export const QUEUE_CONNECTIONS = 4;
const ALL_CONNECTIONS = POOL_CONNECTIONS + QUEUE_CONNECTIONS + 2;

/** The problem and its solution. */
export const TROUBLE_WORDS: Readonly<Record<DatabaseTrouble, string>> = {
  DATABASE_AWAY: "The database does not answer. Carillon keeps trying. Check the database's log and host.",
  CONNECTIONS_SPENT:
    'PostgreSQL gives Carillon no further connection: the limit of the server, the database or the role is reached. ' +
    `Raise max_connections, or end other clients; a control plane uses up to ${ALL_CONNECTIONS} connections.`,
  DISK_FULL:
    'The disk of the database is full, and nothing can be stored. Free space or enlarge the disk. Carillon then continues by itself. ' +
    'Agents keep what they measure meanwhile, as far as it fits into their own files.',
};

const BY_SQLSTATE: Readonly<Record<string, DatabaseTrouble>> = {
  '53100': 'DISK_FULL',
  '53300': 'CONNECTIONS_SPENT',
  // admin_shutdown, crash_shutdown, cannot_connect_now
  '57P01': 'DATABASE_AWAY',
  '57P02': 'DATABASE_AWAY',
  '57P03': 'DATABASE_AWAY',
};

/** Codes of a socket that could not be opened, or was lost. */
const LOST = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3})$/;
/** Messages of pg that have no code. */
const LOST_WORDS =
  /^(Query read timeout|Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/;

type Coded = { readonly code?: string; readonly syscall?: string; readonly message?: string };

/** Null: the fault is the statement's own, or another one. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  const { code = '', syscall, message = '' } = (error ?? {}) as Coded;
  const known = BY_SQLSTATE[code];
  if (known) return known;
  // ENOENT for a file does not concern the database; for its socket it does.
  if (LOST.test(code) && (code !== 'ENOENT' || syscall === 'connect')) return 'DATABASE_AWAY';
  return LOST_WORDS.test(message) ? 'DATABASE_AWAY' : null;
}

/** Problems that statements have met, until something shows that they are over. */
export class Troubles {
  readonly #met = new Set<DatabaseTrouble>();
  note(trouble: DatabaseTrouble): void {
    this.#met.add(trouble);
  }
  has(trouble: DatabaseTrouble): boolean {
    return this.#met.has(trouble);
  }
  clear(trouble: DatabaseTrouble): void {
    this.#met.delete(trouble);
  }
}

/** An error in words: those of the trouble with PostgreSQL's message, or the error's own. */
export function inWords(error: Error): string {
  const trouble = troubleOf(error);
  return trouble === null ? error.message : `${TROUBLE_WORDS[trouble]} (${error.message})`;
}
