/** What we can do with audio, and the offer that says so (RFC 3264, 5). */
import { staticFormat } from './payload-format.ts';
import type { Direction, MediaDescription, PayloadFormat } from './session-description.ts';
import { writeSdp } from './write.ts';

export type CodecName = 'PCMU' | 'PCMA';

const PAYLOAD_TYPES: Readonly<Record<CodecName, number>> = { PCMU: 0, PCMA: 8 };

/** Our end of one audio stream. */
export type LocalAudio = {
  /** Numeric, IPv4 or IPv6: where we listen. */
  readonly address: string;
  readonly rtpPort: number;
  readonly rtcpPort: number;
  /** Offer, or accept, RTP and RTCP on one port (RFC 5761). */
  readonly rtcpMux: boolean;
  /** Most wanted first. */
  readonly codecs: readonly CodecName[];
  /** Milliseconds a packet that we want to receive. */
  readonly packetMs: number;
  readonly direction: Direction;
  /** o= session id, digits; the same for all descriptions of a call. */
  readonly sessionId: string;
  /** o= version, digits: one more with each description that differs from the one before (RFC 3264, 8). */
  readonly version: string;
};

export const formatOfCodec = (codec: CodecName): PayloadFormat => staticFormat(PAYLOAD_TYPES[codec]) as PayloadFormat;

/** The offer, as text. */
export function offerSdp(local: LocalAudio): string {
  return writeSdp({
    origin: originOf(local),
    media: [localMedia(local, 'RTP/AVP', local.codecs.map(formatOfCodec), local.direction, local.rtcpMux)],
  });
}

export const originOf = (
  local: LocalAudio,
): { username: string; sessionId: string; version: string; address: string } => ({
  username: '-',
  sessionId: local.sessionId,
  version: local.version,
  address: local.address,
});

/** Our media description, in an offer or an answer. a=rtcp is written where the port is not the expected next one. */
export function localMedia(
  local: LocalAudio,
  profile: string,
  formats: readonly PayloadFormat[],
  direction: Direction,
  rtcpMux: boolean,
): MediaDescription {
  return {
    kind: 'audio',
    port: local.rtpPort,
    profile,
    formatTokens: formats.map((format) => String(format.payloadType)),
    formats,
    address: local.address,
    rtcpPort:
      local.rtcpPort === local.rtpPort + 1 || (rtcpMux && local.rtcpPort === local.rtpPort) ? null : local.rtcpPort,
    rtcpMux,
    packetMs: local.packetMs,
    maxPacketMs: null,
    direction,
  };
}
