/**
 * Chooses the adapter of a datagram port. Batched I/O is used if libc is available and has passed a test in this
 * process: a datagram over loopback arrived complete, from the right address, with its arrival time.
 */
import { nowMs } from '../../clock.ts';
import { type Libc, loadLibc } from '../libc.ts';
import { openFfiPort } from './datagram-ffi.ts';
import { openNodePort } from './datagram-node.ts';
import type { DatagramPort, DatagramPortOptions } from './datagram-port.ts';
import { keepKernelStamping } from './datagram-socket.ts';

export type DatagramAdapter = 'auto' | 'ffi' | 'dgram';

const PROBE = 'carillon self-test \xe4\xf6\xfc';
/** The kernel starts timestamps some time after the first socket has requested them. */
const PROBE_FOR_MS = 3000;
/** The poll happens this much later, so that a timestamp near the send time must be the kernel's. */
const REST_MS = 1;

let verdict: Libc | string | undefined;

/** `libc` after its self-test (run once per process), or the reason why it is not used. */
export function provenLibc(): Libc | string {
  verdict ??= examine();
  return verdict;
}

/**
 * Opens a port. 'auto' prefers batched I/O and falls back to node:dgram, with the reason in `fallbackReason`; 'ffi'
 * rejects if it is not available. Rejects when the address cannot be bound.
 */
export async function openDatagramPort(options: DatagramPortOptions, adapter: DatagramAdapter): Promise<DatagramPort> {
  if (adapter === 'dgram') return openNodePort(options, null);
  const libc = provenLibc();
  if (typeof libc !== 'string') return openFfiPort(libc, options);
  if (adapter === 'ffi') throw new Error(`batched I/O was requested but is not available: ${libc}`);
  return openNodePort(options, libc);
}

function examine(): Libc | string {
  const libc = loadLibc();
  if (libc instanceof Error) return libc.message;
  try {
    keepKernelStamping(libc);
    const failure = exchange(libc);
    return failure === null ? libc : `self-test of batched I/O: ${failure}`;
  } catch (error) {
    return `self-test of batched I/O: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Arrival = { readonly text: string; readonly atMs: number; readonly address: string; readonly port: number };

/** Null: a datagram came back complete, with its source and a kernel receive time; otherwise the problem. */
function exchange(libc: Libc): string | null {
  const arrived: Arrival[] = [];
  const port = openFfiPort(libc, {
    address: '127.0.0.1',
    port: 0,
    onDatagram: (text, atMs, address, fromPort) => arrived.push({ text, atMs, address, port: fromPort }),
  });
  try {
    const giveUpAtMs = nowMs() + PROBE_FOR_MS;
    while (nowMs() < giveUpAtMs) {
      arrived.length = 0;
      const sentAtMs = nowMs();
      port.send(PROBE, port.address, port.port);
      port.flush();
      const flushedAtMs = nowMs();
      while (nowMs() < flushedAtMs + REST_MS);
      const stamped = port.kernelStamped;
      port.poll();
      const arrival = arrived[0];
      if (arrival === undefined) return 'a datagram did not come back over loopback';
      if (arrival.text !== PROBE) return 'a datagram came back altered';
      if (arrival.address !== port.address || arrival.port !== port.port) return 'the source address was read wrong';
      if (arrival.atMs < sentAtMs - REST_MS) return 'the receive time is not credible';
      if (port.kernelStamped > stamped && arrival.atMs < flushedAtMs + REST_MS / 2) return null;
    }
    return 'the kernel takes no receive times';
  } finally {
    port.close();
  }
}
