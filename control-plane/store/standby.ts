/**
 * A standby for reading. It is read only if it has every change that this process knows of; otherwise the primary is. How far it has
 * come is told by positions in the primary's log: clocks of two hosts differ, and a standby of an idle primary replays nothing.
 */
import { sql } from 'kysely';
import { type ConnectionConfig, type Database, openDatabase, type Tx } from './db.ts';
import type { KeyRing } from './secrets/key-ring.ts';
import { troubleOf } from './trouble.ts';

const LOOK_EVERY_MS = 500;
/** A standby that is further behind is not read. */
const MAX_LAG_MS = 10_000;
/** Positions that are remembered: with more, a lag is known less exactly. */
const MAX_MARKS = 1000;

/** Its server was promoted, or never was a standby: what it has is not what the primary has. */
class NoStandby extends Error {}

/** A position in the log of the primary, and the instant by which everything before it was committed. */
type Mark = { readonly atMs: number; readonly position: string };

async function positionOf(tx: Tx): Promise<string> {
  const { rows } = await sql<{ position: string }>`select pg_current_wal_lsn()::text as position`.execute(tx);
  return rows[0]?.position ?? '';
}

/** How many of these positions, in their order, the standby has replayed. @throws NoStandby */
async function replayedOf(tx: Tx, positions: readonly string[]): Promise<number> {
  const { rows } = await sql<{ isStandby: boolean; n: number }>`
    select pg_is_in_recovery() as "isStandby", count(*) as n from unnest(${sql.val(positions)}::pg_lsn[]) as at
    where at <= pg_last_wal_replay_lsn()`.execute(tx);
  if (rows[0]?.isStandby !== true) throw new NoStandby('DATABASE_READ_URL names no standby, or one that was promoted');
  return rows[0].n;
}

export type Standby = {
  /** Null: the standby does not have all changes until this instant of `performance.now()`, does not answer, or is too far behind. */
  upTo(sinceMs: number): Database | null;
  /** A statement on it has failed. */
  failed(error: unknown): void;
  /** The lag as last seen; null: it does not answer. */
  lagSeconds(): number | null;
  /** Sees how far it is. Null: it answers; or why not. */
  look(): Promise<string | null>;
  close(): Promise<void>;
};

export type StandbyParts = {
  readonly primary: Database;
  readonly standby: ConnectionConfig;
  readonly ring?: KeyRing;
  /** Is told once when the standby is no longer read, with the reason, and null when it is again. */
  readonly onChange: (fault: string | null) => void;
};

/** It is not read before the first look. */
export function openStandby({ primary, standby, ring, onChange }: StandbyParts): Standby {
  const database = openDatabase(standby, { onError: () => undefined, ...(ring && { ring }) });
  let marks: Mark[] = [];
  /** Everything that was committed before this is there; null: unknown. */
  let completeMs: number | null = null;
  let askedMs = performance.now();
  let fault: string | null = null;
  let looking: Promise<string | null> | undefined;

  const isBehind = () => performance.now() - (completeMs ?? askedMs) > MAX_LAG_MS;
  function turn(next: string | null): string | null {
    if ((fault === null) !== (next === null)) onChange(next);
    fault = next;
    return next;
  }
  function lose(error: unknown): string | null {
    completeMs = null;
    askedMs = performance.now();
    return turn((error as Error).message);
  }
  async function see(): Promise<string | null> {
    const atMs = performance.now();
    // Without the primary nothing is known about the standby, and nobody can be asked instead.
    const position = await positionOf(primary.db).catch(() => null);
    if (position === null) return fault;
    try {
      marks = [...marks, { atMs, position }].slice(-MAX_MARKS);
      const replayed = await replayedOf(
        database.db,
        marks.map((mark) => mark.position),
      );
      completeMs = marks[replayed - 1]?.atMs ?? completeMs;
      marks = marks.slice(replayed);
    } catch (error) {
      return lose(error);
    }
    return turn(isBehind() ? `it is more than ${MAX_LAG_MS / 1000} s behind` : null);
  }
  const look = () =>
    (looking ??= see().finally(() => {
      looking = undefined;
    }));
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();

  return {
    upTo: (sinceMs) =>
      fault === null && completeMs !== null && completeMs >= sinceMs && !isBehind() ? database : null,
    failed(error) {
      if (troubleOf(error) !== null) lose(error);
    },
    lagSeconds: () => (completeMs === null ? null : (performance.now() - completeMs) / 1000),
    look,
    close() {
      clearInterval(timer);
      return database.close();
    },
  };
}
