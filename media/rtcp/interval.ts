/** How often RTCP is sent: RFC 3550, 6.2, 6.3.1 and A.7. */

/** Compensates for timer reconsideration, which converges below the intended bandwidth: e - 3/2. */
const COMPENSATION = Math.E - 1.5;

const SENDERS_SHARE = 0.25;

export type RtcpSession = {
  readonly members: number;
  readonly senders: number;
  readonly weSent: boolean;
  /** Mean size of a compound packet, UDP and IP headers included. */
  readonly averageBytes: number;
  /** What the session may spend on RTCP: 5 % of its bandwidth (6.2). */
  readonly rtcpBytesPerSecond: number;
  /** True until our first packet was sent: then half of the minimum will do. */
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

/** T: Td spread over half to one and a half of itself by `random` (0 to 1), so that participants do not fall into step. */
export const reportIntervalMs = (s: RtcpSession, random: number): number =>
  (deterministicIntervalMs(s) * (random + 0.5)) / COMPENSATION;

/** The mean after one more compound packet, sent or received (6.3.3). */
export const averageRtcpBytes = (average: number, bytes: number): number => average + (bytes - average) / 16;
