/** An endpoint's streams as its session descriptions name them. Keys of SDES are drawn here, once for a call, and are in no log. */
import { randomBytes } from 'node:crypto';
import { KEY_SALT_BYTES, SRTP_SUITES } from '@carillon/media/sdp/crypto-line.ts';
import type { FeedbackProfile, LocalSecurity, LocalSession, LocalStream } from '@carillon/media/sdp/local.ts';
import type { SrtpKey } from '@carillon/media/sdp/stream-format.ts';
import type { Fingerprint } from '../../rtp/media-engine.ts';
import type { GroupPlan, TrackPlan, WithoutMediaPlan } from '../plan.ts';

export const DIRECTIONS = { BOTH: 'sendrecv', SEND: 'sendonly', RECEIVE: 'recvonly' } as const;
/** Discard: a line that is on needs a port, and nobody listens on these. */
const NO_PORTS = { rtpPort: 9, rtcpPort: 10 } as const;
const NO_PACKET_MS = 20;

type SessionOptions = {
  readonly group: GroupPlan;
  readonly address: string;
  readonly sessionId: string;
  readonly fingerprint: Fingerprint | null;
};

/** Our end of an endpoint's session. */
export function localSession(options: SessionOptions): LocalSession {
  const { group, address, sessionId } = options;
  return {
    address,
    sessionId,
    version: '1',
    // A second handshake for RTCP would cost a second of everything (RFC 5764, 5.1.1).
    rtcpMux: group.rtcpMux || group.encryption === 'DTLS',
    security: securityOf(options),
    feedbackProfile: feedbackProfileOf(group),
    streams: localStreams(group),
  };
}

/** DTLS: what browsers offer (RFC 8834, 5.1.1), and some of their servers insist on. */
export const feedbackProfileOf = ({ encryption, feedbackProfile }: GroupPlan): FeedbackProfile =>
  encryption === 'DTLS' || feedbackProfile === 'AVPF' ? 'AVPF' : 'AVP';

function securityOf({ group, fingerprint }: SessionOptions): LocalSecurity {
  if (group.encryption !== 'DTLS') return { mode: group.encryption };
  // Without a certificate no allocation gets this far (decode-allocation.ts).
  return { mode: 'DTLS', fingerprint: fingerprint as Fingerprint };
}

/** The same for somebody else: with keys of their own, and a handshake in either role. */
export const withOtherKeys = (local: LocalSession): LocalSession => ({
  ...local,
  streams: local.streams.map((one) => ({
    ...one,
    dtlsRole: null,
    keys: local.security.mode === 'SDES' ? drawKeys() : [],
  })),
});

/** One for each track; they have ports once they are open. */
const localStreams = (group: GroupPlan): LocalStream[] =>
  group.withoutMedia !== null
    ? [inactiveStream(group, group.withoutMedia)]
    : group.tracks.map((track) => localStream(group, track));

const keysOf = ({ encryption }: GroupPlan): SrtpKey[] => (encryption === 'SDES' ? drawKeys() : []);

const inactiveStream = (group: GroupPlan, { codecs }: WithoutMediaPlan): LocalStream => ({
  kind: 'AUDIO',
  ...NO_PORTS,
  direction: 'inactive',
  keys: keysOf(group),
  codecs,
  packetMs: NO_PACKET_MS,
  telephoneEvent: false,
});

function localStream(group: GroupPlan, track: TrackPlan): LocalStream {
  const end = { ...NO_PORTS, direction: DIRECTIONS[track.direction], keys: keysOf(group) };
  return track.kind === 'AUDIO'
    ? { kind: 'AUDIO', ...end, codecs: track.codecs, packetMs: track.packetMs, telephoneEvent: group.telephoneEvent }
    : { kind: 'VIDEO', ...end, codecs: track.codecs, h264: track.h264 };
}

const drawKeys = (): SrtpKey[] =>
  SRTP_SUITES.map((suite) => ({ suite, keySalt: randomBytes(KEY_SALT_BYTES[suite]).toString('base64') }));
