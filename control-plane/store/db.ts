/** Access to PostgreSQL: one pool, one query builder, one function for transactions. Everything in store/ is based on it. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely';
import pg from 'pg';
import { connectionLimits, isSilence } from './limits.ts';
import type { KeyRing } from './secrets/key-ring.ts';
import { SilenceWatch } from './silence.ts';
import type { DB } from './tables.gen.ts';
import { POOL_CONNECTIONS, Troubles, troubleOf } from './trouble.ts';
import { ConnectionTurns } from './turns.ts';

export type Tables = DB;
/** A transaction, or the database itself for a single statement. */
export type Tx = Kysely<DB> | Transaction<DB>;

export type ConnectionConfig =
  | { readonly connectionString: Secret }
  | { readonly host: string; readonly user: string; readonly database: string };

/** The connection configuration in the form that pg expects. */
export const openedConnection = (config: ConnectionConfig) =>
  'connectionString' in config ? { connectionString: config.connectionString.reveal() } : config;

export type Database = {
  readonly db: Kysely<DB>;
  readonly config: ConnectionConfig;
  /** Runs `work` in one transaction; a serialization failure or deadlock repeats it, up to three times. */
  transaction<T>(work: (tx: Transaction<DB>) => Promise<T>): Promise<T>;
  /** Problems that statements have met. */
  readonly troubles: Troubles;
  /** The connections in use and waiting, for metrics. */
  poolState(): { total: number; idle: number; waiting: number };
  /** Running statements may finish; after a moment the remaining ones are cut. */
  close(): Promise<void>;
};

/** The time limit of a statement: a hanging one must not hold a run's row forever. */
const STATEMENT_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 5_000;

/** Values of bigint and count(*) become numbers: all of them stay far below 2^53. */
function numberTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}

/** The sealing of a database and each of its transactions. */
const RINGS = new WeakMap<object, KeyRing>();

export function ringOf(tx: Tx): KeyRing {
  const ring = RINGS.get(tx);
  if (!ring) throw new Error('This database was opened without sealing keys.');
  return ring;
}

export function openDatabase(
  config: ConnectionConfig,
  options: {
    max?: number;
    statementLimitMs?: number;
    turnMs?: number;
    lookMs?: number;
    onError: (error: Error) => void;
    ring?: KeyRing;
  },
): Database {
  const each = {
    ...openedConnection(config),
    types: numberTypes(),
    application_name: 'carillon',
    ...connectionLimits(options.statementLimitMs ?? STATEMENT_LIMIT_MS),
  };
  const watch = new SilenceWatch(each, options.lookMs);
  const pool = new pg.Pool({
    ...each,
    Client: watch.Client,
    max: options.max ?? POOL_CONNECTIONS,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', options.onError);
  // A connection that breaks between two statements of a transaction would do the same: the next statement fails, and
  // that is enough.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    turns.close();
    watch.close();
    const ended = db.destroy();
    const late = setTimeout(() => clients.forEach(cutOff), CLOSE_LIMIT_MS);
    await ended.finally(() => clearTimeout(late));
  }
  const troubles = new Troubles();
  const turns = new ConnectionTurns(pool, each, troubles, options.turnMs);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: prepared(pool, turns, troubles, watch) }) });
  const { ring } = options;
  if (ring) RINGS.set(db, ring);
  return {
    db,
    config,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction().execute((tx) => {
            if (ring) RINGS.set(tx, ring);
            return work(tx);
          });
        } catch (error) {
          if (attempt >= 3 || !isRepeatable(error)) throw error;
        }
      }
    },
    troubles,
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => (closed ??= close()),
  };
}

/** Cuts the connection immediately, without waiting for a server that may not respond; the pool no longer uses it. */
function cutOff(client: pg.PoolClient): void {
  void (client as pg.Client).end();
  client.connection.stream.destroy();
}

/**
 * Up to this many statements are remembered by name; beyond that, texts that vary without end (lists of parameters) are
 * unnamed.
 */
const MAX_NAMES = 400;

/**
 * The pool, with every statement prepared once per connection: parsing and planning are most of a small statement's
 * cost.
 */
function prepared(pool: pg.Pool, turns: ConnectionTurns, troubles: Troubles, watch: SilenceWatch): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < MAX_NAMES) names.set(text, `s${names.size}`);
    return names.get(text);
  };
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    query: ((text: string, values: unknown[]) => {
      const name = values.length > 0 ? nameOf(text) : undefined;
      const answer = client.query(name === undefined ? { text, values } : { name, text, values });
      // The next statement, including the rollback, would wait as long for an answer that never arrives.
      answer.catch((error: unknown) => {
        if (troubleOf(error) === 'DISK_FULL') troubles.note('DISK_FULL');
        if (!isSilence(error)) return;
        cutOff(client);
        watch.dropIdle();
      });
      return answer;
    }) as unknown as PostgresPoolClient['query'],
    release: () => client.release(),
  });
  return {
    async connect() {
      const client = await turns.connect();
      const found = wrapped.get(client) ?? wrap(client);
      wrapped.set(client, found);
      return found;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

const code = (error: unknown): string => (error as { code?: string }).code ?? '';

/** `serialization_failure`, and `deadlock_detected`. */
const isRepeatable = (error: unknown): boolean => code(error) === '40001' || code(error) === '40P01';

/**
 * The SQLSTATE of a statement that will always fail: invalid data (class 22), a violated constraint (23), or a limit of
 * PostgreSQL (54). null: anything else.
 */
export const lastingFault = (error: unknown): string | null => (/^(22|23|54)/.test(code(error)) ? code(error) : null);

/** `unique_violation`: a row with this key exists already. */
export const isTaken = (error: unknown): boolean => code(error) === '23505';
