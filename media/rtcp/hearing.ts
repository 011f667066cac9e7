/**
 * Judges by the far end's reports whether our stream arrives there (RFC 3550, 6.4). Many far ends send reports without
 * blocks, or with blocks of another SSRC, of SSRC 0, or of zeros: these prove nothing.
 */
import type { Columns } from '../rtp/columns.ts';
import type { ReceiverReport, ReportBlock, SenderReport } from './packets.ts';

/** The results by number in the columns. UNKNOWN: no report has proved anything. */
export const HEARINGS = ['UNKNOWN', 'HEARD', 'UNHEARD'] as const;
export type Hearing = (typeof HEARINGS)[number];
const HEARD = HEARINGS.indexOf('HEARD');
const UNHEARD = HEARINGS.indexOf('UNHEARD');

/** The contents of reports that proved nothing, by number in the columns. */
export const UNNAMED = ['NO_BLOCKS', 'OTHER_SSRC', 'ZEROS'] as const;
export type Unnamed = (typeof UNNAMED)[number];

export const HEARING_COLUMNS = {
  hearing: 'u8',
  unheardReports: 'u32', // the last reports in a row that show no new packet from us
  usuallyUnheard: 'u32', // the most of them before a block that advanced
  stillReports: 'u32', // of unheardReports, those with a block about us
  unnamedReports: 'u32', // the reports that proved nothing
  unnamedAs: 'u8', // the last of them
  namedBy: 'u32', // SSRC of the last report with a number of our stream
  namedIn: 'u8', // kinds of reports with a number of our stream, as bits; 0: none arrived
  highestTold: 'u32', // the number itself
  othersTold: 'u8', // blocks of the last report that are not about us; the sums of their SSRCs and of their numbers
  othersSsrcs: 'u32',
  othersHighest: 'u32',
  besideUs: 'u8', // 1: they arrived together with a block about us that advanced
  sentAtReport: 'u32', // packets that we had sent by the last report that counted
} as const;
export type HearingColumns = Columns<typeof HEARING_COLUMNS>;

/** At least one of this many packets between two reports is assumed to be received. */
const HEARD_BY = 25;
/** The far end's last reports: one may have crossed our first packet. */
const ENOUGH_REPORTS = 2;
/**
 * This many more are awaited if that kind of report never had a block about us: SR and RR may arrive separately, and RR
 * be lost.
 */
const OF_ANOTHER_KIND = 10;
/** A far end that did not hear us for many reports may not claim that this is its habit. */
const MAX_USUAL = 8;
const KIND_BITS = { SR: 1, RR: 2 } as const;

/** Our own state when a report arrives. */
export type Own = {
  readonly ssrc: number;
  readonly packetsSent: number;
  /** False: the session does not let us send, so that the far end can hear nothing. */
  readonly sends: boolean;
  /** Whether an SSRC belongs to another of our streams over the same transport. */
  readonly isOwn: (ssrc: number) => boolean;
};

/**
 * Evaluates a report of the far end. If it is not `isRegular` (before feedback, or with BYE), it may be empty (RFC
 * 4585, 3.1), and then proves nothing. An echo of our own reports proves nothing either.
 */
export function noteHearing(
  c: HearingColumns,
  row: number,
  report: SenderReport | ReceiverReport,
  isRegular: boolean,
  own: Own,
): void {
  const { kind, ssrc, blocks } = report;
  if (ssrc === own.ssrc) return;
  const block = blocks.find((one) => one.ssrc === own.ssrc);
  const highest = block?.highestSequence ?? 0;
  const steps = c.namedIn[row] === 0 ? highest : (highest - c.highestTold[row]!) | 0;
  const othersAdvanced = noteOthers(c, row, blocks, own, highest !== 0 && steps > 0);
  if (block && highest !== 0) {
    c.highestTold[row] = highest;
    c.namedBy[row] = ssrc;
    c.namedIn[row]! |= KIND_BITS[kind];
  }
  const isDenied = block !== undefined && isClaim(block, own.packetsSent);
  if ((othersAdvanced && !isDenied) || (highest !== 0 && steps > 0)) noteHeard(c, row, own);
  else if (!own.sends) noteNone(c, row, own);
  else if ((isRegular || block) && isTimely(c, row, own) && (highest === 0 || steps === 0))
    noteUnheard(c, row, report, block, own);
}

