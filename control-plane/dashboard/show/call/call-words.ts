/** A call in the words of lists: whom it called, when, and what became of it. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import type { Outcome, Phase } from '../../../contract/run/words.ts';
import { plain, type Tone } from '../basics/tones.ts';
import { failureTitle, q850Words } from '../heard/failure-words.ts';
import { causedBy } from '../heard/finding-words.ts';

/** `sip:+49301@pbx.example;user=phone` is the number `+49301` at `pbx.example`. Without a number, the host stands for it. */
export function calledWords(uri: string): { readonly number: string; readonly host: string } {
  const rest = uri.replace(/^(sips?|tel):/i, '');
  const at = rest.lastIndexOf('@');
  const host = rest.slice(at + 1).replace(/[;?].*$/s, '');
  return at <= 0 ? { number: host, host: '' } : { number: rest.slice(0, at).replace(/;.*$/s, ''), host };
}

/** The time of day in UTC, with milliseconds. The text for hovering has the day, and the reader's own time. */
export const clockWords = (at: string): { readonly time: string; readonly exact: string } => ({
  time: at.slice(11, 23),
  exact: `${at.slice(0, 23).replace('T', ' ')} UTC; ${new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })} your time`,
});

type Failure = Pick<
  NonNullable<Output<'listTestRunCalls'>['failure']>,
  'cause' | 'party' | 'sipStatus' | 'reason' | 'q850'
>;
export type CallEnding = {
  readonly outcome: Outcome | null;
  readonly failure: Failure | null;
  readonly finalStatus: number | null;
  readonly finalReason?: string | null;
  /** Absent: the list has no calls in progress by their phase. */
  readonly phase?: Phase;
};
/** The result of a call: one line, and what explains it: the cause of the far end, and whose fault it was. */
export function endingWords(e: CallEnding): { readonly tone: Tone; readonly title: string; readonly why: string } {
  const final = e.finalStatus === null ? '' : `${e.finalStatus} ${e.finalReason ?? ''}`.trim();
  if (e.failure) {
    const { q850, party } = e.failure;
    const why = [
      // A call may fail after a good response, by what was heard.
      ...(e.failure.sipStatus === null && final !== '' ? [final] : []),
      ...(q850 === null ? [] : [q850Words(q850)]),
      causedBy(party),
    ];
    return { tone: 'bad', title: failureTitle(e.failure), why: why.join(' · ') };
  }
  if (e.outcome === null) return { tone: 'accent', title: plain(e.phase ?? 'IN_PROGRESS'), why: final };
  return { tone: e.outcome === 'SUCCESS' ? 'good' : 'bad', title: plain(e.outcome), why: final };
}
