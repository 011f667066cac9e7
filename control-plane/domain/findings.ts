/** What a call and its streams give away, by name: rows of tables, each a question to the call or to one stream. Pure. */
import type { EndpointStream, StreamFinding } from '../contract/endpoint.ts';
import type { FINDINGS } from '../contract/words.ts';
import { isPrivateAddress } from './private-address.ts';

type Stream = EndpointStream;
type Name = (typeof FINDINGS)[number];

/** What is known of a call beside its streams, once it is over. */
export type CallEvidence = {
  /** In order of time, as far as they are kept. */
  readonly messages: readonly {
    readonly method: string;
    /** 0: a request. */
    readonly status: number;
    readonly sent: boolean;
    readonly retransmission: boolean;
    readonly peer: string;
  }[];
  readonly timeToFirstMediaMs: number | null;
  readonly streams: readonly Stream[];
  /** Of the other end, where it is one of ours. */
  readonly peerStreams: readonly Stream[];
};

/** Undefined: it is not so. */
type Ask<T> = (of: T) => string | undefined;

/** So long after the answer people have said "hello?" twice. */
const FIRST_MEDIA_LATE_MS = 1000;
/** One lost datagram is sent again once or twice; more is a pattern. */
const RETRANSMISSIONS = 3;

const CALL: Readonly<Partial<Record<Name, Ask<CallEvidence>>>> = {
  MISSING_ACK: ({ messages }) => {
    const bare = messages.find(
      (m, i) => isAnswer(m) && !m.retransmission && !acknowledged(messages.slice(i + 1), m.sent),
    );
    if (!bare) return undefined;
    return bare.sent
      ? `The ${bare.status} to INVITE was sent, and no ACK came (RFC 3261, 13.3.1.4).`
      : `The ${bare.status} to INVITE came, and no ACK was sent (RFC 3261, 13.2.2.4).`;
  },
  SIP_RETRANSMISSIONS: ({ messages }) => {
    const again = messages.filter((m) => m.retransmission);
    if (again.length < RETRANSMISSIONS) return undefined;
    const sent = again.filter((m) => m.sent).length;
    return `${sent} messages were sent again and ${again.length - sent} came again: somewhere on the way they are lost, or answered late.`;
  },
  FIRST_MEDIA_LATE: ({ timeToFirstMediaMs: ms }) =>
    ms !== null && ms > FIRST_MEDIA_LATE_MS
      ? `The first packet came ${Math.round(ms)} ms after the answer: until then the line was dead.`
      : undefined,
  CODEC_ASYMMETRY: ({ streams, peerStreams }) => {
    const [own, peer] = [codecs(streams), codecs(peerStreams)];
    if (own === '' || peer === '' || own === peer) return undefined;
    return `This end speaks ${own}, the other ${peer}: somebody between them transcodes.`;
  },
  NAT_MISMATCH: ({ messages, streams }) => {
    const peers = messages.map((m) => hostOf(m.peer));
    const inside = streams.find((s) => isPrivateAddress(hostOf(s.remote)));
    if (!inside || peers.length === 0 || peers.some(isPrivateAddress)) return undefined;
    return `Media go to ${inside.remote}, which is private, and signalling to ${peers[0]}, which is not: the far end described itself by an address behind its NAT.`;
  },
  DIGITS_LOST: ({ streams, peerStreams }) => {
    const sent = streams.map((s) => s.digits?.sent ?? '').join('');
    const heard = peerStreams.filter((s) => s.digits !== null);
    const received = heard.map((s) => s.digits?.received ?? '').join('');
    if (sent === '' || heard.length === 0 || received === sent) return undefined;
    return `The keys ${sent} were pressed, and ${received === '' ? 'none' : received} arrived at the other end (RFC 4733).`;
  },
};

type Message = CallEvidence['messages'][number];

const isAnswer = (m: Message): boolean => m.method === 'INVITE' && m.status >= 200 && m.status < 300;

/** The other way, before the next INVITE. */
function acknowledged(after: readonly Message[], answerWasSent: boolean): boolean {
  for (const m of after) {
    if (m.method === 'ACK' && m.sent !== answerWasSent) return true;
    if (m.method === 'INVITE' && m.status === 0 && !m.retransmission) return false;
  }
  return false;
}

const codecs = (streams: readonly Stream[]): string =>
  streams
    .filter((s) => s.video === null)
    .map((s) => s.codec)
    .join(', ');

/** `192.0.2.1:5060`, `[2001:db8::1]:5060` */
const hostOf = (place: string): string => /^\[([^\]]+)\]|^([^:]+)/.exec(place)?.slice(1).find(Boolean) ?? '';

type Question = {
  readonly isFound: (s: Stream) => boolean;
  readonly message: (s: Stream) => string;
};

/** Shares of packets that came too late, above which it is said. */
const LATE_SHARE = 0.01;
const KEYED = new Set(['SDES', 'DTLS']);

const STREAM: Readonly<Partial<Record<Name, Question>>> = {
  ONE_WAY_AUDIO: {
    isFound: (s) => s.oneWayAudio === 'NO_RTP',
    message: (s) => `${s.send.packets} packets were sent, and none came back.`,
  },
  SILENT_AUDIO: {
    isFound: (s) => s.oneWayAudio === 'SILENT',
    message: () => 'Packets came, and every one that was heard into was silent.',
  },
  NOT_ENCRYPTED: {
    isFound: (s) => s.security !== null && !KEYED.has(s.security.state),
    message: (s) => `Encryption was agreed and never came about: ${s.security?.state}.`,
  },
  SRTP_AUTHENTICATION_FAILED: {
    isFound: (s) => (s.security?.authFailed ?? 0) > 0,
    message: (s) => `${s.security?.authFailed} packets were not of the agreed keys, and were dropped.`,
  },
  LATE_MEDIA: {
    isFound: (s) => s.receive.expected > 0 && (s.receive.discarded ?? 0) / s.receive.expected > LATE_SHARE,
    message: (s) => `${s.receive.discarded ?? 0} of ${s.receive.expected} packets came too late for a buffer of 60 ms.`,
  },
  UNEXPECTED_PAYLOAD_TYPE: {
    isFound: (s) => (s.receive.unexpectedPayloadTypes ?? 0) > 0,
    message: (s) => `${s.receive.unexpectedPayloadTypes} packets had a payload type that was not agreed.`,
  },
  NAT_FOLLOWED: {
    isFound: (s) => (s.nat?.followed ?? 0) > 0,
    message: (s) => `Media came from elsewhere than was described; the stream followed it to ${s.remote}.`,
  },
  RECEIVE_DROPS: {
    isFound: (s) => (s.receive.receiveDrops ?? 0) > 0,
    message: (s) => `The agent's own host dropped ${s.receive.receiveDrops} packets: they stand among the lost.`,
  },
};

/** Of the call first, then in the order of the streams. `call` is null while it goes on. */
export const findingsOf = (streams: readonly Stream[], call: CallEvidence | null = null): StreamFinding[] => [
  ...(call === null ? [] : Object.entries(CALL)).flatMap(([finding, ask]) => {
    const message = ask(call as CallEvidence);
    return message === undefined ? [] : [{ finding: finding as Name, stream: null, message }];
  }),
  ...streams.flatMap((s) =>
    Object.entries(STREAM)
      .filter(([, { isFound }]) => isFound(s))
      .map(([finding, { message }]) => ({ finding: finding as Name, stream: s.stream, message: message(s) })),
  ),
];
