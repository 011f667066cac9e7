/** What callers got in a run: parts whose sum is its calls, and figures, which are a dash if nothing was measured. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import { heardHere, heardWords, judgedOf, reportWords } from '../../../contract/run/heard-words.ts';
import { count, DASH, plural, seconds, share } from '../basics/figures.ts';
import type { Tone } from '../basics/tones.ts';

type Run = Pick<Output<'getTestRun'>, 'callQuality' | 'findings'>;
type Quality = Run['callQuality'];

export type CallsPart = { readonly tone: Tone; readonly name: string; readonly calls: number };

/** The sum of the parts is the number of calls. Empty parts are left out. */
export function partsOf(q: Quality): CallsPart[] {
  const parts: CallsPart[] = [
    { tone: 'good', name: 'good', calls: q.successful },
    { tone: 'bad', name: 'failed after the answer', calls: q.answeredFailed },
    { tone: 'warn', name: 'not answered', calls: q.failed - q.answeredFailed },
    { tone: 'accent', name: 'in progress', calls: q.calls - q.successful - q.failed },
  ];
  return parts.filter((p) => p.calls > 0);
}

export type FigureText = {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly explain: string;
};

/** `4 of 18`, with a note if anything was counted. */
const part = (n: number, of: number, said: string, none: string) => ({
  value: of === 0 ? DASH : `${count(n)} of ${count(of)}`,
  note: of === 0 ? none : said,
});

/** The figures. During the run they are based on the calls that have ended. */
export function figuresOf(q: Quality): FigureText[] {
  const ended = q.successful + q.failed;
  return [
    {
      name: 'Good calls',
      ...part(q.successful, ended, share(q.successShare), 'no call has ended'),
      explain:
        'Calls that were answered, heard as far as it is known, and not ended early, as a share of all ended calls',
    },
    {
      name: q.unreported > 0 ? 'Heard by us' : 'Heard both ways',
      ...part(
        heardHere(q),
        q.soundAsked,
        reportWords(q) ?? `${share(q.heardShare)}, for the whole call`,
        'no audio was measured',
      ),
      explain:
        'Answered calls with audio in which nothing was missing for the whole call: here, and at the far end if it reported (RTCP)',
    },
    {
      name: 'Talk time with media',
      value: q.talkSeconds === 0 ? DASH : share(q.mediaShare),
      note: q.talkSeconds === 0 ? 'no audio was measured' : `${seconds(q.mediaSeconds)} of ${seconds(q.talkSeconds)}`,
      explain: 'Time in which audio was received, as a share of the time in which it was expected',
    },
    {
      name: 'Dropped',
      ...part(q.dropped, q.answered, `${share(q.callDropRate)} of answered calls`, 'no call was answered'),
      explain: 'Answered calls that ended early, not by the endpoint',
    },
  ];
}

/** The line that is shown if there are no findings. */
export function quietLine(q: Quality, isOpen: boolean): readonly [Tone, string] {
  if (q.answered === 0) return ['none', isOpen ? 'No call has been answered so far.' : 'No call was answered.'];
  if (q.soundAsked === 0) return ['none', isOpen ? 'No findings so far.' : 'No findings. No audio was measured.'];
  if (heardHere(q) < q.soundAsked) return ['none', 'No findings.'];
  if (q.unreported > 0) return ['none', `No findings: ${heardWords(q)}.`];
  const so = isOpen ? ' so far' : '';
  return [
    'good',
    `No findings${so}: both ends were heard in ${q.heard === 1 ? 'the call' : `all ${plural(q.heard, 'call')}`}.`,
  ];
}

/** An addition to the good calls in the first line of a run; null: all callers were heard, or it is not known. */
export const unheardWords = (q: Quality): string | null =>
  q.heard < judgedOf(q) ? `heard both ways: ${count(q.heard)} of ${count(judgedOf(q))}` : null;

/** True: no caller was heard. Such a run is never good, even if its group tolerates the finding. */
export const isHeardByNobody = (q: Quality): boolean => q.soundAsked > 0 && heardHere(q) === 0;

/** `4 of 18 answered calls (22.2 %), 1 tolerated` */
export function findingShare({ count: n, answered, sharePercent, tolerated }: Run['findings'][number]): string {
  const part =
    answered === 0
      ? plural(n, 'endpoint')
      : `${count(n)} of ${plural(answered, 'answered call')} (${share(sharePercent)})`;
  return tolerated > 0 && tolerated < n ? `${part}, ${count(tolerated)} tolerated` : part;
}
