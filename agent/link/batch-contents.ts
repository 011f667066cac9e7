/** The contents of a waiting batch, parsed when it must shrink or when its allocations are needed. */
import { decodeFacts, wire } from '@carillon/proto';
import type { Reduction } from './quarantine.ts';

type Batch = wire.agent.v1.Batch.$Properties;

/** Empty facts if they cannot be parsed: the receiver could not parse them either. */
export function factsOf(batch: Batch): wire.agent.v1.Facts {
  try {
    return decodeFacts(batch);
  } catch {
    return decodeFacts({});
  }
}

const { DONE, REFUSED } = wire.agent.v1.AllocationState;

const endsIn = (batch: Batch): Uint8Array[] =>
  factsOf(batch)
    .allocations.filter((a) => a.state === DONE || a.state === REFUSED)
    .map((a) => a.allocationId as Uint8Array);

/** Allocations that end in these batches. */
export const endsOf = (batches: readonly Batch[]) =>
  batches.flatMap((b) => endsIn(b).map((allocationId) => ({ number: Number(b.number), allocationId })));

/** The amounts of everything that a batch loses when it is reduced. */
export function inventory({ allocations, noise }: wire.agent.v1.Facts, to: Reduction): Record<string, number> {
  const count = (of: (a: (typeof allocations)[number]) => ArrayLike<unknown> | null | undefined): number =>
    allocations.reduce((n, a) => n + (of(a)?.length ?? 0), 0);
  return {
    phases: count((a) => a.phases?.endpoint),
    outcomes: count((a) => a.outcomes),
    sipCounts: count((a) => a.sipCounts?.count),
    messages:
      count((a) => a.messages?.flatMap((m) => m.length ?? [])) +
      count((a) => a.messageBlocks?.flatMap((m) => m.length ?? [])),
    samples: count((a) => a.samples?.endpoint),
    rtpHeaders: count((a) => a.rtpHeaders?.flatMap((h) => h.headerBytes ?? [])),
    streams: count((a) => a.streams),
    noise: noise.length,
    states: to === 'NOTHING' ? allocations.filter((a) => a.state).length : 0,
  };
}
