/** The two directions of a session: they find the index of a packet, detect repeated packets, and apply the transform. */
import { readWord } from '../network-order.ts';
import type { SrtpCiphers } from './cipher.ts';
import { deriveSessionKeys } from './key-derivation.ts';
import { estimateIndex } from './packet-index.ts';
import { ReplayWindow } from './replay-window.ts';
import type { MasterKey } from './suites.ts';
import { createTransform, RTCP_CLEAR_BYTES, RTCP_INDEX_BYTES, type Transform } from './transform.ts';

/** The result of `open…` for a packet that is not authentic. */
export const UNAUTHENTIC = -1;
export const REPLAYED = -2;

const RTP_HEADER_BYTES = 12;
/** The limit of sources per session; a further one replaces the oldest. */
const MAX_SOURCES = 16;

const readSequence = (bytes: Uint8Array, at: number): number => (bytes[at + 2]! << 8) | bytes[at + 3]!;

/** The bytes of the RTP header with its sources and extension, which stay in the clear; 0: it does not fit into `length`. */
function headerBytes(bytes: Uint8Array, offset: number, length: number): number {
  if (length < RTP_HEADER_BYTES) return 0;
  let end = RTP_HEADER_BYTES + (bytes[offset]! & 0x0f) * 4;
  if ((bytes[offset]! & 0x10) !== 0) {
    if (end + 4 > length) return 0;
    end += 4 + ((bytes[offset + end + 2]! << 8) | bytes[offset + end + 3]!) * 4;
  }
  return end <= length ? end : 0;
}

/** The state of one SSRC. Each context belongs to one SSRC (RFC 3711, 3.2.3), with its own indexes and the session's keys. */
class Source {
  readonly ssrc: number;
  readonly rtp = new ReplayWindow();
  readonly rtcp = new ReplayWindow();

  constructor(ssrc: number) {
    this.ssrc = ssrc;
  }

  /** The first packet of a source belongs to its first round (3.3.1). */
  indexOf(sequence: number): number {
    return this.rtp.highest < 0 ? sequence : estimateIndex(this.rtp.highest, sequence);
  }
}

class Sources {
  readonly #list: Source[] = [];
  #last: Source | undefined;

  /** A known SSRC, or a new one that is not stored yet. */
  get(ssrc: number): Source {
    if (this.#last?.ssrc === ssrc) return this.#last;
    for (const source of this.#list) {
      if (source.ssrc !== ssrc) continue;
      this.#last = source;
      return source;
    }
    return new Source(ssrc);
  }

  keep(source: Source): void {
    if (this.#last === source) return;
    if (!this.#list.includes(source)) {
      if (this.#list.length === MAX_SOURCES) this.#list.shift();
      this.#list.push(source);
    }
    this.#last = source;
  }
}

/** Protects packets sent under one master key. Packets are in the ciphers' memory with SRTP_ROOM_BYTES after them. */
export class SrtpSender {
  readonly #bytes: Uint8Array;
  readonly #transform: Transform;
  readonly #sources = new Sources();

  constructor(ciphers: SrtpCiphers, master: MasterKey) {
    this.#bytes = ciphers.bytes;
    this.#transform = createTransform(ciphers, master.suite, deriveSessionKeys(ciphers, master), 'SEAL');
  }

  /** The last sequence number of a source, after which it must continue under this key; null: it has sent nothing. */
  highestSequence(ssrc: number): number | null {
    const { highest } = this.#sources.get(ssrc).rtp;
    return highest < 0 ? null : highest % 0x1_0000;
  }

  /** Works in place; returns the new length. A packet that is sent again gets the index that it had. */
  protectRtp(offset: number, length: number): number {
    const bytes = this.#bytes;
    const clear = headerBytes(bytes, offset, length);
    const ssrc = readWord(bytes, offset + 8);
    const source = this.#sources.get(ssrc);
    const index = Math.max(0, source.indexOf(readSequence(bytes, offset)));
    this.#sources.keep(source);
    if (!source.rtp.isReplay(index)) source.rtp.accept(index);
    return this.#transform.protectRtp(offset, length, clear, ssrc, index);
  }

  /**
   * Works in place; returns the new length. The index is zero before the first packet and increases with each (RFC
   * 3711, 3.4).
   */
  protectRtcp(offset: number, length: number): number {
    const ssrc = readWord(this.#bytes, offset + 4);
    const source = this.#sources.get(ssrc);
    const index = source.rtcp.highest < 0 ? 1 : source.rtcp.highest + 1;
    this.#sources.keep(source);
    source.rtcp.accept(index);
    return this.#transform.protectRtcp(offset, length, ssrc, index);
  }

  close(): void {
    this.#transform.close();
  }
}

/** Opens packets received under one master key. A source is stored once one of its packets was authentic. */
export class SrtpReceiver {
  readonly #bytes: Uint8Array;
  readonly #transform: Transform;
  readonly #sources = new Sources();

  constructor(ciphers: SrtpCiphers, master: MasterKey) {
    this.#bytes = ciphers.bytes;
    this.#transform = createTransform(ciphers, master.suite, deriveSessionKeys(ciphers, master), 'OPEN');
  }

  /** Works in place; returns the new length, UNAUTHENTIC (also for a packet that cannot be parsed) or REPLAYED. */
  openRtp(offset: number, length: number): number {
    const bytes = this.#bytes;
    const transform = this.#transform;
    const clear = headerBytes(bytes, offset, length - transform.rtpTagBytes);
    if (clear === 0) return UNAUTHENTIC;
    const ssrc = readWord(bytes, offset + 8);
    const source = this.#sources.get(ssrc);
    const index = source.indexOf(readSequence(bytes, offset));
    if (index < 0 || source.rtp.isReplay(index)) return REPLAYED;
    const opened = transform.openRtp(offset, length, clear, ssrc, index);
    if (opened < 0) return UNAUTHENTIC;
    source.rtp.accept(index);
    this.#sources.keep(source);
    return opened;
  }

  openRtcp(offset: number, length: number): number {
    const bytes = this.#bytes;
    const transform = this.#transform;
    if (length < RTCP_CLEAR_BYTES + RTCP_INDEX_BYTES + transform.rtcpTagBytes) return UNAUTHENTIC;
    const ssrc = readWord(bytes, offset + 4);
    const index = readWord(bytes, transform.rtcpIndexAt(offset, length)) % 0x8000_0000;
    const source = this.#sources.get(ssrc);
    if (source.rtcp.isReplay(index)) return REPLAYED;
    const opened = transform.openRtcp(offset, length, ssrc, index);
    if (opened < 0) return UNAUTHENTIC;
    source.rtcp.accept(index);
    this.#sources.keep(source);
    return opened;
  }

  close(): void {
    this.#transform.close();
  }
}
