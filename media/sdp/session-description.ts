/** A session description (RFC 8866) reduced to what setting up RTP needs, and the ways in which it can be of no use. */

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
};

export type Origin = {
  readonly username: string;
  /** Numeric, up to 64 bits, hence text. */
  readonly sessionId: string;
  readonly version: string;
  readonly address: string;
};

export type SessionDescription = { readonly origin: Origin; readonly media: readonly MediaDescription[] };

/**
 * SYNTAX: no session description. NO_AUDIO: no audio stream that is on and over plain RTP. NO_COMMON_CODEC: none of its
 * codecs is ours. REJECTED: the peer turned the stream down. NO_ADDRESS: nowhere to send, or a host name.
 * MISMATCH: the answer's m= lines are not the offer's (RFC 3264, 6).
 */
export type SdpFaultKind = 'SYNTAX' | 'NO_AUDIO' | 'NO_COMMON_CODEC' | 'REJECTED' | 'NO_ADDRESS' | 'MISMATCH';

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
