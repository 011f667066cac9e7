/** What a simple test requires of hosts and networks, before it runs. */
import { streamBitsPerSecond } from '@carillon/media/codec/audio-codecs.ts';
import { callsAtRate, portsOfCall } from '@carillon/proto/load/estimate.ts';
import { waits } from '@carillon/proto/load/shapes/shapes.ts';
import { longestExecution } from '../../../../contract/test-settings/longest.ts';
import { type Arrivals, arrivalsOf, type LoadDraft } from '../drafts/load-draft.ts';
import type { Draft } from '../drafts/test-draft.ts';

export type Simple = Pick<Draft, keyof LoadDraft | 'group' | 'video' | 'maxExecutionSeconds'> & {
  /** Null: no media. */
  readonly source: string | null;
  /** True: callees are endpoints of ours, too. */
  readonly ownCallees: boolean;
};

export type LoadEstimate = Arrivals & {
  readonly concurrentCalls: number;
  /** The percentage of calls that would find no free endpoint at the highest rate. */
  readonly droppedPercent: number;
  /** The number of simultaneous calls at which no call would be dropped. */
  readonly neededAtOnce: number;
  /** The number of endpoints at work at the same time. Set-up and hang-up are not included. */
  readonly atOnce: number;
  readonly bitsPerSecondEachWay: number;
  readonly ports: number;
  /** The time from the first call to the end of the last; null: the end of the load is not defined. */
  readonly lastsSeconds: number | null;
  /** The time after which the run is ended, unless the plan allows less; null: it is not known either. */
  readonly atMostSeconds: number | null;
};

export function estimateOf({ group, video, source, ownCallees, maxExecutionSeconds, ...draft }: Simple): LoadEstimate {
  const { endpoints, callsEach, load, durationSeconds } = draft;
  // The first codec is the one that is sent.
  const [codec = ''] = group.audioCodecs;
  const arrivals = arrivalsOf(draft);
  const neededAtOnce = callsAtRate(arrivals.perSecond, durationSeconds);
  const concurrentCalls = Math.min(endpoints, neededAtOnce, arrivals.calls ?? endpoints);
  // An endpoint is always free if each places one call, or if calls wait.
  const mayDrop = callsEach !== 1 && !waits(load) && neededAtOnce > endpoints;
  const withMedia = source === null ? 0 : concurrentCalls;
  const lastsSeconds = arrivals.seconds === null ? null : arrivals.seconds + durationSeconds;
  return {
    ...arrivals,
    concurrentCalls,
    droppedPercent: mayDrop ? 100 * (1 - endpoints / neededAtOnce) : 0,
    neededAtOnce,
    atOnce: concurrentCalls * (ownCallees ? 2 : 1),
    bitsPerSecondEachWay: withMedia * streamBitsPerSecond(codec),
    ports: withMedia * portsOfCall({ tracks: video ? 2 : 1, rtcpMux: group.rtcpMux, hasBothEnds: ownCallees }),
    lastsSeconds,
    atMostSeconds:
      arrivals.seconds === null
        ? maxExecutionSeconds
        : longestExecution({ maxExecutionSeconds, groups: [group] }, arrivals.seconds, durationSeconds),
  };
}
