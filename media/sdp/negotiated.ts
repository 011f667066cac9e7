/** What offer and answer agreed on, seen from one end (RFC 3264, 5.1, 6.1 and 7). */
import type { CodecName } from './offer.ts';
import { packetTimeMs } from './packet-time.ts';
import { isUnspecified, parseSdp } from './parse.ts';
import { sameCodec } from './payload-format.ts';
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

export type NegotiatedAudio = {
  /** Where we send: numeric. Null: nothing may be sent, neither RTP nor RTCP (legacy hold, RFC 3264, 8.4). */
  readonly address: string | null;
  readonly rtpPort: number;
  /** Equal to rtpPort with rtcp-mux. Null: there is no port that RTCP could be sent to. */
  readonly rtcpPort: number | null;
  readonly codec: CodecName;
  /** The peer's number for the codec. */
  readonly sendPayloadType: number;
  /** Our number for it. */
  readonly receivePayloadType: number;
  /** Our numbers for the other codecs that were agreed on: the peer may change to them at any time (RFC 3264, 7). */
  readonly otherPayloadTypes: readonly number[];
  /** How much we put into one packet, as near to the peer's wish as we can: one of PACKET_TIMES_MS. */
  readonly packetMs: number;
  /** As we see it: `sendonly` means that we send. */
  readonly direction: Direction;
};

/** Without a=ptime (RFC 3551, 4.2: default packetization of the codecs we have). */
const DEFAULT_PACKET_MS = 20;

/** `side`: whether the offer or the answer is ours. */
export function negotiated(offer: string, answer: string, side: 'OFFERER' | 'ANSWERER'): NegotiatedAudio | SdpFault {
  const offered = parseSdp(offer);
  if (isSdpFault(offered)) return offered;
  const answered = parseSdp(answer);
  if (isSdpFault(answered)) return answered;
  if (offered.media.length !== answered.media.length) {
    return sdpFault('MISMATCH', `${offered.media.length} streams offered, ${answered.media.length} answered`);
  }
  let problem = sdpFault('NO_AUDIO', 'no audio stream was offered');
  for (const [index, theirs] of offered.media.entries()) {
    if (theirs.kind !== 'audio' || theirs.port === 0) continue;
    const reply = answered.media[index] as MediaDescription;
    const result = side === 'OFFERER' ? agree(theirs, reply, reply) : agree(reply, theirs, reply);
    if (!isSdpFault(result)) return result;
    problem = result;
  }
  return problem;
}

function agree(
  ours: MediaDescription,
  peers: MediaDescription,
  answered: MediaDescription,
): NegotiatedAudio | SdpFault {
  if (answered.kind !== 'audio') return sdpFault('MISMATCH', `audio was offered, ${answered.kind} answered`);
  if (answered.port === 0) return sdpFault('REJECTED', 'the audio stream was turned down');
  const pairs = commonPairs(ours, peers, answered);
  const [pair] = pairs;
  if (pair === undefined) return sdpFault('NO_COMMON_CODEC', 'no codec stands in both offer and answer');
  const direction = directionOf(
    sends(ours.direction) && receives(peers.direction),
    receives(ours.direction) && sends(peers.direction),
  );
  if (peers.address === null) return sdpFault('NO_ADDRESS', 'the peer gave no address (c= line)');
  if (!isNumeric(peers.address)) return sdpFault('NO_ADDRESS', `the peer's media address is a name: ${peers.address}`);
  return {
    address: isUnspecified(peers.address) ? null : peers.address,
    rtpPort: peers.port,
    rtcpPort: rtcpPort(peers, ours.rtcpMux && peers.rtcpMux),
    codec: pair.send.encoding as CodecName,
    sendPayloadType: pair.send.payloadType,
    receivePayloadType: pair.receive.payloadType,
    otherPayloadTypes: pairs.slice(1).map(({ receive }) => receive.payloadType),
    packetMs: packetTimeMs(peers.packetMs ?? DEFAULT_PACKET_MS, peers.maxPacketMs ?? Number.POSITIVE_INFINITY),
    direction,
  };
}

/** By default the one above RTP's (RFC 3550, 11), which 65535 does not have; `a=rtcp:0` names none. */
function rtcpPort(peers: MediaDescription, mux: boolean): number | null {
  const port = mux ? peers.port : (peers.rtcpPort ?? peers.port + 1);
  return port >= 1 && port <= 65_535 ? port : null;
}

/** An address rather than a name, which RFC 8866 allows but nobody can send to without asking DNS. */
const isNumeric = (address: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i.test(address);

/** The audio codecs of the answer that the offer has as well, in the answer's order: both ends come to the same. */
function commonPairs(
  ours: MediaDescription,
  peers: MediaDescription,
  answered: MediaDescription,
): { send: PayloadFormat; receive: PayloadFormat }[] {
  const pairs: { send: PayloadFormat; receive: PayloadFormat }[] = [];
  for (const format of answered.formats) {
    if (format.encoding !== 'PCMU' && format.encoding !== 'PCMA') continue;
    const send = peers.formats.find((one) => sameCodec(one, format));
    const receive = ours.formats.find((one) => sameCodec(one, format));
    if (send !== undefined && receive !== undefined) pairs.push({ send, receive });
  }
  return pairs;
}
