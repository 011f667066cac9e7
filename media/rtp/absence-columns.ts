/** The columns that absence.ts keeps for each stream. */
import type { Columns } from './columns.ts';
import { DURATION_COLUMNS } from './packet-duration.ts';

export const ABSENCE_COLUMNS = {
  ...DURATION_COLUMNS,
  awaitedFromMs: 'f64', // media expected since; 0: not expected
  awaitedBeforeMs: 'f64', // sum of the spans before the present one
  quietFromMs: 'f64', // the last packet, or the instant from which one was expected; Infinity: none expected
  isAnnounced: 'u8', // 1: that packet was comfort noise

  // The last packet in order.
  coveredMs: 'f64', // its own duration; for an event, that of its neighbours
  neighbourMs: 'f64', // the duration of the last audio packet
  isAnchored: 'u8', // 1: its timestamp can be compared with that of the next
  anchor: 'u32', // that timestamp
  isMarked: 'u8', // 1: it had the marker
  isEvent: 'u8', // 1: its duration is open (RFC 4733); 2: it was the end of an event
  missingNumbers: 'u32', // missing numbers since then, before packets that were not audio
  otherPackets: 'u32', // the number of these packets
  slackMs: 'f64', // how much longer the clock ran than audio, loss and judged time together

  // Judged time.
  lostMs: 'f64', // the time of packets whose numbers are missing
  unsentMs: 'f64', // absent time without missing numbers
  pausedMs: 'f64',
  sparseMs: 'f64', // the part of `unsentMs` in packets that were shorter than their distance
  isSparse: 'u8', // 1: the sender is slower than the clock
  unevenSteps: 'u32', // neighbours whose distance by timestamps differs from the duration of the first
  returnableMs: 'f64', // the part of the last hole that may only be delayed
  returnedMs: 'f64', // the part of all holes that arrived later, faster than real time
  holeSlackMs: 'f64', // `slackMs` when it was closed
  holeEndMs: 'f64',

  // Places. Holes are a second or longer.
  headMs: 'f64', // the hole before the first packet; 0: none
  gaps: 'u32', // holes between two packets that no pause explains
  gapLost: 'u32', // the missing numbers in them
  longestHoleMs: 'f64', // the longest of these
  longestHoleAtMs: 'f64', // start of the longest hole
  tailMs: 'f64', // the hole that was open at the end; 0: none
  pauses: 'u32', // holes that were pauses
  longestPauseMs: 'f64',
  longestPauseAtMs: 'f64',
  pauseRunMs: 'f64', // consecutive pauses that are each shorter than a hole
} as const;
export type AbsenceColumns = Columns<typeof ABSENCE_COLUMNS> & {
  readonly unitsPerMs: Float64Array;
  readonly firstArrivalMs: Float64Array;
};
