/** Negotiated streams: what may be sent, and to which address. Pure. */
import { unplayableH264 } from '@carillon/media/sdp/h264-format.ts';
import type { NegotiatedIce } from '@carillon/media/sdp/ice.ts';
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import { sends } from '@carillon/media/sdp/session-description.ts';
import type { MediaStream, StreamSession, StreamSource } from '../../../rtp/media-engine.ts';
import type { TrackPlan } from '../../plan.ts';
import { STREAM_DIRECTIONS } from './local-streams.ts';
import { namedFor } from './shared-transport.ts';

/** Why digits cannot be sent in the negotiated session; null: they can. */
export function unsendableDigits(agreed: readonly NegotiatedStream[], digits: string): string | null {
  const taken = agreed.map(({ format }) => (format.kind === 'AUDIO' ? format.telephoneEvent : null));
  const events = taken.find((one) => one != null);
  if (!events) return 'digits are to be sent, but the peer does not accept telephone-event (RFC 4733)';
  const unheard = [...digits].find((digit) => events.keys?.includes(digit) === false);
  return unheard === undefined
    ? null
    : `the digit ${unheard} is to be sent, but the peer does not accept it (RFC 4733)`;
}

/** Why a description cannot be used. If it is missing although it was due (RFC 3261, 13.2.1), the reason says so. */
export const problemOf = (problem: string | null, description: string, message: string): string | null =>
  problem !== null && description === '' ? `the ${message} had no session description (RFC 3261, 13.2.1)` : problem;

/** Sending is allowed, and there is a destination. */
export const maySend = ({ direction, address }: NegotiatedStream): boolean => address !== null && sends(direction);

/** Video is not transcoded. Why the peer cannot receive it; null: it can. `streams`: one for each track. */
export function unplayableVideo(
  agreed: readonly NegotiatedStream[],
  tracks: readonly TrackPlan[],
  streams: readonly Pick<MediaStream, 'rtpPort'>[],
): string | null {
  for (const named of agreed) {
    const { format } = named;
    if (format.kind !== 'VIDEO' || format.profileLevelId === undefined || !maySend(named)) continue;
    const track = tracks.find(({ kind }, i) => namedFor(kind, streams[i]?.rtpPort ?? 0, agreed) === named);
    const { profileLevelId, packetizationMode = 0 } = format;
    const problem =
      track?.kind === 'VIDEO' && track.h264 && unplayableH264(track.h264, profileLevelId, packetizationMode);
    if (problem) return problem;
  }
  return null;
}

export const paused = (before: NegotiatedStream | null): NegotiatedStream | null =>
  before === null ? null : { ...before, address: null, direction: 'inactive' };

/** Removes the peer's candidates that the policy forbids. */
const reachableIce = ({ ice }: NegotiatedStream, mayReach: (address: string) => boolean): NegotiatedIce | null =>
  ice && {
    ...ice,
    remote: { ...ice.remote, candidates: ice.remote.candidates.filter(({ address }) => mayReach(address)) },
  };

/** The parameters of a stream from the negotiation. */
export const streamSession = (
  agreed: NegotiatedStream,
  source: StreamSource,
  mayReach: (address: string) => boolean,
  awaitsConsent: boolean,
): StreamSession => ({
  remote:
    agreed.address === null ? null : { address: agreed.address, rtpPort: agreed.rtpPort, rtcpPort: agreed.rtcpPort },
  format: agreed.format,
  source,
  direction: STREAM_DIRECTIONS[agreed.direction],
  ice: reachableIce(agreed, mayReach),
  security: agreed.security,
  reducedSize: agreed.reducedSize,
  extendedReports: agreed.extendedReports,
  awaitsConsent,
});

/** A forbidden address of a stream that has no alternative; null: there is no such address. */
export function forbiddenOf(stream: NegotiatedStream, mayReach: (address: string) => boolean): string | null {
  const { address, ice } = stream;
  const candidates = ice?.remote.candidates ?? [];
  if (candidates.length > 0) return candidates.some((one) => mayReach(one.address)) ? null : candidates[0]!.address;
  return address === null || mayReach(address) ? null : address;
}

const ICE_FAILURES = {
  CHECKING: 'the call ended before ICE found a working pair of candidates (RFC 8445)',
  FAILED: 'ICE found no path to the far end: no pair of candidates answered (RFC 8445)',
  LOST: 'the far end no longer consents to media: it answered no STUN request for 30 s (RFC 7675)',
} as const;

/** ICE finds pairs within this time: a shorter call had no time for it. */
const ICE_PATIENCE_MS = 1000;

/**
 * Why media could not flow in a call of this duration (NaN: not answered); null: they could, or ICE was not negotiated.
 */
export function iceFailureOf(streams: readonly Pick<MediaStream, 'iceState'>[], upMs: number): string | null {
  if (!(upMs >= ICE_PATIENCE_MS)) return null;
  const states = streams.map((stream) => stream.iceState?.() ?? null);
  for (const state of ['FAILED', 'LOST', 'CHECKING'] as const) if (states.includes(state)) return ICE_FAILURES[state];
  return null;
}
