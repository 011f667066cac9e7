/** For how long media were expected on a stream, and when they did not arrive. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import { DASH, plural, seconds, share } from '../basics/figures.ts';

type Stream = Output<'getTestRunEndpoint'>['streams'][number];
type Absence = NonNullable<Stream['absence']>;

const s = (ms: number): string => seconds(ms / 1000);

/** The part of the time with expected media in which they arrived; null: no media were expected. */
const heardMs = ({ awaitedMs, absentMs, pausedMs }: Absence): number => Math.max(0, awaitedMs - absentMs - pausedMs);
const mediaPercent = (a: Absence): number | null => (a.awaitedMs > 0 ? (100 * heardMs(a)) / a.awaitedMs : null);

export type MediaPart = { readonly tone: 'good' | 'warn' | 'bad'; readonly ms: number };

/**
 * The parts from the first to the last instant with expected media. All gaps and pauses are shown as one in the middle, because
 * most are stored without their instant.
 */
export function mediaParts(a: Absence): MediaPart[] {
  const { absentMs, pausedMs, headMs, tailMs } = a;
  const gapMs = Math.max(0, absentMs - headMs - tailMs);
  const heard = heardMs(a);
  const arrived = (ms: number): MediaPart => ({ tone: 'good', ms });
  const missing = (ms: number): MediaPart => ({ tone: 'bad', ms });
  const paused: MediaPart = { tone: 'warn', ms: pausedMs };
  const middle =
    gapMs + pausedMs > 0 ? [arrived(heard / 2), missing(gapMs), paused, arrived(heard / 2)] : [arrived(heard)];
  return [missing(headMs), ...middle, missing(tailMs)].filter((part) => part.ms > 0);
}

/** `6.4 s of 10 s (64 %)` */
export function mediaWords(a: Absence): string {
  const percent = mediaPercent(a);
  return percent === null ? DASH : `${s(heardMs(a))} of ${s(a.awaitedMs)} (${share(percent)})`;
}

export type Hole = {
  readonly words: string;
  /** The start of the gap; null: not needed, or not known. */
  readonly at: string | null;
};

/** Gaps of a second or more, in order of time. */
export function holesOf(a: Absence, packets: number): Hole[] {
  if (packets === 0) return a.absentMs > 0 ? [{ words: 'no packet came', at: null }] : [];
  const gaps =
    a.gaps === 0
      ? []
      : [
          {
            words: `${plural(a.gaps, 'gap')}${a.longestGapMs === null ? '' : `, ${a.gaps === 1 ? 'of' : 'the longest of'} ${s(a.longestGapMs)}`}`,
            at: a.longestGapAt,
          },
        ];
  return [
    ...(a.headMs > 0 ? [{ words: `nothing in the first ${s(a.headMs)}`, at: null }] : []),
    ...gaps,
    ...(a.pauses > 0
      ? [{ words: `the far end sent nothing for ${s(a.pausedMs)} in ${plural(a.pauses, 'pause')}`, at: null }]
      : []),
    ...(a.tailMs > 0 ? [{ words: `nothing in the last ${s(a.tailMs)}`, at: null }] : []),
  ];
}
