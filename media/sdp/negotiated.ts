/** The result of offer and answer, seen from one end (RFC 3264, 5.1, 6.1 and 7). */
import { audioCodecOf, longestPacketMs } from '../codec/audio-codecs.ts';
import { isTakenByRtcp } from './answer.ts';
import { agreedBundle, agreedMid, ambiguousPayloadType, type NegotiatedMid } from './bundle.ts';
import { type Codec, codecOf, eventBeside, isComfortNoise, isEvent, keysTaken, kindOf, sameFormat } from './codecs.ts';
import { packetizationMode, takenH264 } from './h264-format.ts';
import { agreedIce, type NegotiatedIce } from './ice.ts';
import { VOIP_METRICS } from './local.ts';
import { addressFault } from './media-address.ts';
import { packetTimeMs } from './packet-time.ts';
import { isUnspecified, parseSdp } from './parse.ts';
import { agreedSecurity } from './security.ts';
import {
  type Direction,
  directionOf,
  isSdpFault,
  type MediaDescription,
  type PayloadFormat,
  receives,
  type SdpFault,
  sdpFault,
  sends,
} from './session-description.ts';
import type {
  AudioCodec,
  AudioFormat,
  StreamFormat,
  StreamSecurity,
  VideoCodec,
  VideoFormat,
} from './stream-format.ts';

export type NegotiatedStream = {
  /** The number of the m= line, from 0. */
  readonly index: number;
  /** Our RTP port, which identifies our stream or, in a bundle, its transport. */
  readonly localPort: number;
  /** Null: no other m= line shares its transport (RFC 9143). */
  readonly mid: NegotiatedMid | null;
  /** Our destination, a numeric address. Null: neither RTP nor RTCP may be sent (legacy hold, RFC 3264, 8.4). */
  readonly address: string | null;
  readonly rtpPort: number;
  /** Equal to rtpPort with rtcp-mux. Null: no port for RTCP. */
  readonly rtcpPort: number | null;
  /** The direction as we see it: `sendonly` means that we send. */
  readonly direction: Direction;
  readonly format: StreamFormat;
  /** Null: plain RTP. */
  readonly security: StreamSecurity | null;
  /** ICE finds the destination; null: `address` and ports are the destination. */
  readonly ice: NegotiatedIce | null;
  /** RTCP may be sent and received without a report in front (RFC 5506, 5.2). */
  readonly reducedSize: boolean;
  /** The peer asks us for XR VoIP metrics (RFC 3611, 5.2: each end declares this for itself). */
  readonly extendedReports: boolean;
};

/** The packet time without a=ptime (RFC 3551, 4.2: default packetization of our codecs). */
const DEFAULT_PACKET_MS = 20;
export type Side = 'OFFERER' | 'ANSWERER';

/**
 * The active streams, at least one, in the order of the m= lines. Rejected streams are left out; an accepted stream
 * that cannot be used is a fault. `side`: whether the offer or the answer is ours.
 */
export function negotiated(offer: string, answer: string, side: Side): readonly NegotiatedStream[] | SdpFault {
  const offered = parseSdp(offer);
  if (isSdpFault(offered)) return offered;
  const answered = parseSdp(answer);
  if (isSdpFault(answered)) return answered;
  if (offered.media.length !== answered.media.length) {
    return sdpFault('MISMATCH', `${offered.media.length} streams offered, ${answered.media.length} answered`);
  }
  const bundle = agreedBundle(offered, answered);
  const ambiguous = ambiguousPayloadType(bundle.answered, bundle.members);
  if (ambiguous !== null) return ambiguous;
  const streams: NegotiatedStream[] = [];
  let known = false;
  for (const [index, theirs] of bundle.offered.entries()) {
    if ((theirs.kind !== 'audio' && theirs.kind !== 'video') || theirs.port === 0) continue;
    known = true;
    const reply = bundle.answered[index] as MediaDescription;
    if (reply.port === 0) continue;
    if (reply.kind !== theirs.kind) return sdpFault('MISMATCH', `${theirs.kind} was offered, ${reply.kind} answered`);
    const [ours, peers] = side === 'OFFERER' ? [theirs, reply] : [reply, theirs];
    const result = agree(index, ours, peers, side);
    if (isSdpFault(result)) return result;
    streams.push(bundle.members.includes(index) ? { ...result, mid: agreedMid(ours, peers) } : result);
  }
  if (!known) return sdpFault('NO_AUDIO', 'neither audio nor video was offered');
  return streams.length > 0 ? streams : sdpFault('REJECTED', 'every stream was turned down');
}

type Pair = { readonly codec: Codec; readonly send: PayloadFormat; readonly receive: PayloadFormat };

