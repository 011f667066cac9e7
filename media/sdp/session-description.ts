/** A session description (RFC 8866) reduced to what RTP needs, and the reasons why it can be unusable. */
import type { IceDescription } from '../ice/candidate.ts';
import type { Fingerprint } from './stream-format.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export type PayloadFormat = {
  readonly payloadType: number;
  /** Upper case: `PCMU`, `TELEPHONE-EVENT`. */
  readonly encoding: string;
  readonly clockRate: number;
  readonly channels: number;
  /** The format parameters (`a=fmtp`); '': there are none. */
  readonly parameters: string;
};

/** `a=crypto` (RFC 4568, 9.1), with any suite. */
export type CryptoLine = {
  readonly tag: number;
  /** Upper case. */
  readonly suite: string;
  /** Base64. */
  readonly keySalt: string;
  /** The number of packets that the key may encrypt; null: as many as the suite allows. */
  readonly lifetime: number | null;
  readonly mki: { readonly value: number; readonly bytes: number } | null;
  /** Whether more keys follow, which only an MKI distinguishes; they are not read. */
  readonly severalKeys: boolean;
  readonly sessionParameters: readonly string[];
};

/** `a=setup` (RFC 4145, 4), for DTLS. */
export type Setup = 'active' | 'passive' | 'actpass' | 'holdconn';

/** `a=rtcp-fb` (RFC 4585, 4.2): `nack`, `nack pli`, `ccm fir` … */
export type FeedbackLine = {
  /** Null: all formats (`*`). */
  readonly payloadType: number | null;
  /** Lower case, one space between words. */
  readonly value: string;
};

/** The names of a stream's sender in RTP and RTCP (RFC 5576, 4.1 and 6.1). */
export type MediaSender = { readonly ssrc: number; readonly cname: string };

export type MediaDescription = {
  /** `audio`, `video`, `image` … in lower case. */
  readonly kind: string;
  /** 0: the stream is rejected or off (RFC 3264, 5.1 and 6). */
  readonly port: number;
  /** The profile as written, such as `RTP/AVP`. */
  readonly profile: string;
  /** The formats of the m= line; payload types if the profile is RTP. */
  readonly formatTokens: readonly string[];
  /** Those of `formatTokens` with a known encoding, in the same order. */
  readonly formats: readonly PayloadFormat[];
  /** The address at media level, otherwise at session level; null: not given. May be a host name. */
  readonly address: string | null;
  /** `a=rtcp` (RFC 3605), null: not given. */
  readonly rtcpPort: number | null;
  readonly rtcpMux: boolean;
  /** The milliseconds per packet that the describing end wants to receive; null: not given. */
  readonly packetMs: number | null;
  readonly maxPacketMs: number | null;
  readonly direction: Direction;
  /** `a=rtcp-rsize` (RFC 5506, 5.2). */
  readonly reducedSize: boolean;
  /** Items of a=rtcp-xr (RFC 3611, 5.1), lower case: `voip-metrics`. */
  readonly extendedReports: readonly string[];
  readonly feedback: readonly FeedbackLine[];
  readonly cryptos: readonly CryptoLine[];
  /** The fingerprints at media level, otherwise at session level (RFC 8122, 5). */
  readonly fingerprints: readonly Fingerprint[];
  readonly setup: Setup | null;
  /** The ICE attributes (RFC 8839); null: no ICE. */
  readonly ice: IceDescription | null;
  /** Its name in groups (RFC 5888, 4). */
  readonly mid: string | null;
  /** The line has only the transport of its group, regardless of its port (RFC 9143, 6). */
  readonly bundleOnly: boolean;
  /** The number of the header extension that carries `mid` in RTP (RFC 9143, 15.2; RFC 8285, 5), 1 to 14. */
  readonly midExtension: number | null;
  /** Stored but not interpreted. Null or absent: not present. */
  readonly sender?: MediaSender | null;
};

export type Origin = {
  readonly username: string;
  /** A number of up to 64 bits, hence text. */
  readonly sessionId: string;
  readonly version: string;
  readonly address: string;
};

export type SessionDescription = {
  readonly origin: Origin;
  readonly media: readonly MediaDescription[];
  /**
   * The `mid`s that share one transport (RFC 9143), the tagged line first; [] if none do. Of several groups only the
   * first is read.
   */
  readonly bundle: readonly string[];
};

/**
 * SYNTAX: not a session description. NO_AUDIO: no active stream of a supported kind over RTP. NO_COMMON_CODEC: no
 * common codec. REJECTED: the peer rejected all streams. NO_ADDRESS: no destination, or a host name. MULTICAST: a
 * multicast address. FORBIDDEN: an address that the agent's policy forbids for media. MISMATCH: the answer does not fit
 * the offer (RFC 3264, 6). NOT_ENCRYPTED: plain RTP where we require encryption. ENCRYPTED: SRTP where we use plain
 * RTP, or another keying method. NO_COMMON_SUITE: no usable a=crypto. NO_KEY: a=crypto is missing. NO_FINGERPRINT: no
 * fingerprint with a known hash. SETUP: neither end, or both, would open the DTLS handshake.
 */
export type SdpFaultKind =
  | 'SYNTAX'
  | 'NO_AUDIO'
  | 'NO_COMMON_CODEC'
  | 'REJECTED'
  | 'NO_ADDRESS'
  | 'MULTICAST'
  | 'FORBIDDEN'
  | 'MISMATCH'
  | 'NOT_ENCRYPTED'
  | 'ENCRYPTED'
  | 'NO_COMMON_SUITE'
  | 'NO_KEY'
  | 'NO_FINGERPRINT'
  | 'SETUP';

export type SdpFault = { readonly fault: SdpFaultKind; readonly reason: string };

export const sdpFault = (fault: SdpFaultKind, reason: string): SdpFault => ({ fault, reason });

export const isSdpFault = (result: object | string): result is SdpFault =>
  typeof result === 'object' && 'fault' in result;

export const sends = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'sendonly';
export const receives = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'recvonly';

export function directionOf(send: boolean, receive: boolean): Direction {
  if (send) return receive ? 'sendrecv' : 'sendonly';
  return receive ? 'recvonly' : 'inactive';
}
