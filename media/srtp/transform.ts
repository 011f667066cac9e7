/** Protects and opens one packet with one set of session keys: AES-CM with HMAC-SHA1 (RFC 3711, 4), or AES-GCM (RFC 7714). */
import {
  type CounterCipher,
  GCM_TAG_BYTES,
  type Gcm,
  type GcmDirection,
  type Hmac,
  type SrtpCiphers,
} from './cipher.ts';
import type { SessionKeys } from './key-derivation.ts';
import { type SrtpSuite, SUITES } from './suites.ts';

/** The first words of an RTCP packet stay in the clear (RFC 3711, 3.4). */
export const RTCP_CLEAR_BYTES = 8;
export const RTCP_INDEX_BYTES = 4;
const ENCRYPTED = 0x80;

/**
 * Packets are in the ciphers' memory, `length` bytes from `offset`, and are changed in place. `index` is the packet
 * index, of 48 bits, or 31 for RTCP. Protecting returns the new length; opening returns it, or -1 if the packet is not
 * authentic.
 */
export interface Transform {
  protectRtp(offset: number, length: number, clearBytes: number, ssrc: number, index: number): number;
  openRtp(offset: number, length: number, clearBytes: number, ssrc: number, index: number): number;
  protectRtcp(offset: number, length: number, ssrc: number, index: number): number;
  openRtcp(offset: number, length: number, ssrc: number, index: number): number;
  readonly rtpTagBytes: number;
  readonly rtcpTagBytes: number;
  /** Offset of the word with the SRTCP index, in a packet of this length. */
  rtcpIndexAt(offset: number, length: number): number;
  close(): void;
}

export function createTransform(
  ciphers: SrtpCiphers,
  suite: SrtpSuite,
  keys: SessionKeys,
  direction: GcmDirection,
): Transform {
  return SUITES[suite].transform === 'CM'
    ? new CounterTransform(ciphers, suite, keys)
    : new GcmTransform(ciphers, keys, direction);
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

function addWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at]! ^= word >>> 24;
  bytes[at + 1]! ^= (word >>> 16) & 0xff;
  bytes[at + 2]! ^= (word >>> 8) & 0xff;
  bytes[at + 3]! ^= word & 0xff;
}

class CounterTransform implements Transform {
  readonly rtpTagBytes: number;
  readonly rtcpTagBytes: number;
  readonly #ciphers: SrtpCiphers;
  readonly #rtp: CounterCipher;
  readonly #rtcp: CounterCipher;
  readonly #rtpHmac: Hmac;
  readonly #rtcpHmac: Hmac;
  readonly #rtpSalt: Uint8Array;
  readonly #rtcpSalt: Uint8Array;
  readonly #tag = new Uint8Array(10);

  constructor(ciphers: SrtpCiphers, suite: SrtpSuite, { rtp, rtcp }: SessionKeys) {
    this.#ciphers = ciphers;
    this.rtpTagBytes = SUITES[suite].rtpTagBytes;
    this.rtcpTagBytes = SUITES[suite].rtcpTagBytes;
    this.#rtp = ciphers.counter(rtp.encryption);
    this.#rtcp = ciphers.counter(rtcp.encryption);
    this.#rtpHmac = ciphers.hmac(rtp.authentication);
    this.#rtcpHmac = ciphers.hmac(rtcp.authentication);
    this.#rtpSalt = rtp.salt;
    this.#rtcpSalt = rtcp.salt;
  }

  protectRtp(offset: number, length: number, clearBytes: number, ssrc: number, index: number): number {
    this.#setNonce(this.#rtpSalt, ssrc, index);
    this.#rtp.apply(offset + clearBytes, length - clearBytes);
    this.#signRtp(offset, length, index);
    this.#writeTag(offset + length, this.rtpTagBytes);
    return length + this.rtpTagBytes;
  }

