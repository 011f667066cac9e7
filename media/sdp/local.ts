/** Our end of a session: what we can do, and how it is written down in a media description. */
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
  /** What we send with, one for each suite that we can use, most wanted first. Empty unless keys are told in the SDP. */
  readonly keys: readonly SrtpKey[];
  /** Of its DTLS association, each stream has its own (RFC 8842, 5.5). Null or absent: it has none yet. */
  readonly dtlsRole?: 'CLIENT' | 'SERVER' | null;
  /** Offered, and answered where the peer offers it; never lite. Null or absent: no ICE. */
  readonly ice?: IceDescription | null;
  /** Told: some peers tell streams that share a transport apart by nothing else. Null or absent: not told. */
  readonly sender?: MediaSender | null;
};

export type LocalAudio = LocalEnd & {
  readonly kind: 'AUDIO';
  /** Most wanted first. */
  readonly codecs: readonly AudioCodec[];
  /** Milliseconds a packet that we want to receive. */
  readonly packetMs: number;
  /** Whether telephone-event is offered. It is answered wherever the peer offers it. */
  readonly telephoneEvent: boolean;
};

export type LocalVideo = LocalEnd & {
  readonly kind: 'VIDEO';
  readonly codecs: readonly VideoCodec[];
  /** What is sent in H.264; null or absent: what every peer plays. */
  readonly h264?: H264Stream | null;
};
export type LocalStream = LocalAudio | LocalVideo;

/** NONE: plain RTP, and nothing else. SDES (RFC 4568) and DTLS (RFC 5763): that, and nothing else. */
export type LocalSecurity =
  | { readonly mode: 'NONE' }
  | { readonly mode: 'SDES' }
  | { readonly mode: 'DTLS'; readonly fingerprint: Fingerprint };

/** Of all lines of an offer (RFC 4585, 9): a mix of both is lawful, and refused by some. Feedback is offered over either. */
export type FeedbackProfile = 'AVP' | 'AVPF';

export type LocalSession = {
  /** Numeric, IPv4 or IPv6: where we listen. */
  readonly address: string;
  /** o= session id, digits; the same for all descriptions of a call. */
  readonly sessionId: string;
  /** o= version, digits: one more with each description that differs from the one before (RFC 3264, 8). */
  readonly version: string;
  /** Offer, or accept, RTP and RTCP on one port (RFC 5761). */
  readonly rtcpMux: boolean;
  /** Offer, and accept, one transport for all streams that have ICE and DTLS (RFC 9143). Absent: no. */
  readonly bundle?: boolean;
  readonly security: LocalSecurity;
  readonly feedbackProfile: FeedbackProfile;
  /** What is wrong with an address that media would be sent to, null where nothing is; absent: nobody sends any. */
  readonly judge?: (address: string | null) => SdpFault | null;
  /** In the order of our offers. */
  readonly streams: readonly LocalStream[];
};

export const VOIP_METRICS = 'voip-metrics';
/** What a video stream understands (RFC 4585, 4.2; RFC 5104, 7.1). */
export const FEEDBACK = ['nack', 'nack pli', 'ccm fir'] as const;

export const originOf = ({ sessionId, version, address }: LocalSession): Origin => ({
  username: '-',
  sessionId,
  version,
  address,
});

/** What an answer takes over from the offer, and an offer decides. */
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

/** Our media description, in an offer or an answer. a=rtcp is written where the port is not the expected next one. */
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
    packetMs: stream.kind === 'AUDIO' ? stream.packetMs : null,
    maxPacketMs: null,
    mid: null,
    bundleOnly: false,
    midExtension: null,
    ...(stream.sender && { sender: stream.sender }),
    ...terms,
  };
}
