/** State shared by all connections of a replica, and its counters. */
import type { LinkRefusal } from '../operations/agents/refusals.ts';
import type { StrangerLog } from '../operations/people/stranger-log.ts';
import type { GreetingRoom, Stranger } from './greeting-room.ts';
import type { GreetingTurns } from './greeting-turns.ts';
import type { RefusedWorkers } from './refused-workers.ts';

export type SessionCounters = {
  readonly batches: { inc(labels: { result: string }): void };
  readonly samples: { inc(n: number): void };
  readonly refusedFrames: { inc(): void };
  /** Refused connections and data. */
  readonly refusals: { inc(labels: { reason: LinkRefusal }): void };
  readonly recordingChunks: { inc(labels: { result: 'sent' | 'refused' }): void };
};

export type Door = {
  readonly refused: RefusedWorkers;
  readonly greetings: GreetingTurns;
  readonly strangerLog: StrangerLog;
  readonly room: Pick<GreetingRoom<Stranger>, 'welcomed' | 'waitMs'>;
};
