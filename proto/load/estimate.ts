/** What calls need at the same time. The preflight of a test and its form both estimate with it. Pure. */
import { NEARLY } from './load-step.ts';

/** The number of simultaneous calls at a steady rate, if an endpoint is free for each. */
export const callsAtRate = (callsPerSecond: number, durationSeconds: number): number =>
  Math.ceil(callsPerSecond * durationSeconds - NEARLY);

type CallMedia = {
  /** The number of media lines. */
  readonly tracks: number;
  /** True: RTCP has no port of its own. */
  readonly rtcpMux: boolean;
  /** True: both ends are endpoints of the test. */
  readonly hasBothEnds: boolean;
};

/** The ports of one call at all ends that are endpoints of the test: RTP and RTCP of each track. */
export const portsOfCall = ({ tracks, rtcpMux, hasBothEnds }: CallMedia): number =>
  tracks * (rtcpMux ? 1 : 2) * (hasBothEnds ? 2 : 1);
