/** What all connections of a replica share, and what is counted of them. */
import type { LinkRefusal } from '../operations/agents/refusals.ts';
import type { GreetingRoom, Stranger } from './greeting-room.ts';
import type { GreetingTurns } from './greeting-turns.ts';
import type { RefusedWorkers } from './refused-workers.ts';

export type SessionCounters = {
  readonly batches: { inc(labels: { result: string }): void };
  readonly samples: { inc(n: number): void };
  readonly refusedFrames: { inc(): void };
  /** Connections that were refused, and what was not taken. */
  readonly refusals: { inc(labels: { reason: LinkRefusal }): void };
  readonly recordingChunks: { inc(labels: { result: 'sent' | 'refused' }): void };
};

export type Door = {
  readonly refused: RefusedWorkers;
  readonly greetings: GreetingTurns;
  readonly room: Pick<GreetingRoom<Stranger>, 'welcomed'>;
};
