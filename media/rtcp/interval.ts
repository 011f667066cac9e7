/** The interval of RTCP reports: RFC 3550, 6.2, 6.3.1 and A.7. */

/** Compensates for timer reconsideration, which converges below the intended bandwidth: e - 3/2. */
const COMPENSATION = Math.E - 1.5;

const SENDERS_SHARE = 0.25;

export type RtcpSession = {
  readonly members: number;
  readonly senders: number;
  readonly weSent: boolean;
  /** The mean size of a compound packet, including UDP and IP headers. */
  readonly averageBytes: number;
  /** The session's RTCP bandwidth: 5 % of its bandwidth (6.2). */
  readonly rtcpBytesPerSecond: number;
  /** True until our first packet was sent: until then half of the minimum suffices. */
  readonly initial: boolean;
  /** Tmin: 5000 unless both ends agree on less (6.2). */
  readonly minimumMs: number;
};

/** Td in milliseconds: the interval before it is randomized; also the unit of member timeouts (6.3.5). */
export function deterministicIntervalMs(s: RtcpSession): number {
  const minimumMs = s.initial ? s.minimumMs / 2 : s.minimumMs;
  let sharing = s.members;
  let bytesPerSecond = s.rtcpBytesPerSecond;
  if (s.senders <= s.members * SENDERS_SHARE) {
    sharing = s.weSent ? s.senders : s.members - s.senders;
    bytesPerSecond *= s.weSent ? SENDERS_SHARE : 1 - SENDERS_SHARE;
  }
  return Math.max(minimumMs, ((s.averageBytes * sharing) / bytesPerSecond) * 1000);
}

/** T: Td multiplied by 0.5 to 1.5, by `random` (0 to 1), so that participants do not synchronize. */
export const reportIntervalMs = (s: RtcpSession, random: number): number =>
  (deterministicIntervalMs(s) * (random + 0.5)) / COMPENSATION;

/** The mean after one more compound packet, sent or received (6.3.3). */
export const averageRtcpBytes = (average: number, bytes: number): number => average + (bytes - average) / 16;
