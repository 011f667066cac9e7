/** Evaluates the checks: faults and warnings of a control plane. Pure. */
import type { Condition } from '../ports.ts';
import { type Disk, roomOf } from '../store/embedded/disk.ts';
import { type DatabaseTrouble, TROUBLE_WORDS } from '../store/trouble.ts';

type Trouble = Condition['faults'][number];

export type Seen = {
  /** The fault of the latest trial write; null: it succeeded. */
  readonly writeFault: DatabaseTrouble | null;
  /** True: the server accepts no further connection, and requests share the existing ones. */
  readonly isShort: boolean;
  /** True: a statement found the disk full, and nothing has shown otherwise since. */
  readonly isFull: boolean;
  /** Null: the disk cannot be seen. */
  readonly disk: Disk | null;
  /** `stalledSeconds`: how long a due job was not started, or jobs could not be queried. */
  readonly jobs: { readonly stalledSeconds: number; readonly waitingSeconds: number | null } | null;
  /** What an operator must do about the certificate; null: nothing. */
  readonly certificateTrouble: string | null;
  readonly maxStalledSeconds: number;
};

const inMebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20).toLocaleString('en')} MiB`;

const nearlyFull = ({ freeBytes, sizeBytes }: Disk): string =>
  `The disk of the database is nearly full: ${inMebibytes(freeBytes)} of ${inMebibytes(sizeBytes)} are free. Make room on it, or make it larger; ` +
  'samples go sooner with CARILLON_SAMPLE_RETENTION_DAYS, runs with CARILLON_RUN_RETENTION_DAYS.';

const stalled = (seconds: number): string =>
  `Jobs that are due have not been begun for ${Math.round(seconds)} s: runs, probes and alarms are stalled. See the log; ` +
  'if it has no errors, restart the control plane.';

const servedInTurn = `${TROUBLE_WORDS.CONNECTIONS_SPENT} Meanwhile requests are served in turn.`;

export function conditionOf(seen: Seen): Condition {
  const faults = new Map<Trouble['kind'], string>();
  const warnings = new Map<Trouble['kind'], string>();
  const { writeFault, isShort, isFull, disk, jobs, maxStalledSeconds } = seen;
  const room = disk === null ? 'ENOUGH' : roomOf(disk);
  // A cause precedes its consequences: a full disk also ends PostgreSQL.
  if (isFull || room === 'NONE') faults.set('DISK_FULL', TROUBLE_WORDS.DISK_FULL);
  if (writeFault === 'DATABASE_AWAY' && isShort) faults.set('CONNECTIONS_SPENT', TROUBLE_WORDS.CONNECTIONS_SPENT);
  else if (writeFault !== null) faults.set(writeFault, TROUBLE_WORDS[writeFault]);
  if (jobs !== null && jobs.stalledSeconds > maxStalledSeconds)
    faults.set('JOBS_STALLED', stalled(jobs.stalledSeconds));
  if (isShort && !faults.has('CONNECTIONS_SPENT')) warnings.set('CONNECTIONS_SPENT', servedInTurn);
  if (disk !== null && room === 'LITTLE' && !isFull) warnings.set('DISK_NEARLY_FULL', nearlyFull(disk));
  if (seen.certificateTrouble !== null) warnings.set('CERTIFICATE', seen.certificateTrouble);
  return { faults: listed(faults), warnings: listed(warnings), disk, waitingSeconds: jobs?.waitingSeconds ?? null };
}

const listed = (found: ReadonlyMap<Trouble['kind'], string>): Trouble[] =>
  [...found].map(([kind, message]) => ({ kind, message }));
