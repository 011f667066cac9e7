/**
 * Headers of the first packets of some streams, shown together with SIP: the media thread writes them to a ring in
 * shared memory, the main thread reads them. Nothing is copied unless requested; a full ring drops headers and counts
 * them.
 */
import { type Columns, columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { ADDRESS_BYTES, addressAt, writeAddress } from './address-columns.ts';

/** Capacity: 4 s of 20 audio streams, both directions. Untouched pages use no memory. */
const RING_RECORDS = 8192;
/** The most bytes of a header that are kept, with its contributing sources and extensions. */
const MAX_HEADER_BYTES = 40;

const HEADER_TRACE_COLUMNS = {
  sentLeft: 'u32', // packets that are still kept
  receivedLeft: 'u32',
  localAddress: ['u8', ADDRESS_BYTES],
} as const;

const RING_COLUMNS = {
  owner: 'u32',
  endpointNumber: 'u32',
  stream: 'u8',
  sent: 'u8',
  atMs: 'f64',
  packetBytes: 'u32', // header, payload, padding
  localAddress: ['u8', ADDRESS_BYTES],
  localPort: 'u32',
  remotePort: 'u32',
  remoteAddress: ['u8', ADDRESS_BYTES],
  headerBytes: 'u8',
  header: ['u8', MAX_HEADER_BYTES],
} as const;
const HEAD_COLUMNS = { written: 'u32', taken: 'u32', missed: 'u32' } as const;

export type HeaderTrace = Columns<typeof HEADER_TRACE_COLUMNS> & {
  readonly ring: Columns<typeof RING_COLUMNS>;
  readonly head: Columns<typeof HEAD_COLUMNS>;
};

/** One packet as it was sent or received. */
export type TracedHeader = {
  readonly owner: number;
  readonly endpointNumber: number;
  readonly stream: number;
  readonly sent: boolean;
  /** On the agent's clock; for received packets the kernel's time if available. */
  readonly atMs: number;
  readonly packetBytes: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly header: Uint8Array;
};

/** The columns of a stream that the ring reads. */
export type TraceColumns = Columns<{
  owner: 'u32';
  endpointNumber: 'u32';
  stream: 'u8';
  rtpPort: 'u32';
  carriedBy: 'u32';
  remotePort: 'u32';
  remoteAddress: readonly ['u8', number];
}>;

const headBytes = columnsBytes(HEAD_COLUMNS, 1);
const ringBytes = columnsBytes(RING_COLUMNS, RING_RECORDS);

export const headerTraceBytes = (capacity: number): number =>
  headBytes + ringBytes + columnsBytes(HEADER_TRACE_COLUMNS, capacity);

export const mapHeaderTrace = (buffer: SharedArrayBuffer, capacity: number, offset: number): HeaderTrace => ({
  head: mapColumns(HEAD_COLUMNS, 1, buffer, offset),
  ring: mapColumns(RING_COLUMNS, RING_RECORDS, buffer, offset + headBytes),
  ...mapColumns(HEADER_TRACE_COLUMNS, capacity, buffer, offset + headBytes + ringBytes),
});

/** The media thread calls this before the stream starts. */
export function traceStream(trace: HeaderTrace, row: number, localAddress: string, packets: number): void {
  trace.sentLeft[row] = packets;
  trace.receivedLeft[row] = packets;
  writeAddress(trace.localAddress, row, localAddress);
}

/** A packet of `packetBytes`, of which `header` is the RTP header. */
export type TracedPacket = {
  readonly sent: boolean;
  readonly atMs: number;
  readonly header: Uint8Array;
  readonly packetBytes: number;
};

/** The media thread calls this for a packet while the row's count for its direction is not 0. */
export function traceHeader(
  { ring, head, sentLeft, receivedLeft, localAddress }: HeaderTrace,
  streams: TraceColumns,
  row: number,
  { sent, atMs, header, packetBytes }: TracedPacket,
): void {
  const left = sent ? sentLeft : receivedLeft;
  left[row]! -= 1;
  const written = head.written[0]!;
  if ((written - Atomics.load(head.taken, 0)) >>> 0 >= RING_RECORDS) {
    head.missed[0]! += 1;
    return;
  }
  const at = written % RING_RECORDS;
  const kept = Math.min(header.length, MAX_HEADER_BYTES);
  ring.owner[at] = streams.owner[row]!;
  ring.endpointNumber[at] = streams.endpointNumber[row]!;
  ring.stream[at] = streams.stream[row]!;
  ring.sent[at] = sent ? 1 : 0;
  ring.atMs[at] = atMs;
  ring.packetBytes[at] = packetBytes;
  ring.localPort[at] = streams.carriedBy[row]! || streams.rtpPort[row]!;
  ring.remotePort[at] = streams.remotePort[row]!;
  const from = row * ADDRESS_BYTES;
  ring.localAddress.set(localAddress.subarray(from, from + ADDRESS_BYTES), at * ADDRESS_BYTES);
  ring.remoteAddress.set(streams.remoteAddress.subarray(from, from + ADDRESS_BYTES), at * ADDRESS_BYTES);
  ring.headerBytes[at] = kept;
  ring.header.set(header.subarray(0, kept), at * MAX_HEADER_BYTES);
  Atomics.store(head.written, 0, (written + 1) >>> 0);
}

/** Returns all entries since the last call, for the main thread. */
export function takeHeaders({ ring, head }: HeaderTrace): TracedHeader[] {
  const until = Atomics.load(head.written, 0);
  const taken: TracedHeader[] = [];
  for (let n = head.taken[0]!; n !== until; n = (n + 1) >>> 0) {
    const at = n % RING_RECORDS;
    taken.push({
      owner: ring.owner[at]!,
      endpointNumber: ring.endpointNumber[at]!,
      stream: ring.stream[at]!,
      sent: ring.sent[at] === 1,
      atMs: ring.atMs[at]!,
      packetBytes: ring.packetBytes[at]!,
      localAddress: addressAt(ring.localAddress, at),
      localPort: ring.localPort[at]!,
      remoteAddress: addressAt(ring.remoteAddress, at),
      remotePort: ring.remotePort[at]!,
      header: ring.header.slice(at * MAX_HEADER_BYTES, at * MAX_HEADER_BYTES + ring.headerBytes[at]!),
    });
  }
  Atomics.store(head.taken, 0, until);
  return taken;
}

/** Packets dropped since the last call. */
export function takeMissed({ head }: HeaderTrace): number {
  return Atomics.exchange(head.missed, 0, 0);
}
