/** The claims of facts that are not accepted: allocations of other workers, and endpoints outside the allocation. */
import type { AllocationFacts } from '../../domain/run/facts.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { type EndpointRange, endpointRanges, type InstanceRow, instancesOfOthers } from '../../store/run/instances.ts';

/** The ids of those allocations that belong to other workers. */
export const foreignAllocations = (ports: Ports, workerId: string, ids: readonly string[]): Promise<Set<string>> =>
  ports.database.transaction(async (tx) => new Set(await instancesOfOthers(tx, workerId, ids)));

/** The endpoints of each instance that has any. They are numbered when the run is planned, and never change. */
export async function rangesOf(
  { memory }: Pick<Ports, 'memory'>,
  tx: Tx,
  instances: readonly InstanceRow[],
): Promise<ReadonlyMap<string, EndpointRange>> {
  const remembered = instances.map(({ id }) => [id, memory.ranges.get(id, 0)] as const);
  const ranges = new Map(remembered.filter((entry): entry is [string, EndpointRange] => entry[1] !== undefined));
  const unseen = instances.filter(({ id }) => !ranges.has(id));
  if (unseen.length === 0) return ranges;
  for (const { id, ...range } of await endpointRanges(tx, unseen)) {
    ranges.set(id, range);
    memory.ranges.put(id, range, 1, 0);
  }
  return ranges;
}

/** The allocations of `facts` with false claims; `mine` are those that the worker owns. */
export async function falseClaims(
  tx: Tx,
  workerId: string,
  facts: readonly AllocationFacts[],
  mine: readonly InstanceRow[],
  ranges: ReadonlyMap<string, EndpointRange>,
): Promise<Set<string>> {
  const carried = new Set(mine.map((i) => i.id));
  const others = facts.map((f) => f.allocationId).filter((id) => !carried.has(id));
  const found = new Set(others.length > 0 ? await instancesOfOthers(tx, workerId, others) : []);
  for (const f of facts) {
    const range = carried.has(f.allocationId) ? ranges.get(f.allocationId) : undefined;
    if (range && !isWithin(f, range)) found.add(f.allocationId);
  }
  return found;
}

function isWithin(f: AllocationFacts, { first, last, apart }: EndpointRange): boolean {
  const isOwn = (n: number): boolean => {
    const endpoint = apart > 0 ? n % apart : n;
    return endpoint >= first && endpoint <= last;
  };
  const messages = f.messages.map(({ endpoint }) => endpoint);
  const samples = [f.samples, f.summedSamples, f.storedSamples].map((told) => told?.endpoint);
  for (const column of [
    f.phases?.endpoint,
    f.progress?.endpoint,
    f.actions?.endpoint,
    f.registrationEnds?.endpoint,
    ...samples,
    ...messages,
  ])
    for (let i = 0; column && i < column.length; i++) if (!isOwn(column[i] as number)) return false;
  return (
    f.outcomes.every((o) => isOwn(o.number)) &&
    f.rtpHeaders.every((h) => isOwn(h.endpoint)) &&
    f.streams.every((s) => isOwn(s.endpoint))
  );
}
