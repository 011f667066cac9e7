/**
 * Distribution of sub-populations over workers, least loaded first, receivers before callers (docs/decisions.md,
 * Planning). A part needs its number of concurrent endpoints (peak.ts). Pure.
 */

import { sharesOf } from './shares.ts';

export type Bearer = {
  readonly workerId: string;
  /** The limit of concurrent endpoints. */
  readonly capacity: number;
  /** The endpoints of other runs. */
  readonly reserved: number;
  /** The limit of concurrent streams. */
  readonly streamCapacity: number;
  /** The streams of other runs. */
  readonly reservedStreams: number;
  /** True: an older agent, which reserves space for each endpoint, active or not. */
  readonly countsEndpoints?: boolean;
};

export type Demand = {
  readonly subPopulationId: string;
  /** The demand is the share of this region; absent: the whole sub-population. */
  readonly region?: string;
  readonly endpoints: number;
  /** The number of its endpoints that are active at the same time. */
  readonly atOnce: number;
  /** The streams per endpoint: one for audio, one for video; none for calls without media. */
  readonly streams: number;
  readonly receives: boolean;
  /** The workers that may carry it. */
  readonly eligible: readonly string[];
};

export type WorkerPart = {
  readonly subPopulationId: string;
  readonly workerId: string;
  readonly endpoints: number;
  /** The number of these endpoints that are active at the same time. */
  readonly atOnce: number;
};

/** The parts in the order of `demands`, or the first demand that does not fit, with the number of endpoints that fit. */
export type DistributionResult =
  | { readonly parts: readonly WorkerPart[] }
  | {
      readonly shortOf: { readonly demand: Demand; readonly room: number };
    };

type Load = { -readonly [K in keyof Bearer]: Bearer[K] } & { spread: number; spreadStreams: number };
type WorkerRoom = { readonly id: string; readonly load: Load; endpoints: number; atOnce: number };

/** Callers are dealt evenly, with a difference of at most one; the calls of callees arrive in any order. */
const dealt = ({ endpoints, atOnce, receives }: Demand, size: number): number =>
  Math.min(size, atOnce, receives ? atOnce : Math.ceil((size * atOnce) / endpoints) + 1);

const partAtOnce = (demand: Demand, size: number, { countsEndpoints }: Bearer): number =>
  countsEndpoints === true ? size : dealt(demand, size);

/** The shares of regions in a demand, by their weights. `eligibleIn`: the workers of each that may carry it. */
export function overRegions(
  demand: Demand,
  regions: Readonly<Record<string, number>>,
  eligibleIn: (region: string) => readonly string[],
): Demand[] {
  const sizes = sharesOf(Object.values(regions), demand.endpoints);
  return Object.keys(regions).flatMap((region, i) => {
    const endpoints = sizes[i] as number;
    const atOnce = dealt(demand, endpoints);
    return endpoints === 0 ? [] : [{ ...demand, region, endpoints, atOnce, eligible: eligibleIn(region) }];
  });
}

/** Every endpoint is placed on the eligible worker with the lowest resulting use of its capacity. */
export function distribute(demands: readonly Demand[], bearers: readonly Bearer[]): DistributionResult {
  const loads = new Map(
    bearers.map((b): [string, Load] => [b.workerId, { ...b, spread: b.reserved, spreadStreams: b.reservedStreams }]),
  );
  /** The workers are in the order in which they were given their first endpoint. */
  const places = new Map<Demand, Set<WorkerRoom>>();
  const inOrder = [...demands].sort((a, b) => Number(b.receives) - Number(a.receives));
  for (const demand of inOrder) {
    const { endpoints, atOnce } = demand;
    const eligible = demand.eligible.flatMap((id): WorkerRoom[] => {
      const load = loads.get(id);
      return load ? [{ id, load, endpoints: 0, atOnce: 0 }] : [];
    });
    const taken = new Set<WorkerRoom>();
    for (let placed = 0; placed < endpoints; placed++) {
      const place = placeOne(demand, eligible);
      if (place === null) {
        const room = eligible.reduce((sum, one) => sum + one.atOnce, 0);
        return { shortOf: { demand, room: Math.min(room, atOnce) } };
      }
      taken.add(place);
    }
    places.set(demand, taken);
  }
  const parts = demands.flatMap((demand) =>
    [...(places.get(demand) ?? [])].map(({ id, endpoints, atOnce }) => ({
      subPopulationId: demand.subPopulationId,
      workerId: id,
      endpoints,
      atOnce,
    })),
  );
  return { parts };
}

/** The worker on which one more endpoint of the demand was placed; null: no capacity left. */
function placeOne(demand: Demand, eligible: readonly WorkerRoom[]): WorkerRoom | null {
  const { streams } = demand;
  const weight = demand.atOnce / demand.endpoints;
  let best: WorkerRoom | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const place of eligible) {
    const { load } = place;
    const more = partAtOnce(demand, place.endpoints + 1, load) - place.atOnce;
    if (load.reserved + more > load.capacity || load.reservedStreams + more * streams > load.streamCapacity) continue;
    // The more used one of its two capacities counts.
    const used = Math.max(
      (load.spread + weight) / load.capacity,
      streams === 0 ? 0 : (load.spreadStreams + weight * streams) / load.streamCapacity,
    );
    if (used >= least) continue;
    best = place;
    least = used;
  }
  if (!best) return null;
  const { load } = best;
  const more = partAtOnce(demand, best.endpoints + 1, load) - best.atOnce;
  best.endpoints++;
  best.atOnce += more;
  load.reserved += more;
  load.reservedStreams += more * streams;
  load.spread += weight;
  load.spreadStreams += weight * streams;
  return best;
}
