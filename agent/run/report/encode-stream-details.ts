/** Converts the details of a stream's record to the wire. */
import type { wire } from '@carillon/proto';
import { STREAM_DETAIL_NAMES, type StreamDetailName } from '@carillon/proto/figures/stream-details.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';

type V1 = typeof wire.agent.v1;
type Encodable<K extends keyof V1> = V1[K] extends { encode(message: infer T, ...rest: never[]): unknown } ? T : never;

/** Limits a share to 0 to 1: a stream whose last packets arrive while it is read may have missed more than it expected. */
const share = (density: number): number => Math.min(1, Math.max(0, density));

const values = (r: StreamRecord) =>
  Object.fromEntries(STREAM_DETAIL_NAMES.map((name) => [name, r[name]])) as Pick<StreamRecord, StreamDetailName>;

export const streamDetails = (r: StreamRecord, offsetMs: number): Encodable<'StreamDetails'> => ({
  ...values(r),
  emodelVariant: r.emodelVariant,
  delaySource: r.delaySource,
  delayVariation: r.delayVariation,
  bursts: { ...r.bursts, burstDensity: share(r.bursts.burstDensity), gapDensity: share(r.bursts.gapDensity) },
  // Video has no such buffer: its frames are not played out packet by packet.
  ...(r.video === null && { fixed: r.fixed, adaptive: r.adaptive }),
  foreign: r.foreign,
  followed: r.followed,
  ...(r.audio && { sound: { ...r.audio, levelDbov: r.audio.levelDbov ?? Number.NaN } }),
  oneWayAudio: r.oneWayAudio ?? '',
  remoteXr: r.remoteXr,
  digitsSent: r.digitsSent,
  digitsReceived: r.digitsReceived,
  dscp: r.dscp,
  injected: r.injected,
  ...(r.security !== 'NONE' && {
    security: {
      state: r.security,
      suite: r.srtpSuite === 'NONE' ? '' : r.srtpSuite,
      handshakeMs: r.handshakeMs,
      authFailed: r.srtpAuthFailed,
      replayed: r.srtpReplayed,
      early: r.srtpEarly,
    },
  }),
  ...(r.ice !== null && {
    ice: { ...r.ice, localType: r.ice.localType ?? '', remoteType: r.ice.remoteType ?? '' },
  }),
  video: r.video,
  ...(r.absence.awaitedMs > 0 && {
    absence: {
      awaitedMs: r.absence.awaitedMs,
      absentMs: r.absence.absentMs,
      pausedMs: r.absence.pausedMs,
      sparseMs: r.absence.sparseMs,
      pauses: r.absence.pauses,
      longestPauseMs: r.absence.longestPauseMs,
      headMs: r.absence.headMs,
      gaps: r.absence.gaps,
      longestGapMs: r.absence.longestMs,
      longestGapUnixMs: Number.isNaN(r.absence.longestAtMs) ? 0 : r.absence.longestAtMs + offsetMs,
      tailMs: r.absence.tailMs,
    },
  }),
});

/** Details of a stream, encoded for the run's figures. */
export const figureDetails = ({
  longestGapMs,
  digitsSent,
  digitsReceived,
  absence,
}: StreamRecord): Encodable<'StreamDetails'> => ({
  longestGapMs,
  digitsSent,
  digitsReceived,
  ...(absence.awaitedMs > 0 && {
    absence: {
      awaitedMs: absence.awaitedMs,
      absentMs: absence.absentMs,
      pausedMs: absence.pausedMs,
      headMs: absence.headMs,
      tailMs: absence.tailMs,
    },
  }),
});
