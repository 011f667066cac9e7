/** What a simple test asks of hosts and networks, before it runs. */
import { type Arrivals, arrivalsOf, type LoadDraft } from '../drafts/load-draft.ts';

/** Payload of 20 ms, in bytes; Opus as the agents send it. */
const PAYLOAD_BYTES: Readonly<Record<string, number>> = { PCMU: 160, PCMA: 160, G722: 160, OPUS: 80 };
/** RTP, UDP, IPv4 and Ethernet around each packet. */
const HEADER_BYTES = 12 + 8 + 20 + 18;
const PACKETS_PER_SECOND = 50;
/** A control plane that nobody told otherwise gives a run so long beyond its calls. */
const SPARE_SECONDS = 120;

export type Simple = LoadDraft & {
  /** The first is what is sent. */
  readonly codecs: readonly string[];
  /** null: no media. */
  readonly source: string | null;
  /** Callees are endpoints of ours, too. */
  readonly ownCallees: boolean;
};

export type LoadEstimate = Arrivals & {
  readonly concurrentCalls: number;
  /** Of a hundred calls at the highest rate, so many would find no endpoint free. */
  readonly droppedPercent: number;
  /** So many calls at once would take none to be dropped. */
  readonly neededAtOnce: number;
  /** Endpoints at work at the same time; setting up and hanging up come on top. */
  readonly atOnce: number;
  readonly bitsPerSecondEachWay: number;
  readonly ports: number;
  /** From the first call to the end of the last; null: nobody says where the load ends. */
  readonly lastsSeconds: number | null;
  readonly atMostSeconds: number | null;
};

export function planOf({ codecs: [codec = ''], source, ownCallees, ...draft }: Simple): LoadEstimate {
  const { endpoints, callsEach, load, durationSeconds } = draft;
  const arrivals = arrivalsOf(draft);
  const neededAtOnce = Math.ceil(arrivals.perSecond * durationSeconds);
  const concurrentCalls = Math.min(endpoints, neededAtOnce, arrivals.calls ?? endpoints);
  // What each place once, or are held up, finds its endpoint free.
  const mayDrop = callsEach !== 1 && load.shape !== 'CONCURRENCY' && neededAtOnce > endpoints;
  const withMedia = source === null ? 0 : concurrentCalls;
  const lastsSeconds = arrivals.seconds === null ? null : arrivals.seconds + durationSeconds;
  return {
    ...arrivals,
    concurrentCalls,
    droppedPercent: mayDrop ? 100 * (1 - endpoints / neededAtOnce) : 0,
    neededAtOnce,
    atOnce: concurrentCalls * (ownCallees ? 2 : 1),
    bitsPerSecondEachWay: withMedia * ((PAYLOAD_BYTES[codec] ?? 160) + HEADER_BYTES) * 8 * PACKETS_PER_SECOND,
    // RTP and RTCP of every call that goes on, at every end that is ours.
    ports: withMedia * 2 * (ownCallees ? 2 : 1),
    lastsSeconds,
    atMostSeconds: lastsSeconds === null ? null : lastsSeconds + SPARE_SECONDS,
  };
}
