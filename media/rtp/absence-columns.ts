/** What is kept of each stream for absence.ts. */
import type { Columns } from './columns.ts';
import { DURATION_COLUMNS } from './packet-duration.ts';

export const ABSENCE_COLUMNS = {
  ...DURATION_COLUMNS,
  awaitedFromMs: 'f64', // media expected since; 0: not expected
  awaitedBeforeMs: 'f64', // sum of the spans before the present one
  quietFromMs: 'f64', // the last packet, or the instant from which one was expected; Infinity: none expected
  isAnnounced: 'u8', // 1: that packet was comfort noise

  // The last packet in order.
  coveredMs: 'f64', // its own duration; of an event that of its neighbours
  neighbourMs: 'f64', // of the last that was audio
  isAnchored: 'u8', // 1: its timestamp can be compared with that of the next
  anchor: 'u32', // that timestamp
  isMarked: 'u8', // 1: it had the marker
  isEvent: 'u8', // 1: its duration is open (RFC 4733); 2: it was the end of an event
  missingNumbers: 'u32', // since then, in front of packets that were not audio
  otherPackets: 'u32', // these
  slackMs: 'f64', // how much longer the clock went than audio, loss and judged time

  // Judged time.
  lostMs: 'f64', // of packets whose numbers are missing
  unsentMs: 'f64', // absent, and no number is missing
  pausedMs: 'f64',
  sparseMs: 'f64', // of `unsentMs`: packets that were shorter than their distance
  isSparse: 'u8', // 1: the sender is slower than the clock
  unevenSteps: 'u32', // neighbours whose timestamps are not as far apart as the first one lasts
  returnableMs: 'f64', // of the last hole: may only be delayed
  returnedMs: 'f64', // of all holes: came later, faster than real time
  holeSlackMs: 'f64', // when it was closed
  holeEndMs: 'f64',

  // Places. Holes are a second or longer.
  headMs: 'f64', // the hole before the first packet; 0: none
  gaps: 'u32', // holes between two packets that no pause explains
  gapLost: 'u32', // numbers that are missing in them
  longestHoleMs: 'f64', // of these
  longestHoleAtMs: 'f64', // start of the longest hole
  tailMs: 'f64', // the hole that was open at the end; 0: none
  pauses: 'u32', // holes that were pauses
  longestPauseMs: 'f64',
  longestPauseAtMs: 'f64',
  pauseRunMs: 'f64', // pauses shorter than a hole, one after the other
} as const;
export type AbsenceColumns = Columns<typeof ABSENCE_COLUMNS> & {
  readonly unitsPerMs: Float64Array;
  readonly firstArrivalMs: Float64Array;
};
