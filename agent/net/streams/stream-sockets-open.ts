/**
 * Chooses the adapter of the stream sockets. FFI is used if its self-test passes: a datagram over loopback must come
 * back complete, from the right address, for the right socket, with a kernel receive time.
 */
import { randomInt } from 'node:crypto';
import { type Libc, loadLibc } from '../libc.ts';
import { createPacing, type Pacing } from '../pacing.ts';
import type { StreamSockets, StreamSocketsOptions } from './stream-sockets.ts';
import { FfiStreamSockets } from './stream-sockets-ffi.ts';
import { NodeStreamSockets } from './stream-sockets-node.ts';

export type StreamAdapter = 'auto' | 'ffi' | 'dgram';

export type OpenedStreamSockets = {
  readonly sockets: StreamSockets;
  /** Pauses the calling thread; null with the dgram adapter, which needs its event loop. */
  readonly pacing: Pacing | null;
  readonly libc: Libc | null;
  /** Why FFI is not used although 'auto' was requested. */
  readonly fallbackReason: string | null;
};

/** Sockets for the calling thread. Throws when 'ffi' is requested and not available. */
export function openStreamSockets(adapter: StreamAdapter, options: StreamSocketsOptions): OpenedStreamSockets {
  if (adapter === 'dgram') return overNode(options, null);
  const ffi = overFfi(options);
  if (typeof ffi !== 'string') return ffi;
  if (adapter === 'ffi') throw new Error(`FFI sockets were requested but are not available: ${ffi}`);
  return overNode(options, ffi);
}

/** The sockets, or why they cannot be used. They exist during the test, so that receive times stay switched on. */
function overFfi(options: StreamSocketsOptions): OpenedStreamSockets | string {
  const libc = loadLibc();
  if (libc instanceof Error) return libc.message;
  let sockets: FfiStreamSockets | undefined;
  try {
    sockets = new FfiStreamSockets(libc, options);
    const failure = examine(libc);
    if (failure === null) return { sockets, pacing: createPacing(libc), libc, fallbackReason: null };
    sockets.closeAll();
    return failure;
  } catch (error) {
    sockets?.closeAll();
    return (error as Error).message;
  }
}

const overNode = (options: StreamSocketsOptions, fallbackReason: string | null): OpenedStreamSockets => ({
  sockets: new NodeStreamSockets(options),
  pacing: null,
  libc: null,
  fallbackReason,
});

const PROBE = Uint8Array.from('carillon stream sockets', (letter) => letter.charCodeAt(0));
const FROM = 0;
const TO = 1;
/** How long the test datagram waits in the queue, so that a receive time taken at reading would show. */
const REST_MS = 2;
/** The kernel enables receive times some time after the first socket of the host has requested them. */
const PROBE_FOR_MS = 3000;
const MAX_BINDS = 50;

type Arrival = {
  readonly socket: number;
  readonly text: Uint8Array;
  readonly atMs: number;
  readonly fromPeer: boolean;
};

/** Why FFI cannot be used here; null: it can be. Throws if no socket can be opened at all. */
function examine(libc: Libc): string | null {
  const seen: Arrival[] = [];
  const sockets: FfiStreamSockets = new FfiStreamSockets(libc, {
    capacity: 2,
    outgoingBytes: PROBE.length,
    events: {
      onDatagram: (socket, length, atMs, fromPeer) =>
        seen.push({ socket, text: sockets.incoming.slice(0, length), atMs, fromPeer }),
      onUnreachable: () => undefined,
      onDropped: () => undefined,
    },
  });
  try {
    sockets.outgoing.set(PROBE);
    const from = bindAnywhere(sockets, FROM);
    const to = bindAnywhere(sockets, TO);
    sockets.aim(FROM, '127.0.0.1', to);
    sockets.aim(TO, '127.0.0.1', from);
    sockets.listen(TO);
    const unconnected = exchange(sockets, createPacing(libc), seen);
    if (unconnected !== null) return unconnected;
    sockets.confirm(FROM);
    return exchange(sockets, createPacing(libc), seen);
  } finally {
    sockets.closeAll();
  }
}

function exchange(sockets: FfiStreamSockets, pacing: Pacing, seen: Arrival[]): string | null {
  const giveUpAtMs = sockets.nowMs() + PROBE_FOR_MS;
  while (sockets.nowMs() < giveUpAtMs) {
    seen.length = 0;
    const unstamped = sockets.unstamped;
    const beforeMs = sockets.nowMs();
    if (!sockets.send(FROM, 0, PROBE.length)) return 'a datagram could not be sent over loopback';
    const afterMs = sockets.nowMs();
    pacing.sleepUntilMs(afterMs + REST_MS);
    sockets.receive(afterMs + REST_MS);
    const arrival = seen[0];
    if (!arrival) return 'a datagram did not come back over loopback';
    if (arrival.socket !== TO) return 'epoll named the wrong socket';
    if (!arrival.fromPeer) return 'the source address was read wrong';
    if (Buffer.compare(arrival.text, PROBE) !== 0) return 'a datagram came back altered';
    if (arrival.atMs < beforeMs - 1) return 'the receive time is not credible';
    if (sockets.unstamped === unstamped && arrival.atMs < afterMs + REST_MS / 2) return null;
  }
  return 'the kernel takes no receive times';
}

function bindAnywhere(sockets: FfiStreamSockets, socket: number): number {
  let failure: string | null = null;
  for (let attempt = 0; attempt < MAX_BINDS; attempt++) {
    const port = randomInt(49_152, 65_536);
    sockets.open(socket, '127.0.0.1', port, (result) => {
      failure = result;
    });
    if (failure === null) return port;
  }
  throw new Error(`no port on loopback could be bound: ${failure}`);
}
