/**
 * Which worker carries what: sub-populations over workers, least loaded first, receivers before callers (docs/decisions.md,
 * Planning). Pure.
 */

export type Bearer = {
  readonly workerId: string;
  /** Endpoints at once. */
  readonly capacity: number;
  /** Endpoints of other runs. */
  readonly reserved: number;
  /** Streams at once. */
  readonly streamCapacity: number;
  /** Streams of other runs. */
  readonly reservedStreams: number;
};

export type Demand = {
  readonly subPopulationId: string;
  readonly endpoints: number;
  /** Of each endpoint: one for audio, one for video; none where calls are signalling alone. */
  readonly streams: number;
  readonly receives: boolean;
  /** Workers that may carry it. */
  readonly eligible: readonly string[];
};

export type WorkerPart = { readonly subPopulationId: string; readonly workerId: string; readonly endpoints: number };

/** Parts in the order of `demands`, or the first demand that does not fit and how many endpoints of it do. */
export type DistributionResult =
  | { readonly parts: readonly WorkerPart[] }
  | { readonly shortOf: { readonly subPopulationId: string; readonly endpoints: number; readonly room: number } };

type Load = { -readonly [K in keyof Bearer]: Bearer[K] };

/** The larger part of its two capacities that is in use with one more endpoint of so many streams. */
const inUse = (b: Bearer, streams: number): number =>
  Math.max((b.reserved + 1) / b.capacity, (b.reservedStreams + streams) / b.streamCapacity);

/** Every endpoint goes to the eligible worker whose share of its capacity in use is then the smallest. */
export function distribute(demands: readonly Demand[], bearers: readonly Bearer[]): DistributionResult {
  const load = new Map(bearers.map((b): [string, Load] => [b.workerId, { ...b }]));
  const counts = new Map<string, Map<string, number>>();
  const inOrder = [...demands].sort((a, b) => Number(b.receives) - Number(a.receives));
  for (const demand of inOrder) {
    const { streams } = demand;
    const eligible = demand.eligible.flatMap((id) => {
      const found = load.get(id);
      return found ? [{ id, found }] : [];
    });
    const mine = new Map<string, number>();
    for (let placed = 0; placed < demand.endpoints; placed++) {
      let best: (typeof eligible)[number] | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const candidate of eligible) {
        const used = inUse(candidate.found, streams);
        if (used > 1 || used >= least) continue;
        best = candidate;
        least = used;
      }
      if (!best) {
        return { shortOf: { subPopulationId: demand.subPopulationId, endpoints: demand.endpoints, room: placed } };
      }
      best.found.reserved++;
      best.found.reservedStreams += streams;
      mine.set(best.id, (mine.get(best.id) ?? 0) + 1);
    }
    counts.set(demand.subPopulationId, mine);
  }
  const parts = demands.flatMap((demand) =>
    [...(counts.get(demand.subPopulationId) ?? [])].map(([workerId, endpoints]) => ({
      subPopulationId: demand.subPopulationId,
      workerId,
      endpoints,
    })),
  );
  return { parts };
}
