/**
 * Starts a media thread and provides connections to it. The thread that starts it owns it: it samples the thread, reads
 * its noise, and ends it.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { DtlsIdentity } from '../../net/ciphers/dtls.ts';
import type { SrtpCipherAdapter } from '../../net/ciphers/srtp-ciphers-open.ts';
import { HUGE_PAGE_BYTES, preferHugePages } from '../../net/huge-pages.ts';
import type { StreamAdapter } from '../../net/streams/stream-sockets-open.ts';
import { threadRoom } from '../../process/thread-heap.ts';
import { threadReady } from '../../process/thread-start.ts';
import { createMediaMemory, DOORBELL, ENDED, type MediaMemory } from '../figures/stream-memory.ts';
import { type Fingerprint, MediaEngineClosed } from '../media-engine.ts';
import type { LoadedMedia } from '../send/playlists.ts';
import type {
  MediaConnection,
  MediaLoaded,
  MediaThreadData,
  MediaThreadReady,
  OwnerCommand,
} from './media-commands.ts';

export type MediaThreadOptions = {
  /**
   * 'auto': FFI if it works, otherwise node:dgram, with the reason in `fallbackReason`. 'ffi' fails if it does not
   * work.
   */
  readonly adapter?: StreamAdapter;
  /** The number of simultaneous streams; a row stays in use until the sampler has read its last figures. */
  readonly capacity?: number;
  readonly firstPort?: number;
  readonly lastPort?: number;
  /** SCHED_FIFO for the media thread, if the host permits it. */
  readonly realtime?: boolean;
  /** The smallest interval of RTCP reports; below 5000 only by agreement with the far end (RFC 3550, 6.2). */
  readonly rtcpMinimumMs?: number;
  /** 'auto': node's OpenSSL if it works, otherwise node:crypto, with the reason in `srtpFallbackReason`. */
  readonly srtpCiphers?: SrtpCipherAdapter;
  /** The DTLS certificate; null: the thread creates one. */
  readonly dtlsIdentity?: DtlsIdentity | null;
};

const DEFAULTS = {
  adapter: 'auto',
  capacity: 1024,
  firstPort: 16_384,
  lastPort: 32_767,
  realtime: false,
  rtcpMinimumMs: 5000,
  srtpCiphers: 'auto',
  dtlsIdentity: null,
} as const satisfies Required<MediaThreadOptions>;

export interface MediaThread {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** Why FFI is not used although 'auto' was requested; otherwise null. For the log and the greeting. */
  readonly fallbackReason: string | null;
  /** True if SCHED_FIFO was requested and granted. */
  readonly realtime: boolean;
  /** The scheduling class or nice value, as `SCHED_FIFO` or `nice -10`, for the greeting and the metrics. */
  readonly priority: string;
  /** Why it was not granted although requested; otherwise null. */
  readonly realtimeFault: string | null;
  /** The nice value: -10 if the host permits that, otherwise that of the process. */
  readonly nice: number;
  /** The implementation that encrypts SRTP. */
  readonly srtpCiphers: 'openssl' | 'node';
  /** Why OpenSSL is not used although 'auto' was requested; otherwise null. */
  readonly srtpFallbackReason: string | null;
  /** The fingerprint of the thread's certificate; null: DTLS is not available. */
  readonly fingerprint: Fingerprint | null;
  /** For the sampler and the noise meter. */
  readonly memory: MediaMemory;
  /** Settles when the thread has ended: null after `close`, otherwise the error that ended it. */
  readonly ended: Promise<Error | null>;
  /** A connection for one client thread (or this one). */
  connect(): MediaConnection;
  /** Settles once streams can play the media, whose bytes must be in shared memory. Rejects if the thread has ended. */
  load(media: LoadedMedia): Promise<void>;
  /** Removes media: streams that play them continue; new ones cannot. */
  unload(source: string): void;
  /** Ends all streams with BYE, then the thread. Open requests of clients are rejected. */
  close(): Promise<void>;
}

/** Rejects when the thread cannot start: 'ffi' was required and is not available. */
export async function startMediaThread(options: MediaThreadOptions = {}): Promise<MediaThread> {
  const { capacity, ...rest } = { ...DEFAULTS, ...options };
  const memory = createMediaMemory(capacity, { unit: HUGE_PAGE_BYTES, place: preferHugePages });
  const workerData: MediaThreadData = { ...rest, capacity, buffer: memory.buffer };
  const worker = new Worker(new URL('./media-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: threadRoom(),
  });
  let failure: Error | null = null;
  worker.on('error', (error) => {
    failure = error;
  });
  const ended = new Promise<Error | null>((resolve) => {
    worker.on('exit', () => {
      Atomics.store(memory.doorbell, ENDED, 1);
      resolve(failure);
    });
  });
  const ready = await threadReady<MediaThreadReady>(worker, { what: 'the media thread', ended });
  // The thread does not keep the process alive.
  worker.unref();
  let requests = 0;
  const waiting = new Map<number, () => void>();
  worker.on('message', ({ op, request }: MediaLoaded) => {
    if (op === 'loaded') waiting.get(request)?.();
    waiting.delete(request);
  });
  // The listener would keep the process alive again.
  worker.unref();
  const tell = (command: OwnerCommand, transfer: readonly MessagePort[] = []): void => {
    worker.postMessage(command, transfer);
    Atomics.add(memory.doorbell, DOORBELL, 1);
    Atomics.notify(memory.doorbell, DOORBELL);
  };
  return {
    ...ready,
    priority: ready.realtime ? 'SCHED_FIFO' : `nice ${ready.nice}`,
    memory,
    ended,
    connect() {
      const { port1, port2 } = new MessageChannel();
      tell({ op: 'client', port: port1 }, [port1]);
      const { adapter, stamps, fingerprint } = ready;
      return { port: port2, buffer: memory.buffer, capacity, adapter, stamps, fingerprint };
    },
    load(media) {
      const request = ++requests;
      const loaded = new Promise<void>((resolve) => waiting.set(request, resolve));
      tell({ op: 'load', request, media });
      return Promise.race([
        loaded,
        ended.then(() => {
          throw new MediaEngineClosed('the media thread has ended');
        }),
      ]);
    },
    unload(source) {
      tell({ op: 'unload', source });
    },
    async close() {
      worker.ref();
      tell({ op: 'end' });
      await ended;
    },
  };
}
