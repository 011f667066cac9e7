/** The media of a stream after offer and answer: formats, encryption, feedback. */

import type { AudioCodec } from '../codec/audio-codecs.ts';
import type { SrtpSuite } from '../srtp/suites.ts';
import type { VideoCodec } from '../video/clip.ts';

export type { AudioCodec, SrtpSuite, VideoCodec };

export type AudioFormat = {
  readonly kind: 'AUDIO';
  readonly codec: AudioCodec;
  /** The payload type that the peer asked for, used for sending. */
  readonly sendPayloadType: number;
  /** The payload type that we asked for, used for counting. */
  readonly receivePayloadType: number;
  /** Further types of the same clock, counted as well: the peer may change to them at any time (RFC 3264, 7). */
  readonly otherPayloadTypes?: readonly number[];
  /** True if a codec of these has other octets a millisecond: then only timestamps give the duration of a packet. */
  readonly isMixed?: boolean;
  /** The milliseconds of audio per packet, as near to the peer's wish as we can: one of PACKET_TIMES_MS. */
  readonly packetMs: number;
  /** The events of RFC 4733, on a clock that may differ from that of `codec`. Null or absent: no digits in either direction. */
  readonly telephoneEvent?: {
    readonly sendPayloadType: number;
    readonly receivePayloadType: number;
    readonly clockRateHz: number;
    /** The digits of 0-9 * # A-D that the peer accepts; absent: all. */
    readonly keys?: string;
  } | null;
  /** Comfort noise that the peer may send in pauses (RFC 3389). We send none. */
  readonly comfortNoisePayloadType?: number | null;
};

/** The RTCP feedback that both ends support (RFC 4585, 4; RFC 5104, 7). */
export type VideoFeedback = { readonly nack: boolean; readonly pli: boolean; readonly fir: boolean };

export type VideoFormat = {
  readonly kind: 'VIDEO';
  readonly codec: VideoCodec;
  readonly sendPayloadType: number;
  readonly receivePayloadType: number;
  /** H264 only (RFC 6184, 8.1): 1 allows fragmentation units. */
  readonly packetizationMode?: 0 | 1;
  /** H264 only: the highest profile and level that the peer accepts, 6 hexadecimal digits (RFC 6184, 8.2.2). */
  readonly profileLevelId?: string;
  readonly feedback: VideoFeedback;
};

/** The formats are discriminated by `kind`. */
export type StreamFormat = AudioFormat | VideoFormat;

/** The Base64 of master key and master salt, as a=crypto carries them (RFC 4568, 6.1). */
export type SrtpKey = { readonly suite: SrtpSuite; readonly keySalt: string };

/** A hash of a certificate: `sha-256`, and hex bytes with colons, upper case (RFC 8122, 5). */
export type Fingerprint = { readonly hash: string; readonly value: string };

/** How a stream is encrypted. CLIENT opens the DTLS handshake (a=setup:active); `fingerprints` are the peer's. */
export type StreamSecurity =
  | { readonly mode: 'SDES'; readonly send: SrtpKey; readonly receive: SrtpKey }
  | { readonly mode: 'DTLS'; readonly role: 'CLIENT' | 'SERVER'; readonly fingerprints: readonly Fingerprint[] };
