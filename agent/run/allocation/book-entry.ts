/** What the book writes down of an allocation, its steps (entry-machine.ts), and whom it tells. */

import type { H264Stream } from '@carillon/media/sdp/h264-format.ts';
import { step } from '@carillon/proto/machine.ts';
import type { Log } from '../../log.ts';
import type { TracedHeader } from '../../rtp/figures/header-trace.ts';
import type { StreamSamples } from '../../rtp/figures/sampler.ts';
import { FREE, type MediaMemory } from '../../rtp/figures/stream-memory.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { CallWindow } from '../limits/call-window.ts';
import type { SharePlan, TrackPlan } from '../order/plan.ts';
import type { Closed } from '../outcome/open-ends.ts';
import type { OutcomeFact, ReportedState, ShareFacts } from '../report/facts.ts';
import { ENTRY, type EntryEvent, type EntryState } from './entry-machine.ts';

/** What has gathered of one allocation since the last batch. */
export type Pending = {
  readonly id: string;
  readonly facts: ShareFacts[];
  samples: StreamSamples[];
  readonly records: StreamRecord[];
  /** Endpoints that have closed. */
  readonly closed: Closed[];
  readonly headers: TracedHeader[];
  state: ReportedState | null;
  reasonCode: string;
  reason: string;
};

export const newPending = ({ id }: Pick<Entry, 'id'>): Pending => ({
  id,
  facts: [],
  samples: [],
  records: [],
  closed: [],
  headers: [],
  state: null,
  reasonCode: '',
  reason: '',
});

export type Entry = {
  readonly id: string;
  readonly owner: number;
  readonly runId: string;
  readonly sampleIntervalMs: number;
  /** By listener. */
  shares: Map<number, SharePlan>;
  readonly states: Map<number, ReportedState>;
  endpoints: number;
  streams: number;
  /** After the start, which is null until it is ordered. */
  readonly callAtMs: readonly number[];
  startAtMs: number | null;
  /** Ended before its time by a narrower policy. */
  stopping: boolean;
  /** Over all its threads; null: calls are placed whatever becomes of them, or no more are. */
  calls: CallWindow | null;
  state: EntryState;
  /** The batch in which its end is told. */
  committedBy: number | null;
};

/** False: the table has no such step, and nothing must happen. */
export function enter(entry: Entry, event: EntryEvent, log: Pick<Log, 'debug'>): boolean {
  const next = step(ENTRY.transitions, entry.state, event);
  if (next === null) log.debug({ allocation: entry.id, state: entry.state, event }, 'the book refuses a step');
  else entry.state = next;
  return next !== null;
}

export type BookEvents = {
  readonly onOutcome: (outcome: OutcomeFact) => void;
  readonly onSip: (facts: ShareFacts, runId: string) => void;
  /** One interval of every stream. */
  readonly onSamples: (samples: StreamSamples) => void;
  readonly onStream: (record: StreamRecord) => void;
};

/** Sees to it that what an allocation plays can be played. */
export type MediaShelf = {
  /** Tracks that send. Rejects with what is missing, and why. */
  hold(allocation: string, tracks: readonly TrackPlan[]): Promise<void>;
  release(allocation: string): void;
  /** What is sent of a video that is held, if it is H.264. */
  h264(source: string): H264Stream | null;
};

export const NO_SHELF: MediaShelf = { hold: async () => undefined, release: () => undefined, h264: () => null };

/** A row is free again only when its last figures have been taken. */
export function holdsStreamsOf({ streams, capacity }: MediaMemory, owner: number): boolean {
  for (let row = 0; row < capacity; row++) {
    if (streams.owner[row] === owner && Atomics.load(streams.state, row) !== FREE) return true;
  }
  return false;
}

/** The plan, with what the files are that its video tracks send. */
export function withVideo(plan: SharePlan, shelf: MediaShelf): SharePlan {
  const tracks = plan.group.tracks.map((track) =>
    track.kind === 'VIDEO' && track.direction !== 'RECEIVE' ? { ...track, h264: shelf.h264(track.source) } : track,
  );
  return { ...plan, group: { ...plan.group, tracks } };
}