  openRtp(offset: number, length: number, clearBytes: number, ssrc: number, index: number): number {
    const opened = length - this.rtpTagBytes;
    this.#takeTag(offset + opened, this.rtpTagBytes);
    this.#signRtp(offset, opened, index);
    if (!this.#fits(this.rtpTagBytes)) return -1;
    this.#setNonce(this.#rtpSalt, ssrc, index);
    this.#rtp.apply(offset + clearBytes, opened - clearBytes);
    return opened;
  }

  protectRtcp(offset: number, length: number, ssrc: number, index: number): number {
    this.#setNonce(this.#rtcpSalt, ssrc, index);
    this.#rtcp.apply(offset + RTCP_CLEAR_BYTES, length - RTCP_CLEAR_BYTES);
    writeWord(this.#ciphers.bytes, offset + length, index);
    this.#ciphers.bytes[offset + length]! |= ENCRYPTED;
    const signed = length + RTCP_INDEX_BYTES;
    this.#rtcpHmac.digest(offset, signed);
    this.#writeTag(offset + signed, this.rtcpTagBytes);
    return signed + this.rtcpTagBytes;
  }

  openRtcp(offset: number, length: number, ssrc: number, index: number): number {
    const signed = length - this.rtcpTagBytes;
    const opened = signed - RTCP_INDEX_BYTES;
    this.#takeTag(offset + signed, this.rtcpTagBytes);
    this.#rtcpHmac.digest(offset, signed);
    if (!this.#fits(this.rtcpTagBytes)) return -1;
    if ((this.#ciphers.bytes[offset + opened]! & ENCRYPTED) === 0) return opened;
    this.#setNonce(this.#rtcpSalt, ssrc, index);
    this.#rtcp.apply(offset + RTCP_CLEAR_BYTES, opened - RTCP_CLEAR_BYTES);
    return opened;
  }

  rtcpIndexAt(offset: number, length: number): number {
    return offset + length - this.rtcpTagBytes - RTCP_INDEX_BYTES;
  }

  close(): void {
    for (const cipher of [this.#rtp, this.#rtcp, this.#rtpHmac, this.#rtcpHmac]) cipher.close();
  }

  /** RFC 3711, 4.1.1: salt, SSRC and index are combined by XOR; the last two bytes count the blocks. */
  #setNonce(salt: Uint8Array, ssrc: number, index: number): void {
    const { nonce } = this.#ciphers;
    for (let i = 0; i < 14; i++) nonce[i] = salt[i]!;
    nonce[14] = 0;
    nonce[15] = 0;
    addWord(nonce, 4, ssrc);
    const high = Math.floor(index / 0x1_0000);
    addWord(nonce, 8, high);
    nonce[12]! ^= (index >>> 8) & 0xff;
    nonce[13]! ^= index & 0xff;
  }

  /** The rollover counter is authenticated after the packet, but not sent (4.2): it is written at the place of the tag. */
  #signRtp(offset: number, length: number, index: number): void {
    writeWord(this.#ciphers.bytes, offset + length, Math.floor(index / 0x1_0000));
    this.#rtpHmac.digest(offset, length + 4);
  }

  #writeTag(at: number, tagBytes: number): void {
    const { bytes, digest } = this.#ciphers;
    for (let i = 0; i < tagBytes; i++) bytes[at + i] = digest[i]!;
  }

  #takeTag(at: number, tagBytes: number): void {
    const { bytes } = this.#ciphers;
    for (let i = 0; i < tagBytes; i++) this.#tag[i] = bytes[at + i]!;
  }

  #fits(tagBytes: number): boolean {
    const { digest } = this.#ciphers;
    let difference = 0;
    for (let i = 0; i < tagBytes; i++) difference |= this.#tag[i]! ^ digest[i]!;
    return difference === 0;
  }
}

class GcmTransform implements Transform {
  readonly rtpTagBytes = GCM_TAG_BYTES;
  readonly rtcpTagBytes = GCM_TAG_BYTES;
  readonly #ciphers: SrtpCiphers;
  readonly #rtp: Gcm;
  readonly #rtcp: Gcm;
  readonly #rtpSalt: Uint8Array;
  readonly #rtcpSalt: Uint8Array;

  constructor(ciphers: SrtpCiphers, { rtp, rtcp }: SessionKeys, direction: GcmDirection) {
    this.#ciphers = ciphers;
    this.#rtp = ciphers.gcm(rtp.encryption, direction);
    this.#rtcp = ciphers.gcm(rtcp.encryption, direction);
    this.#rtpSalt = rtp.salt;
    this.#rtcpSalt = rtcp.salt;
  }

  protectRtp(offset: number, length: number, clearBytes: number, ssrc: number, index: number): number {
    this.#setRtpNonce(ssrc, index);
    this.#rtp.run(offset, clearBytes, length - clearBytes, -1);
    return length + GCM_TAG_BYTES;
  }

  openRtp(offset: number, length: number, clearBytes: number, ssrc: number, index: number): number {
    const opened = length - GCM_TAG_BYTES;
    this.#setRtpNonce(ssrc, index);
    return this.#rtp.run(offset, clearBytes, opened - clearBytes, -1) ? opened : -1;
  }

  /** RFC 7714, 9: the tag precedes the index, which is authenticated. */
  protectRtcp(offset: number, length: number, ssrc: number, index: number): number {
    const { bytes } = this.#ciphers;
    const indexAt = offset + length + GCM_TAG_BYTES;
    writeWord(bytes, indexAt, index);
    bytes[indexAt]! |= ENCRYPTED;
    this.#setRtcpNonce(ssrc, index);
    this.#rtcp.run(offset, RTCP_CLEAR_BYTES, length - RTCP_CLEAR_BYTES, indexAt);
    return length + GCM_TAG_BYTES + RTCP_INDEX_BYTES;
  }

  openRtcp(offset: number, length: number, ssrc: number, index: number): number {
    const indexAt = this.rtcpIndexAt(offset, length);
    const opened = indexAt - offset - GCM_TAG_BYTES;
    const clear = (this.#ciphers.bytes[indexAt]! & ENCRYPTED) === 0 ? opened : RTCP_CLEAR_BYTES;
    this.#setRtcpNonce(ssrc, index);
    return this.#rtcp.run(offset, clear, opened - clear, indexAt) ? opened : -1;
  }

  rtcpIndexAt(offset: number, length: number): number {
    return offset + length - RTCP_INDEX_BYTES;
  }

  close(): void {
    this.#rtp.close();
    this.#rtcp.close();
  }

  /** The nonce of RFC 7714, 8.1. */
  #setRtpNonce(ssrc: number, index: number): void {
    const { nonce } = this.#ciphers;
    for (let i = 0; i < 12; i++) nonce[i] = this.#rtpSalt[i]!;
    addWord(nonce, 2, ssrc);
    addWord(nonce, 6, Math.floor(index / 0x1_0000));
    nonce[10]! ^= (index >>> 8) & 0xff;
    nonce[11]! ^= index & 0xff;
  }

  /** The nonce of RFC 7714, 9.1. */
  #setRtcpNonce(ssrc: number, index: number): void {
    const { nonce } = this.#ciphers;
    for (let i = 0; i < 12; i++) nonce[i] = this.#rtcpSalt[i]!;
    addWord(nonce, 2, ssrc);
    addWord(nonce, 8, index);
  }
}
