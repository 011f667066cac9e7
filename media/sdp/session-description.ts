/** A session description (RFC 8866) reduced to what setting up RTP needs, and the ways in which it can be of no use. */
import type { IceDescription } from '../ice/candidate.ts';
import type { Fingerprint } from './stream-format.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** One RTP payload format of a media description. */
export type PayloadFormat = {
  readonly payloadType: number;
  /** Upper case: `PCMU`, `TELEPHONE-EVENT`. */
  readonly encoding: string;
  readonly clockRate: number;
  readonly channels: number;
  /** Format parameters (`a=fmtp`), '' if there are none. */
  readonly parameters: string;
};

/** a=crypto (RFC 4568, 9.1), whatever its suite. */
export type CryptoLine = {
  readonly tag: number;
  /** Upper case. */
  readonly suite: string;
  /** Base64. */
  readonly keySalt: string;
  /** Packets that the key may encrypt, null: as many as the suite allows. */
  readonly lifetime: number | null;
  readonly mki: { readonly value: number; readonly bytes: number } | null;
  /** Whether more keys follow, which only an MKI tells apart; they are not read. */
  readonly severalKeys: boolean;
  readonly sessionParameters: readonly string[];
};

/** a=setup (RFC 4145, 4), for DTLS. */
export type Setup = 'active' | 'passive' | 'actpass' | 'holdconn';

/** a=rtcp-fb (RFC 4585, 4.2): `nack`, `nack pli`, `ccm fir` … */
export type FeedbackLine = {
  /** Null: all formats (`*`). */
  readonly payloadType: number | null;
  /** Lower case, one space between words. */
  readonly value: string;
};

/** What its describer sends, by its names in RTP and RTCP (RFC 5576, 4.1 and 6.1). */
export type MediaSender = { readonly ssrc: number; readonly cname: string };

export type MediaDescription = {
  /** `audio`, `video`, `image` … in lower case. */
  readonly kind: string;
  /** 0: the stream is rejected or off (RFC 3264, 5.1 and 6). */
  readonly port: number;
  /** `RTP/AVP`, as it was written. */
  readonly profile: string;
  /** The formats as they stand in the m= line; payload types where the profile is one of RTP. */
  readonly formatTokens: readonly string[];
  /** Those of `formatTokens` whose encoding is known, in the same order. */
  readonly formats: readonly PayloadFormat[];
  /** Of the media or else the session level; null: none is given. May be a host name. */
  readonly address: string | null;
  /** a=rtcp (RFC 3605), null: not given. */
  readonly rtcpPort: number | null;
  readonly rtcpMux: boolean;
  /** Milliseconds a packet that the describer wants to receive, null: not given. */
  readonly packetMs: number | null;
  readonly maxPacketMs: number | null;
  readonly direction: Direction;
  /** a=rtcp-rsize (RFC 5506, 5.2). */
  readonly reducedSize: boolean;
  /** Items of a=rtcp-xr (RFC 3611, 5.1), lower case: `voip-metrics`. */
  readonly extendedReports: readonly string[];
  readonly feedback: readonly FeedbackLine[];
  readonly cryptos: readonly CryptoLine[];
  /** Of the media or else the session level (RFC 8122, 5). */
  readonly fingerprints: readonly Fingerprint[];
  readonly setup: Setup | null;
  /** RFC 8839; null: no ICE. */
  readonly ice: IceDescription | null;
  /** Its name in groups (RFC 5888, 4). */
  readonly mid: string | null;
  /** It has no transport but that of its group, whatever its port (RFC 9143, 6). */
  readonly bundleOnly: boolean;
  /** The number of the header extension that carries `mid` in RTP (RFC 9143, 15.2; RFC 8285, 5), 1 to 14. */
  readonly midExtension: number | null;
  /** Told, and not read. Null or absent: it is not told. */
  readonly sender?: MediaSender | null;
};

export type Origin = {
  readonly username: string;
  /** Numeric, up to 64 bits, hence text. */
  readonly sessionId: string;
  readonly version: string;
  readonly address: string;
};

export type SessionDescription = {
  readonly origin: Origin;
  readonly media: readonly MediaDescription[];
  /** The `mid`s that share one transport (RFC 9143), the tagged line first; [] where none do. Of several groups the first. */
  readonly bundle: readonly string[];
};

/**
 * SYNTAX: no session description. NO_AUDIO: no stream of a kind that we have is on and over RTP. NO_COMMON_CODEC: none of
 * its codecs is ours. REJECTED: the peer turned everything down. NO_ADDRESS: nowhere to send, or a host name. MULTICAST: the
 * address of a group. FORBIDDEN: one that the host's owner lets no media go to. MISMATCH: the answer does not fit the offer
 * (RFC 3264, 6). NOT_ENCRYPTED: plain RTP where we demand encryption. ENCRYPTED: SRTP where we are plain, or keyed in the other
 * way. NO_COMMON_SUITE: no a=crypto that we could use. NO_KEY: an a=crypto that is missing. NO_FINGERPRINT: none by a hash that
 * we know. SETUP: nobody, or both, would open the DTLS handshake.
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
