/**
 * Agents' reports about starts, gathered: for the verdict all of an instance, without a time; for the curves all of a step, without an
 * instance. Pure.
 */
import type { StartNoiseFact } from '../run/facts.ts';

/** A report of one instance, or what is gathered of all of them in a step. */
export type StartReport = StartNoiseFact & { readonly instanceId: string };
type Gathered = StartReport & { readonly batch: number };

/** The instance of a step. */
export const EVERY_INSTANCE = '00000000-0000-0000-0000-000000000000';
/** The number of the batch that stands for all that were gathered of an instance; agents count from 1. */
export const GATHERED = 0;

const COUNTS = ['planned', 'started', 'notStarted', 'heldBack', 'noFreeEndpoint'] as const;

export function gatheredStarts(reports: readonly StartReport[], stepSeconds: number): Gathered[] {
  const ofInstance = Map.groupBy(
    reports.filter(({ instanceId }) => instanceId !== EVERY_INSTANCE),
    ({ instanceId }) => instanceId,
  );
  // What was gathered of an instance has no time: its counts are in steps already.
  const ofStep = Map.groupBy(
    reports.filter(({ unixMs }) => unixMs !== null),
    ({ unixMs }) => Math.floor((unixMs as number) / 1000 / stepSeconds) * stepSeconds,
  );
  return [
    ...[...ofInstance].map(([instanceId, all]) => ({
      ...{ instanceId, batch: GATHERED, unixMs: null, ...sumsOf(all) },
      ...{
        inviteLate: mergedPairs(all.map((one) => one.inviteLate)),
        actionLate: mergedPairs(all.map((one) => one.actionLate)),
      },
    })),
    ...[...ofStep].map(([second, all]) => ({
      ...{ instanceId: EVERY_INSTANCE, batch: second, unixMs: second * 1000, ...sumsOf(all) },
      ...{ inviteLate: [], actionLate: [] },
    })),
  ];
}

const sumsOf = (all: readonly StartReport[]) =>
  Object.fromEntries(COUNTS.map((name) => [name, all.reduce((n, one) => n + one[name], 0)])) as Pick<
    StartNoiseFact,
    (typeof COUNTS)[number]
  >;

/** Counts of [bucket, count, bucket, count …] are added up by bucket. */
function mergedPairs(all: readonly (readonly number[])[]): number[] {
  const counts = new Map<number, number>();
  for (const pairs of all)
    for (let i = 0; i < pairs.length; i += 2) {
      const [bucket, n] = [pairs[i] as number, pairs[i + 1] as number];
      counts.set(bucket, (counts.get(bucket) ?? 0) + n);
    }
  return [...counts].sort(([a], [b]) => a - b).flat();
}
