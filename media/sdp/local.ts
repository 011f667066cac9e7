/** Our end of a session: our abilities, and their form in a media description. */
import { longestPacketMs } from '../codec/audio-codecs.ts';
import type { IceDescription } from '../ice/candidate.ts';
import type { H264Stream } from './h264-format.ts';
import type {
  Direction,
  MediaDescription,
  MediaSender,
  Origin,
  PayloadFormat,
  SdpFault,
} from './session-description.ts';
import type { AudioCodec, Fingerprint, SrtpKey, VideoCodec } from './stream-format.ts';

type LocalEnd = {
  readonly rtpPort: number;
  readonly rtcpPort: number;
  readonly direction: Direction;
  /** Our sending keys, one per supported suite, in order of preference. Empty unless keys are sent in the SDP. */
  readonly keys: readonly SrtpKey[];
  /**
   * Our role in the stream's DTLS association, of which each stream has its own (RFC 8842, 5.5). Null or absent: not yet known.
   */
  readonly dtlsRole?: 'CLIENT' | 'SERVER' | null;
  /** ICE is offered, and answered if the peer offers it; never lite. Null or absent: no ICE. */
  readonly ice?: IceDescription | null;
  /** The names are sent because some peers distinguish streams of one transport only by them. Null or absent: not sent. */
  readonly sender?: MediaSender | null;
};

export type LocalAudio = LocalEnd & {
  readonly kind: 'AUDIO';
  /** The codecs in order of preference. */
  readonly codecs: readonly AudioCodec[];
  /** The milliseconds per packet that we want to receive. */
  readonly packetMs: number;
  /** Whether telephone-event is offered. It is always answered if the peer offers it. */
  readonly telephoneEvent: boolean;
};

export type LocalVideo = LocalEnd & {
  readonly kind: 'VIDEO';
  readonly codecs: readonly VideoCodec[];
  /** The H.264 format of the sent media; null or absent: the format that every peer plays. */
  readonly h264?: H264Stream | null;
};
export type LocalStream = LocalAudio | LocalVideo;

/** NONE: only plain RTP is accepted. SDES (RFC 4568) and DTLS (RFC 5763): only that method is accepted. */
export type LocalSecurity =
  | { readonly mode: 'NONE' }
  | { readonly mode: 'SDES' }
  | { readonly mode: 'DTLS'; readonly fingerprint: Fingerprint };

/**
 * The profile of all lines of an offer (RFC 4585, 9): a mix is allowed, but some peers refuse it. Feedback is offered
 * with either.
 */
export type FeedbackProfile = 'AVP' | 'AVPF';

export type LocalSession = {
  /** The numeric address on which we listen, IPv4 or IPv6. */
  readonly address: string;
  /** The session id in o=, digits; the same in all descriptions of a call. */
  readonly sessionId: string;
  /** The version in o=, digits: incremented with each description that differs from the previous one (RFC 3264, 8). */
  readonly version: string;
  /** Offer, or accept, RTP and RTCP on one port (RFC 5761). */
  readonly rtcpMux: boolean;
  /** Offer and accept one transport for all streams with ICE and DTLS (RFC 9143). Absent: no. */
  readonly bundle?: boolean;
  readonly security: LocalSecurity;
  readonly feedbackProfile: FeedbackProfile;
  /** Why media must not be sent to an address; null: they may; absent: no media are sent. */
  readonly judge?: (address: string | null) => SdpFault | null;
  /** The streams in the order of our offers. */
  readonly streams: readonly LocalStream[];
};

export const VOIP_METRICS = 'voip-metrics';
/** RTCP feedback that a video stream supports (RFC 4585, 4.2; RFC 5104, 7.1). */
export const FEEDBACK = ['nack', 'nack pli', 'ccm fir'] as const;

export const originOf = ({ sessionId, version, address }: LocalSession): Origin => ({
  username: '-',
  sessionId,
  version,
  address,
});

/** Attributes that an offer decides and an answer copies. */
export type Terms = Pick<
  MediaDescription,
  | 'profile'
  | 'direction'
  | 'rtcpMux'
  | 'reducedSize'
  | 'extendedReports'
  | 'feedback'
  | 'cryptos'
  | 'fingerprints'
  | 'setup'
  | 'ice'
>;

/** Our media description, in an offer or an answer. a=rtcp is written if the port is not the expected next one. */
export function localMedia(
  { address }: LocalSession,
  stream: LocalStream,
  formats: readonly PayloadFormat[],
  terms: Terms,
): MediaDescription {
  const { rtpPort, rtcpPort } = stream;
  const usual = rtcpPort === rtpPort + 1 || (terms.rtcpMux && rtcpPort === rtpPort);
  return {
    kind: stream.kind.toLowerCase(),
    port: rtpPort,
    formatTokens: formats.map((format) => String(format.payloadType)),
    formats,
    address,
    rtcpPort: usual ? null : rtcpPort,
    packetMs:
      stream.kind === 'AUDIO'
        ? Math.min(stream.packetMs, ...formats.map(({ encoding }) => longestPacketMs(encoding)))
        : null,
    maxPacketMs: null,
    mid: null,
    bundleOnly: false,
    midExtension: null,
    ...(stream.sender && { sender: stream.sender }),
    ...terms,
  };
}