function agree(
  index: number,
  ours: MediaDescription,
  peers: MediaDescription,
  side: Side,
): NegotiatedStream | SdpFault {
  const security = agreedSecurity(ours, peers, side);
  if (security !== null && isSdpFault(security)) return security;
  const pairs = commonPairs(ours, peers, side);
  const [pair] = pairs;
  if (pair === undefined) return sdpFault('NO_COMMON_CODEC', `offer and answer have no common ${ours.kind} codec`);
  const unusable = addressFault(peers.address);
  if (unusable !== null) return unusable;
  const mux = ours.rtcpMux && peers.rtcpMux;
  const taken = mux ? [pair.send, pair.receive].find(isTakenByRtcp) : undefined;
  if (taken !== undefined)
    return sdpFault('MISMATCH', `payload type ${taken.payloadType} cannot share a port with RTCP (RFC 5761, 4)`);
  const ice = agreedIce(ours, peers, side);
  // The default destination of a peer is unusable, but its candidates give the address.
  const isOpen = peers.address === null || isUnspecified(peers.address);
  const instead = isOpen ? (ice?.remote.candidates[0] ?? null) : null;
  return {
    index,
    localPort: ours.port,
    mid: null,
    address: isOpen ? (instead?.address ?? null) : peers.address,
    rtpPort: instead?.port ?? peers.port,
    rtcpPort: instead === null ? rtcpPort(peers, mux) : instead.port,
    direction: directionOf(
      sends(ours.direction) && receives(peers.direction),
      receives(ours.direction) && sends(peers.direction),
    ),
    format: ours.kind === 'audio' ? audioFormat(pairs, ours, peers) : videoFormat(pair, ours, peers),
    security,
    ice,
    reducedSize: ours.reducedSize && peers.reducedSize,
    extendedReports: peers.extendedReports.includes(VOIP_METRICS),
  };
}

/** The default is the port above RTP's (RFC 3550, 11), which does not exist for 65535; `a=rtcp:0` means none. */
function rtcpPort(peers: MediaDescription, mux: boolean): number | null {
  const port = mux ? peers.port : (peers.rtcpPort ?? peers.port + 1);
  return port >= 1 && port <= 65_535 ? port : null;
}

/** The codecs of the answer that the offer has as well, in the answer's order: both ends get the same result. */
function commonPairs(ours: MediaDescription, peers: MediaDescription, side: Side): Pair[] {
  const pairs: Pair[] = [];
  for (const format of (side === 'OFFERER' ? peers : ours).formats) {
    const codec = codecOf(format);
    const send = counterpart(format, peers.formats);
    const receive = counterpart(format, ours.formats);
    if (codec !== null && kindOf(codec) === ours.kind && send !== undefined && receive !== undefined)
      pairs.push({ codec, send, receive });
  }
  return pairs;
}

/** If several formats are the same codec (H264 profiles), the one with the same number. */
const counterpart = (format: PayloadFormat, among: readonly PayloadFormat[]): PayloadFormat | undefined => {
  const same = among.filter((one) => sameFormat(one, format));
  return same.find(({ payloadType }) => payloadType === format.payloadType) ?? same[0];
};

const octetsPerMs = (codec: Codec): number | null | undefined => audioCodecOf(codec)?.octetsPerMs;

function audioFormat(pairs: readonly Pair[], ours: MediaDescription, peers: MediaDescription): AudioFormat {
  const [{ codec, send, receive }, ...others] = pairs as [Pair, ...Pair[]];
  const { clockRate } = receive;
  const counted = others.filter((o) => o.receive.clockRate === clockRate);
  const hasEvents = (one: PayloadFormat): boolean =>
    isEvent(one) && ours.formats.some((own) => isEvent(own) && own.clockRate === one.clockRate);
  const theirEvents = eventBeside(peers.formats.filter(hasEvents), clockRate);
  const ourEvents = theirEvents && eventBeside(ours.formats, theirEvents.clockRate);
  const keys = theirEvents === undefined ? null : keysTaken(theirEvents);
  const noise = peers.formats.some(isComfortNoise) ? ours.formats.find(isComfortNoise) : undefined;
  return {
    kind: 'AUDIO',
    codec: codec as AudioCodec,
    sendPayloadType: send.payloadType,
    receivePayloadType: receive.payloadType,
    otherPayloadTypes: counted.map((o) => o.receive.payloadType),
    ...(counted.some((o) => octetsPerMs(o.codec) !== octetsPerMs(codec)) && { isMixed: true }),
    packetMs: packetTimeMs(
      peers.packetMs ?? DEFAULT_PACKET_MS,
      Math.min(peers.maxPacketMs ?? Number.POSITIVE_INFINITY, longestPacketMs(codec)),
    ),
    telephoneEvent:
      theirEvents === undefined || ourEvents === undefined
        ? null
        : {
            sendPayloadType: theirEvents.payloadType,
            receivePayloadType: ourEvents.payloadType,
            clockRateHz: theirEvents.clockRate,
            ...(keys === null ? {} : { keys }),
          },
    comfortNoisePayloadType: clockRate === 8000 && noise !== undefined ? noise.payloadType : null,
  };
}

/** Feedback counts if both sides list it, for the format or for all formats. */
function videoFormat({ codec, send, receive }: Pair, ours: MediaDescription, peers: MediaDescription): VideoFormat {
  const has = ({ feedback }: MediaDescription, { payloadType }: PayloadFormat, value: string): boolean =>
    feedback.some((one) => one.value === value && (one.payloadType === null || one.payloadType === payloadType));
  const both = (value: string): boolean => has(ours, receive, value) && has(peers, send, value);
  return {
    kind: 'VIDEO',
    codec: codec as VideoCodec,
    sendPayloadType: send.payloadType,
    receivePayloadType: receive.payloadType,
    ...(codec === 'H264'
      ? { packetizationMode: packetizationMode(send) ?? 0, profileLevelId: takenH264(receive, send) }
      : {}),
    feedback: { nack: both('nack'), pli: both('nack pli'), fir: both('ccm fir') },
  };
}
