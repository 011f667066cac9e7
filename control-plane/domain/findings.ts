/** What an endpoint's streams give away, by name: rows of a table, each a question to one stream. Pure. */
import type { EndpointStream, StreamFinding } from '../contract/endpoint.ts';
import type { FINDINGS } from '../contract/words.ts';

type Stream = EndpointStream;
type Question = {
  readonly isFound: (s: Stream) => boolean;
  readonly message: (s: Stream) => string;
};

/** Shares of packets that came too late, above which it is said. */
const LATE_SHARE = 0.01;
const KEYED = new Set(['SDES', 'DTLS']);

const TABLE: Readonly<Record<(typeof FINDINGS)[number], Question>> = {
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

/** In the order of the streams, then of the table. */
export const findingsOf = (streams: readonly Stream[]): StreamFinding[] =>
  streams.flatMap((s) =>
    (Object.keys(TABLE) as (keyof typeof TABLE)[])
      .filter((finding) => TABLE[finding].isFound(s))
      .map((finding) => ({ finding, stream: s.stream, message: TABLE[finding].message(s) })),
  );
