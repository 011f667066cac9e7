/** Starts a signalling thread and communicates with it from the agent's main thread. */
import { Worker } from 'node:worker_threads';
import { signallingRoom } from '../../process/thread-heap.ts';
import { threadReady } from '../../process/thread-start.ts';
import type { MediaThreads } from '../../rtp/threads/media-threads.ts';
import { Doorbell } from '../../sip/turns.ts';
import type { ShareFacts } from '../report/facts.ts';
import type { SignallingNoise } from '../report/noise.ts';
import { openedData, openedMessage } from './crossing.ts';
import { unpackedFacts } from './packed-outcomes.ts';
import type { FromSignalling, SignallingReady, SignallingThreadData, ToSignalling } from './thread-messages.ts';

export type SignallingThread = {
  readonly ready: SignallingReady;
  /** Settles when the thread has ended: null after `close`, otherwise the error that ended it. */
  readonly ended: Promise<Error | null>;
  tell(message: ToSignalling): void;
  close(): Promise<void>;
};

export type SignallingEvents = {
  readonly onFacts: (facts: readonly ShareFacts[]) => void;
  readonly onNoise: (noise: SignallingNoise) => void;
  readonly onFault: (message: string, stack: string) => void;
};

/** Rejects when the thread cannot start: the address cannot be bound, or the requested adapter is not available. */
export async function startSignallingThread(
  options: Omit<SignallingThreadData, 'media' | 'doorbell'>,
  media: MediaThreads,
  events: SignallingEvents,
): Promise<SignallingThread> {
  const connections = media.connect();
  const doorbell = new Doorbell();
  const data: SignallingThreadData = { ...options, media: connections, doorbell: doorbell.memory };
  const worker = new Worker(new URL('./signalling-thread.ts', import.meta.url), {
    workerData: openedData(data),
    resourceLimits: signallingRoom(),
    transferList: connections.map(({ port }) => port),
  });
  let failure: Error | null = null;
  worker.on('error', (error) => {
    failure = error as Error;
  });
  const ended = new Promise<Error | null>((resolve) => worker.on('exit', () => resolve(failure)));
  const ready = await threadReady<SignallingReady>(worker, { what: 'the signalling thread', ended });
  worker.on('message', (message: FromSignalling) => {
    if (message.op === 'facts') events.onFacts(message.facts.map(unpackedFacts));
    else if (message.op === 'noise') events.onNoise(message);
    else if (message.op === 'fault') events.onFault(message.message, message.stack);
  });
  const tell = (message: ToSignalling): void => {
    worker.postMessage(openedMessage(message));
    doorbell.ring();
  };
  return {
    ready,
    ended,
    tell,
    async close() {
      tell({ op: 'end' });
      await ended;
    },
  };
}
