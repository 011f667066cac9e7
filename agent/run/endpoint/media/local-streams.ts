/**
 * An endpoint's streams for its session descriptions. SDES keys are generated here, once per call, and never logged.
 */
import { randomBytes } from 'node:crypto';
import { localCandidates } from '@carillon/media/ice/candidate.ts';
import { KEY_SALT_BYTES, SRTP_SUITES } from '@carillon/media/sdp/crypto-line.ts';
import type { FeedbackProfile, LocalSecurity, LocalSession, LocalStream } from '@carillon/media/sdp/local.ts';
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import { type Direction, directionOf, sends } from '@carillon/media/sdp/session-description.ts';
import type { SrtpKey } from '@carillon/media/sdp/stream-format.ts';
import type { Fingerprint, MediaStream } from '../../../rtp/media-engine.ts';
import { shortLivedCname } from '../../../rtp/rtcp/cname.ts';
import type { GroupPlan, TrackPlan, WithoutMediaPlan } from '../../plan.ts';
import { namedFor } from './shared-transport.ts';

const DIRECTIONS = { BOTH: 'sendrecv', SEND: 'sendonly', RECEIVE: 'recvonly' } as const;
export const STREAM_DIRECTIONS = { sendrecv: 'BOTH', sendonly: 'SEND', recvonly: 'RECEIVE', inactive: 'NONE' } as const;
/** Port 9 (discard): an active line needs a port, although none is open. */
const NO_PORTS = { rtpPort: 9, rtcpPort: 10 } as const;
const NO_PACKET_MS = 20;

/** The direction that an endpoint wants for a stream: inactive before activation, if it waits for that. */
export function wantedDirection(
  { kind, direction, deferred }: Pick<TrackPlan, 'kind' | 'direction' | 'deferred'>,
  activated: ReadonlySet<TrackPlan['kind']> | null,
  holds: boolean,
): Direction {
  if (deferred && !activated?.has(kind)) return 'inactive';
  const wanted = DIRECTIONS[direction];
  // A holding end asks for no media, and may continue to send (RFC 3264, 8.4).
  return holds ? directionOf(sends(wanted), false) : wanted;
}

export type SessionOptions = {
  readonly group: GroupPlan;
  /** The numeric address on which the streams listen. */
  readonly address: string;
  readonly sessionId: string;
  /** The fingerprint of the agent's certificate; null: there is no certificate. */
  readonly fingerprint: Fingerprint | null;
};

/** Our end of an endpoint's session. */
export function localSession(options: SessionOptions): LocalSession {
  const { group, address, sessionId } = options;
  return {
    address,
    sessionId,
    version: '1',
    // A second handshake for RTCP, or a second ICE check, would double all costs (RFC 5764, 5.1.1).
    rtcpMux: group.rtcpMux || group.encryption === 'DTLS' || group.ice !== null,
    bundle: isBundled(group),
    security: securityOf(options),
    feedbackProfile: feedbackProfileOf(group),
    streams: localStreams(group, isBundled(group) ? shortLivedCname() : null),
  };
}

/** The format that browsers use, with streams distinguished by kind. */
const isBundled = ({ encryption, ice, tracks }: GroupPlan): boolean =>
  encryption === 'DTLS' && ice !== null && new Set(tracks.map(({ kind }) => kind)).size === tracks.length;

/** The feedback profile for DTLS: browsers offer it (RFC 8834, 5.1.1), and some of their servers insist on it. */
export const feedbackProfileOf = ({ encryption, feedbackProfile }: GroupPlan): FeedbackProfile =>
  encryption === 'DTLS' || feedbackProfile === 'AVPF' ? 'AVPF' : 'AVP';

function securityOf({ group, fingerprint }: SessionOptions): LocalSecurity {
  if (group.encryption !== 'DTLS') return { mode: group.encryption };
  // Without a certificate, an allocation that needs one is refused earlier (decode-allocation.ts).
  return { mode: 'DTLS', fingerprint: fingerprint as Fingerprint };
}

/** The session for another peer: with new keys, and a handshake in either role. */
export const withOtherKeys = (local: LocalSession): LocalSession => ({
  ...local,
  streams: local.streams.map((one) => ({
    ...one,
    dtlsRole: null,
    keys: local.security.mode === 'SDES' ? drawKeys() : [],
    ice: one.ice ? { ...one.ice, ...drawCredentials() } : null,
  })),
});

/** One stream for each track; streams have ports once they are open. */
const localStreams = (group: GroupPlan, cname: string | null): LocalStream[] =>
  group.withoutMedia !== null
    ? [inactiveStream(group, group.withoutMedia)]
    : group.tracks.map((track) => localStream(group, track, cname));

/** The session without media and without ports. */
export const withoutFlow = (local: LocalSession): LocalSession => ({
  ...local,
  streams: local.streams.map((one) => ({ ...one, ...NO_PORTS, direction: 'inactive', ice: null })),
});

/** The stream with the ports of its socket, and their candidates (RFC 8445, 5.1.1). */
export function opened(one: LocalStream, stream: MediaStream | undefined, address: string): LocalStream {
  if (stream === undefined) return one;
  const { rtpPort, rtcpPort, reflexive = null } = stream;
  if (!one.ice) return { ...one, rtpPort, rtcpPort };
  const candidates = localCandidates({ address, port: rtpPort }, reflexive);
  return { ...one, rtpPort, rtcpPort, ice: { ...one.ice, candidates } };
}

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

/**
 * `cname`: the name of streams that may share a transport. Asterisk 22 distinguishes them by the SSRC in the SDP, and
 * drops others.
 */
function localStream(group: GroupPlan, track: TrackPlan, cname: string | null): LocalStream {
  const ice = group.ice && { ...drawCredentials(), lite: false, candidates: [] };
  const sender = cname === null ? null : { ssrc: randomBytes(4).readUInt32BE(), cname };
  const end = { ...NO_PORTS, direction: DIRECTIONS[track.direction], keys: keysOf(group), ice, sender };
  return track.kind === 'AUDIO'
    ? { kind: 'AUDIO', ...end, codecs: track.codecs, packetMs: track.packetMs, telephoneEvent: group.telephoneEvent }
    : { kind: 'VIDEO', ...end, codecs: track.codecs, h264: track.h264 };
}

const drawKeys = (): SrtpKey[] =>
  SRTP_SUITES.map((suite) => ({ suite, keySalt: randomBytes(KEY_SALT_BYTES[suite]).toString('base64') }));

/** RFC 8445, 5.3, asks for 24 and 128 bits. */
const drawCredentials = () => ({
  ufrag: randomBytes(6).toString('base64url').replaceAll(/[-_]/g, '/'),
  pwd: randomBytes(18).toString('base64url').replaceAll(/[-_]/g, '/'),
});

/**
 * Our end if the negotiated session is an ICE restart by the peer, compared with the previous one: with new credentials
 * (RFC 8839, 4.4.1.1.1). Null: no restart.
 */
export function withRestartedIce(
  local: LocalSession,
  before: readonly (NegotiatedStream | null)[],
  agreed: readonly NegotiatedStream[],
): LocalSession | null {
  let isRestart = false;
  const streams = local.streams.map((stream) => {
    const was = namedFor(stream.kind, stream.rtpPort, before)?.ice?.remote;
    const now = namedFor(stream.kind, stream.rtpPort, agreed)?.ice?.remote;
    if (!was || !now || !stream.ice || (was.ufrag === now.ufrag && was.pwd === now.pwd)) return stream;
    isRestart = true;
    return { ...stream, ice: { ...stream.ice, ...drawCredentials() } };
  });
  return isRestart ? { ...local, streams } : null;
}
