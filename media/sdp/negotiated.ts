/** What offer and answer agreed on, seen from one end (RFC 3264, 5.1, 6.1 and 7). */
import type { CodecName } from './offer.ts';
import { parseSdp } from './parse.ts';
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
  /** Where we send: numeric. */
  readonly address: string;
  readonly rtpPort: number;
  /** Equal to rtpPort with rtcp-mux. */
  readonly rtcpPort: number;
  readonly codec: CodecName;
  /** The peer's number for the codec. */
  readonly sendPayloadType: number;
  /** Our number for it. */
  readonly receivePayloadType: number;
  /** What the peer wants in one packet of ours. */
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
  const pair = commonPair(ours, peers, answered);
  if (pair === null) return sdpFault('NO_COMMON_CODEC', 'no codec stands in both offer and answer');
  const direction = directionOf(
    sends(ours.direction) && receives(peers.direction),
    receives(ours.direction) && sends(peers.direction),
  );
  if (peers.address === null) return sdpFault('NO_ADDRESS', 'the peer gave no address (c= line)');
  if (!isNumeric(peers.address)) return sdpFault('NO_ADDRESS', `the peer's media address is a name: ${peers.address}`);
  const mux = ours.rtcpMux && peers.rtcpMux;
  return {
    address: peers.address,
    rtpPort: peers.port,
    rtcpPort: mux ? peers.port : (peers.rtcpPort ?? peers.port + 1),
    codec: pair.send.encoding as CodecName,
    sendPayloadType: pair.send.payloadType,
    receivePayloadType: pair.receive.payloadType,
    packetMs: Math.min(peers.packetMs ?? DEFAULT_PACKET_MS, peers.maxPacketMs ?? Number.POSITIVE_INFINITY),
    direction,
  };
}

/** An address rather than a name, which RFC 8866 allows but nobody can send to without asking DNS. */
const isNumeric = (address: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i.test(address);

/** The first audio codec of the answer that the offer has as well: both ends come to the same. */
function commonPair(
  ours: MediaDescription,
  peers: MediaDescription,
  answered: MediaDescription,
): { send: PayloadFormat; receive: PayloadFormat } | null {
  for (const format of answered.formats) {
    if (format.encoding !== 'PCMU' && format.encoding !== 'PCMA') continue;
    const send = peers.formats.find((one) => sameCodec(one, format));
    const receive = ours.formats.find((one) => sameCodec(one, format));
    if (send !== undefined && receive !== undefined) return { send, receive };
  }
  return null;
}
