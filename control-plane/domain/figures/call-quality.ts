/** Call quality from counts over a run's calls. Pure. */
import type { CallQuality } from '../../contract/run/findings.ts';
import { judgedOf } from '../../contract/run/heard-words.ts';

export type QualityCounts = {
  readonly calls: number;
  readonly successful: number;
  readonly inProgress: number;
  /** Planned calls that ended before their INVITE. */
  readonly notPlaced: number;
  readonly answered: number;
  readonly answeredFailed: number;
  readonly soundAsked: number;
  readonly heard: number;
  readonly unreported: number;
  readonly dropped: number;
  readonly awaitedMs: number;
  readonly absentMs: number;
  readonly pausedMs: number;
};

const share = (part: number, whole: number): number => (whole > 0 ? Math.round((part / whole) * 1e8) / 1e6 : 0);
const seconds = (ms: number): number => Math.round(ms) / 1000;

export function callQualityOf(c: QualityCounts): CallQuality {
  const mediaMs = Math.max(0, c.awaitedMs - c.absentMs - c.pausedMs);
  return {
    calls: c.calls,
    successful: c.successful,
    failed: c.calls - c.successful - c.inProgress,
    notPlaced: c.notPlaced,
    answered: c.answered,
    answeredFailed: c.answeredFailed,
    soundAsked: c.soundAsked,
    heard: c.heard,
    unreported: c.unreported,
    dropped: c.dropped,
    talkSeconds: seconds(c.awaitedMs),
    mediaSeconds: seconds(mediaMs),
    absentSeconds: seconds(c.absentMs),
    pausedSeconds: seconds(c.pausedMs),
    successShare: share(c.successful, c.calls - c.inProgress + c.notPlaced),
    heardShare: share(c.heard, judgedOf(c)),
    mediaShare: share(mediaMs, c.awaitedMs),
    callDropRate: share(c.dropped, c.answered),
  };
}
