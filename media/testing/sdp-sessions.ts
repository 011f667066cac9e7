/** Sessions of one audio stream, and their descriptions, in a flat form. */
import { answerAgain as answerLater, offerAgain as offerLater } from '../sdp/answer.ts';
import type { LocalAudio, LocalSession } from '../sdp/local.ts';
import { negotiated } from '../sdp/negotiated.ts';
import { parseSdp } from '../sdp/parse.ts';
import { recall } from '../sdp/recall.ts';
import { type Direction, isSdpFault, type SdpFault, type SessionDescription } from '../sdp/session-description.ts';

/** An endpoint with one audio stream, in a flat form. */
export type One = Pick<LocalAudio, 'rtpPort' | 'rtcpPort' | 'codecs' | 'packetMs' | 'direction'> &
  Pick<LocalSession, 'address' | 'rtcpMux' | 'sessionId' | 'version'>;

export const session = ({ address, rtcpMux, sessionId, version, ...audio }: One): LocalSession => ({
  address,
  rtcpMux,
  sessionId,
  version,
  security: { mode: 'NONE' },
  feedbackProfile: 'AVP',
  streams: [{ kind: 'AUDIO', keys: [], telephoneEvent: false, ...audio }],
});

const ONE: One = {
  address: '192.0.2.1',
  rtpPort: 4000,
  rtcpPort: 4001,
  rtcpMux: false,
  codecs: ['PCMU', 'PCMA'],
  packetMs: 20,
  direction: 'sendrecv',
  sessionId: '3000',
  version: '1',
};

export const one = (more: Partial<One> = {}): LocalSession => session({ ...ONE, ...more });

export const peer = (more: Partial<One> = {}): LocalSession =>
  one({ address: '192.0.2.2', rtpPort: 5000, rtcpPort: 5001, sessionId: '9', ...more });

export const LOCAL = one();

export const PEER = peer();

export const answerAgain = (current: string, offer: string, wanted: Direction): string | SdpFault => {
  const local = recall(current, wanted);
  return isSdpFault(local) ? local : answerLater(current, offer, local);
};

export const offerAgain = (current: string, wanted: Direction): string | SdpFault => {
  const local = recall(current, wanted);
  return isSdpFault(local) ? local : offerLater(current, local);
};

export const sdp = (...lines: string[]): string =>
  ['v=0', 'o=peer 1 1 IN IP4 192.0.2.9', 's=-', 't=0 0', ...lines, ''].join('\r\n');

export function parsed(text: string): SessionDescription {
  const result = parseSdp(text);
  if (isSdpFault(result)) throw new Error(result.reason);
  return result;
}

export function textOf(result: string | SdpFault): string {
  if (isSdpFault(result)) throw new Error(result.reason);
  return result;
}

/** The negotiated parameters of the one audio stream. */
export function agreed(offer: string, answer: string, side: 'OFFERER' | 'ANSWERER') {
  const result = negotiated(offer, answer, side);
  if (isSdpFault(result)) throw new Error(result.reason);
  const [stream, ...more] = result;
  if (stream?.format.kind !== 'AUDIO' || more.length > 0) throw new Error('not one audio stream');
  const {
    format,
    index: _,
    localPort: __,
    security: ___,
    reducedSize: ____,
    mid: ______,
    extendedReports: _____,
    ...rest
  } = stream;
  return { ...rest, ...format };
}
