/** The number of concurrent endpoints of a worker, its limits, and how to raise them. Pure. */
import type { CAPACITY_LIMITS } from '../../../contract/worker-words.ts';

export type CapacityLimit = (typeof CAPACITY_LIMITS)[number];

/** The capacity from a worker's row and its agent's greeting; absent: not reported. */
export type Carrying = {
  readonly capacity: number;
  readonly hello: {
    readonly capacity?: number;
    readonly streamCapacity?: number;
    readonly policy?: { readonly maxEndpoints: number };
    readonly limits?: { readonly own: number; readonly openFileStreams: number; readonly portStreams: number };
  };
};

/**
 * The share of each worker that a run leaves to probes. A load leaves about fifty of 1,000 endpoints at a time, more
 * than any schedule needs.
 */
export const RESERVE_SHARE = { load: 0.05, probe: 0 } as const;
/** The part of a worker's capacity for probes, in whole endpoints. */
export const leftToProbes = (capacity: number, reserveShare: number): number => Math.floor(capacity * reserveShare);

/** The limits for endpoints with this many streams; the strictest is first. Without streams they need no files and ports. */
export function limitsOf(
  { capacity, hello }: Carrying,
  streams = 1,
): { readonly limit: CapacityLimit; readonly endpoints: number; readonly cure: string }[] {
  const { limits, policy } = hello;
  const agent = limits?.own || hello.capacity;
  const each = (all: number | undefined) => (all && streams > 0 ? Math.floor(all / streams) : undefined);
  const known: [CapacityLimit, number | undefined][] = [
    ['CONFIGURED', capacity],
    ['POLICY', policy?.maxEndpoints],
    ['AGENT', agent],
    ['OPEN_FILES', each(limits?.openFileStreams)],
    ['PORTS', each(limits?.portStreams)],
  ];
  return known
    .flatMap(([limit, endpoints]) => (endpoints === undefined ? [] : [{ limit, endpoints, cure: CURES[limit] }]))
    .sort((a, b) => a.endpoints - b.endpoints);
}

export const streamCapacityOf = ({ capacity, hello }: Carrying): number =>
  hello.streamCapacity || 2 * (hello.capacity ?? capacity);

/**
 * The number of endpoints with this many streams each: the least of what the operator sets in the dashboard, what the agent
 * supports, and what its host's owner allows.
 */
export function capacityOf(worker: Carrying, streams = 1): number {
  const { capacity, hello } = worker;
  const byStreams = streams > 0 ? Math.floor(streamCapacityOf(worker) / streams) : Number.POSITIVE_INFINITY;
  return Math.min(capacity, hello.capacity ?? capacity, hello.policy?.maxEndpoints ?? capacity, byStreams);
}

const CURES: Readonly<Record<CapacityLimit, string>> = {
  CONFIGURED: 'its capacity as set here: an administrator can raise it',
  POLICY: "maxEndpoints in its host's policy.yaml: the owner can raise it",
  AGENT: 'its own figure: measured by carillon-agent calibrate, or set by CARILLON_CAPACITY',
  OPEN_FILES: "its host's open files: raise ulimit -n (LimitNOFILE of the unit)",
  PORTS: 'its range of media ports: widen CARILLON_RTP_PORTS',
};

type Short = {
  readonly group: string;
  readonly endpoints: number;
  readonly atOnce: number;
  readonly room: number;
  /** The streams of each endpoint. */
  readonly streams: number;
  /** True: its endpoints are concurrent calls, and each places one after another. */
  readonly lasts: boolean;
};
type NamedWorker = Carrying & { readonly name: string; readonly reserved: number };

/** At most this many workers are named. */
const NAMED_WORKERS = 3;

/**
 * Says why a group does not fit, in numbers, with solutions. `place`: where its workers are; `reserveShare`: what the
 * run leaves to probes.
 */
export function noRoom(
  { group, endpoints, atOnce, room, streams, lasts }: Short,
  workers: readonly NamedWorker[],
  place: string,
  reserveShare: number,
): string {
  const asked =
    atOnce < endpoints
      ? `Group ${group} has up to ${atOnce} of its ${endpoints} endpoints at work at once`
      : `Group ${group} needs ${endpoints} endpoints at once`;
  const named = workers.slice(0, NAMED_WORKERS).map((worker) => {
    const capacity = capacityOf(worker, streams);
    const [strictest] = limitsOf(worker, streams);
    const kept = leftToProbes(capacity, reserveShare);
    const used = worker.reserved > 0 ? `, ${worker.reserved} in use` : '';
    const probes = kept > 0 ? `, ${kept} left to probes` : '';
    const each = streams > 1 ? ` of ${streams} streams` : '';
    return `${worker.name} carries ${capacity}${each}${used}${probes} (${strictest?.cure ?? ''})`;
  });
  const less = lasts ? 'reduce the simultaneous calls (endpoints)' : 'spread the calls over more time';
  return `${asked}, the workers ${place} have room for ${room}: ${named.join('; ')}. Start another agent there, or ${less}.`;
}
