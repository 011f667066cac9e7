/** State shared by all connections of a replica, and its counters. */
import type { GreetingRoom, Stranger } from '../limits/greeting-room.ts';
import type { RefusedWorkers } from '../limits/refused-workers.ts';
import type { LinkRefusal, StrangerLog } from '../limits/stranger-log.ts';
import type { Turns } from '../limits/turns.ts';

export type SessionCounters = {
  readonly batches: { inc(labels: { result: string }): void };
  readonly samples: { inc(n: number): void };
  readonly refusedFrames: { inc(): void };
  /** Counts refused connections and data. */
  readonly refusals: { inc(labels: { reason: LinkRefusal }): void };
  readonly recordingChunks: { inc(labels: { result: 'sent' | 'refused' }): void };
};

export type Door = {
  readonly refused: RefusedWorkers;
  readonly greetings: Turns;
  readonly strangerLog: StrangerLog;
  readonly room: Pick<GreetingRoom<Stranger>, 'welcomed' | 'waitMs'>;
};
