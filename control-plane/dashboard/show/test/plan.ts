/** What a simple test asks of hosts and networks, before it runs. */

/** Payload of 20 ms, in bytes; Opus as the agents send it. */
const PAYLOAD_BYTES: Readonly<Record<string, number>> = { PCMU: 160, PCMA: 160, G722: 160, OPUS: 80 };
/** RTP, UDP, IPv4 and Ethernet around each packet. */
const HEADER_BYTES = 12 + 8 + 20 + 18;
const PACKETS_PER_SECOND = 50;
/** A control plane that nobody told otherwise gives a run so long beyond its calls. */
const SPARE_SECONDS = 120;

export type Simple = {
  readonly calls: number;
  readonly buildup: number;
  readonly durationSeconds: number;
  readonly codec: string;
  /** null: no media. */
  readonly source: string | null;
  /** Callees are endpoints of ours, too. */
  readonly ownCallees: boolean;
};

export type LoadEstimate = {
  readonly callsPerSecond: number;
  readonly concurrentCalls: number;
  /** Endpoints at work at the same time; setting up and hanging up come on top. */
  readonly atOnce: number;
  readonly bitsPerSecondEachWay: number;
  readonly ports: number;
  readonly seconds: number;
  readonly atMostSeconds: number;
};

export function planOf({ calls, buildup, durationSeconds, codec, source, ownCallees }: Simple): LoadEstimate {
  const callsPerSecond = buildup === 0 ? calls : calls / buildup;
  const concurrentCalls = Math.min(calls, Math.ceil(callsPerSecond * durationSeconds));
  const withMedia = source === null ? 0 : concurrentCalls;
  return {
    callsPerSecond,
    concurrentCalls,
    atOnce: concurrentCalls * (ownCallees ? 2 : 1),
    bitsPerSecondEachWay: withMedia * ((PAYLOAD_BYTES[codec] ?? 160) + HEADER_BYTES) * 8 * PACKETS_PER_SECOND,
    // RTP and RTCP of every call that goes on, at every end that is ours.
    ports: withMedia * 2 * (ownCallees ? 2 : 1),
    seconds: buildup + durationSeconds,
    atMostSeconds: buildup + durationSeconds + SPARE_SECONDS,
  };
}
