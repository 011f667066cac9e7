/**
 * Rows that share the transport of one of them, their carrier (RFC 9143), and the assignment of datagrams to rows
 * (9.2). Other rows cost one table lookup.
 */
import { readWord } from '@carillon/media/network-order.ts';
import { isRtcp, RTP_HEADER_BYTES } from '@carillon/media/rtp/header.ts';
import { isComfortNoise, isExpected } from '@carillon/media/rtp/receive-columns.ts';
import { type MediaMemory, readIceAddress, writeIceAddress } from '../figures/stream-memory.ts';
import type { BundleSession } from '../media-engine.ts';

const NONE = -1;
/** The columns that belong to the transport. */
const TRANSPORT = [
  'security',
  'srtpSuite',
  'handshakeMs',
  'iceState',
  'iceConnectMs',
  'iceLocalType',
  'iceRemoteType',
  'iceLocalPort',
] as const;
/** One-byte headers of RTP header extensions (RFC 8285, 4.2). */
const ONE_BYTE_HIGH = 0xbe;
const ONE_BYTE_LOW = 0xde;

export class Bundles {
  readonly #memory: MediaMemory;
  /** The row whose transport a row uses. */
  readonly #carriers: Int32Array;
  /** All rows that use a carrier's transport, by carrier. */
  readonly #members = new Map<number, number[]>();
  readonly #mids = new Map<number, BundleSession>();

  constructor(memory: MediaMemory) {
    this.#memory = memory;
    this.#carriers = new Int32Array(memory.capacity).fill(NONE);
  }

  /** The negotiated bundle; null: the row has its own transport, which is the initial state. */
  agree(row: number, bundle: BundleSession | null): void {
    this.#leave(row);
    if (bundle === null) return;
    this.#carriers[row] = bundle.carrier;
    this.#mids.set(row, bundle);
    this.#members.set(bundle.carrier, [...(this.#members.get(bundle.carrier) ?? []), row]);
  }

  /** The stream is over. The port that it used stays readable. */
  end(row: number): void {
    const { carriedBy } = this.#memory.streams;
    const port = carriedBy[row]!;
    this.#leave(row);
    carriedBy[row] = port;
  }

  /** Copies the state of the carrier's transport to the row. */
  note(row: number): void {
    const carrier = this.carrierOf(row);
    const { streams } = this.#memory;
    if (carrier === row) return;
    for (const column of TRANSPORT) streams[column][row] = streams[column][carrier]!;
    writeIceAddress(streams, row, readIceAddress(streams, carrier));
    streams.carriedBy[row] = streams.rtpPort[carrier]!;
  }

  #leave(row: number): void {
    const carrier = this.#carriers[row]!;
    if (carrier === NONE) return;
    this.#memory.streams.carriedBy[row] = 0;
    this.#carriers[row] = NONE;
    this.#mids.delete(row);
    const left = this.#members.get(carrier)!.filter((one) => one !== row);
    if (left.length === 0) this.#members.delete(carrier);
    else this.#members.set(carrier, left);
  }

  /** The row whose transport the row uses: itself, if it has its own. */
  carrierOf(row: number): number {
    const carrier = this.#carriers[row]!;
    return carrier === NONE ? row : carrier;
  }

  isBundled(row: number): boolean {
    return this.#carriers[row] !== NONE;
  }

  /** The rows that use the carrier's transport, except the carrier. */
  passengersOf(carrier: number): readonly number[] {
    return this.#members.get(carrier)?.filter((row) => row !== carrier) ?? [];
  }

  /** The rows that datagrams on the row's transport may belong to; null: the transport is not shared. */
  sharersOf(carrier: number): readonly number[] | null {
    return this.#members.get(carrier) ?? null;
  }

  midOf(row: number): BundleSession | null {
    return this.#mids.get(row) ?? null;
  }

  /**
   * The row of an RTP packet on the carrier's socket, by its MID, its source, or its payload type; otherwise the
   * carrier. Headers are not encrypted in SRTP.
   */
  rowOf(carrier: number, bytes: Uint8Array, length: number): number {
    const members = this.#members.get(carrier);
    if (members === undefined || length < RTP_HEADER_BYTES || isRtcp(bytes, 0)) return carrier;
    if ((bytes[0]! & 0x10) !== 0) {
      const named = this.#namedBy(members, bytes, length);
      if (named !== NONE) return named;
    }
    const { received } = this.#memory;
    const ssrc = readWord(bytes, 8);
    for (const row of members) if (received.known[row] === 1 && received.ssrc[row] === ssrc) return row;
    const payloadType = bytes[1]! & 0x7f;
    for (const row of members) if (this.#takes(row, payloadType)) return row;
    return carrier;
  }

  #takes(row: number, payloadType: number): boolean {
    const { received } = this.#memory;
    return (
      isExpected(received, row, payloadType) ||
      received.eventPayloadType[row] === payloadType ||
      isComfortNoise(received, row, payloadType)
    );
  }

  #namedBy(members: readonly number[], bytes: Uint8Array, length: number): number {
    let at = RTP_HEADER_BYTES + (bytes[0]! & 0x0f) * 4;
    if (at + 4 > length || bytes[at] !== ONE_BYTE_HIGH || bytes[at + 1] !== ONE_BYTE_LOW) return NONE;
    const end = Math.min(length, at + 4 + ((bytes[at + 2]! << 8) | bytes[at + 3]!) * 4);
    at += 4;
    while (at < end) {
      const id = bytes[at]! >> 4;
      const size = id === 0 ? 0 : (bytes[at]! & 0x0f) + 1;
      for (const row of id === 0 ? [] : members) {
        const { mid, extension } = this.#mids.get(row)!;
        if (extension === id && isText(bytes, at + 1, size, mid)) return row;
      }
      at += 1 + size;
    }
    return NONE;
  }

  /** Whether another row of the same transport sends under the SSRC. */
  isPassenger(row: number, ssrc: number): boolean {
    const members = this.#members.get(this.#carriers[row]!);
    return members?.some((one) => one !== row && this.#memory.streams.localSsrc[one] === ssrc) ?? false;
  }

  /**
   * Whether the report belongs to another row of the same transport: that row receives its source, or it names only that row.
   */
  isOthers(row: number, ssrc: number, blocks: readonly { readonly ssrc: number }[]): boolean {
    const members = this.#members.get(this.#carriers[row]!);
    if (members === undefined) return false;
    const { streams, received } = this.#memory;
    if (blocks.some((block) => block.ssrc === streams.localSsrc[row])) return false;
    return members.some(
      (one) =>
        one !== row &&
        ((received.known[one] === 1 && received.ssrc[one] === ssrc) ||
          blocks.some((block) => block.ssrc === streams.localSsrc[one])),
    );
  }
}

function isText(bytes: Uint8Array, at: number, size: number, text: string): boolean {
  if (size !== text.length) return false;
  for (let i = 0; i < size; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