/** A number of 0 with a loss of half of what we sent: the far end knows our stream, and has received nothing. */
const isClaim = (block: ReportBlock, packetsSent: number): boolean =>
  block.highestSequence === 0 &&
  (block.fractionLost >= 128 || (block.cumulativeLost > 0 && 2 * block.cumulativeLost >= packetsSent));

/** A sum of numbers grows if one of them does. */
function noteOthers(
  c: HearingColumns,
  row: number,
  blocks: readonly ReportBlock[],
  own: Own,
  isBesideUs: boolean,
): boolean {
  let count = 0;
  let ssrcs = 0;
  let highest = 0;
  for (const block of blocks) {
    if (block.ssrc === own.ssrc || own.isOwn(block.ssrc)) continue;
    count += 1;
    ssrcs = (ssrcs + block.ssrc) >>> 0;
    highest = (highest + block.highestSequence) >>> 0;
  }
  if (count === 0) return false;
  const isSame = c.othersTold[row] === count && c.othersSsrcs[row] === ssrcs;
  // A source named in addition to us is not ours, even if we are no longer named.
  const advanced = isSame && c.besideUs[row] === 0 && ((highest - c.othersHighest[row]!) | 0) > 0;
  c.besideUs[row] = isBesideUs || (isSame && c.besideUs[row] === 1) ? 1 : 0;
  c.othersTold[row] = count;
  c.othersSsrcs[row] = ssrcs;
  c.othersHighest[row] = highest;
  return advanced;
}

function noteHeard(c: HearingColumns, row: number, own: Own): void {
  c.usuallyUnheard[row] = Math.min(MAX_USUAL, Math.max(c.usuallyUnheard[row]!, c.unheardReports[row]!));
  c.hearing[row] = HEARD;
  noteNone(c, row, own);
}

/** Earlier proof remains; the count starts again. */
function noteNone(c: HearingColumns, row: number, { packetsSent }: Own): void {
  c.unheardReports[row] = 0;
  c.stillReports[row] = 0;
  c.sentAtReport[row] = packetsSent;
}

/** Whether one of our packets should have arrived since the last report that counted. */
function isTimely(c: HearingColumns, row: number, { packetsSent }: Own): boolean {
  const sent = packetsSent - c.sentAtReport[row]!;
  return sent < 0 || sent >= HEARD_BY;
}

function noteUnheard(
  c: HearingColumns,
  row: number,
  { kind, ssrc, blocks }: SenderReport | ReceiverReport,
  block: ReportBlock | undefined,
  { packetsSent }: Own,
): void {
  const isClaimed = block !== undefined && isClaim(block, packetsSent);
  const named = c.namedIn[row]!;
  if (!isClaimed && (named === 0 || c.namedBy[row] !== ssrc)) {
    if (named !== 0) return;
    c.unnamedReports[row]! += 1;
    c.unnamedAs[row] = UNNAMED.indexOf(block ? 'ZEROS' : blocks.length > 0 ? 'OTHER_SSRC' : 'NO_BLOCKS');
    c.sentAtReport[row] = packetsSent;
    return;
  }
  c.sentAtReport[row] = packetsSent;
  c.unheardReports[row]! += 1;
  if (block) c.stillReports[row]! += 1;
  const isOfKind = c.stillReports[row]! > 0 || (named & KIND_BITS[kind]) !== 0;
  const enough = ENOUGH_REPORTS + c.usuallyUnheard[row]! + (isOfKind ? 0 : OF_ANOTHER_KIND);
  if (c.unheardReports[row]! >= enough) c.hearing[row] = UNHEARD;
}
