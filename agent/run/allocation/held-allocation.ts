/** The book's record of an allocation, its steps (allocation-machine.ts), and its reports. */

import type { H264Stream } from '@carillon/media/sdp/h264-format.ts';
import { step } from '@carillon/proto/base/machine.ts';
import type { Log } from '../../log.ts';
import { FREE, type MediaMemory } from '../../rtp/figures/stream-memory.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { StreamSamples } from '../../rtp/figures/stream-samples.ts';
import type { CallWindow } from '../limits/call-window.ts';
import type { CarriedCalls } from '../limits/check-policy.ts';
import type { ShareOrder } from '../order/share-order.ts';
import type { SharePlan, TrackPlan } from '../plan.ts';
import type { OutcomeFact, ReportedState, ShareFacts } from '../report/facts.ts';
import type { WithheldDetail } from '../report/withheld-detail.ts';
import { ALLOCATION, type AllocationEvent, type AllocationState, isOpen } from './allocation-machine.ts';

/** Resources that the allocations of the book use. */
export type Taken = { readonly endpoints: number; readonly streams: number };
/** A signalling thread, as far as allocations know it. */
export type ShareThread = { tell(order: ShareOrder): void };

export type HeldAllocation = {
  readonly id: string;
  readonly owner: number;
  readonly runId: string;
  readonly sampleIntervalMs: number;
  /** The shares, by listener. */
  shares: Map<number, SharePlan>;
  readonly states: Map<number, ReportedState>;
  endpoints: number;
  streams: number;
  /** Milliseconds after the start, which is null until it is ordered. */
  readonly callAtMs: readonly number[];
  readonly callsPerSecond: number;
  startAtMs: number | null;
  /** A narrower policy ended it before its time. */
  stopping: boolean;
  /** The calls of all its threads; null: there is no breaker, or it has already opened. */
  calls: CallWindow | null;
  /** Null: the detail of every call is reported immediately. */
  withheld: WithheldDetail | null;
  state: AllocationState;
  /** The batch that reports its end. */
  committedBy: number | null;
};

/** False: the table has no such step, and nothing may happen. */
export function enter(held: HeldAllocation, event: AllocationEvent, log: Pick<Log, 'debug'>): boolean {
  const next = step(ALLOCATION.transitions, held.state, event);
  if (next === null)
    log.debug({ allocation: held.id, state: held.state, event }, "invalid step of the allocation's state machine");
  else held.state = next;
  return next !== null;
}

/** Adds a breach if all threads together have seen enough failures, which a single thread may not have. */
export function judgeCalls(held: HeldAllocation, { tally, breaches }: ShareFacts): void {
  if (breaches.some(({ untilMs }) => untilMs === Number.POSITIVE_INFINITY)) held.calls = null;
  if (held.calls === null || tally === null) return;
  const reason = held.calls.count(tally.atMs, tally);
  if (reason === null) return;
  held.calls = null;
  breaches.push({ atMs: tally.atMs, untilMs: Number.POSITIVE_INFINITY, reason });
}

export type BookEvents = {
  readonly onOutcome: (outcome: OutcomeFact) => void;
  readonly onSip: (facts: ShareFacts, runId: string) => void;
  /** One interval of every stream. */
  readonly onSamples: (samples: StreamSamples) => void;
  readonly onStream: (record: StreamRecord) => void;
};

/** Loads the media of allocations. */
export type MediaHolder = {
  /** Loads the tracks that send. Rejects with what is missing, and why. */
  hold(allocation: string, tracks: readonly TrackPlan[]): Promise<void>;
  release(allocation: string): void;
  /** The format of a loaded video if it is H.264. */
  h264(source: string): H264Stream | null;
};

export const NO_LIBRARY: MediaHolder = { hold: async () => undefined, release: () => undefined, h264: () => null };

/** Calls of the other open allocations that start after `atMs`. */
export const carriedBeside = (
  allocations: readonly HeldAllocation[],
  { id, runId }: HeldAllocation,
  atMs: number,
): CarriedCalls[] =>
  allocations
    .filter((e) => isOpen(e.state) && e.id !== id)
    .map(({ startAtMs, ...e }) => ({
      runId: e.runId,
      isSameRun: e.runId === runId,
      callsPerSecond: e.callsPerSecond,
      callAtMs: startAtMs === null ? e.callAtMs : e.callAtMs.filter((at) => startAtMs + at > atMs),
    }));

/** A row is free again only when its last figures have been taken. */
export function holdsStreamsOf({ streams, capacity }: MediaMemory, owner: number): boolean {
  for (let row = 0; row < capacity; row++) {
    if (streams.owner[row] === owner && Atomics.load(streams.state, row) !== FREE) return true;
  }
  return false;
}

/** The plan with the formats of the files that its video tracks send. */
export function withVideo(plan: SharePlan, library: MediaHolder): SharePlan {
  const tracks = plan.group.tracks.map((track) =>
    track.kind === 'VIDEO' && track.direction !== 'RECEIVE' ? { ...track, h264: library.h264(track.source) } : track,
  );
  return { ...plan, group: { ...plan.group, tracks } };
}
