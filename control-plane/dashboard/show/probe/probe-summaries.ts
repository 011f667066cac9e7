/** What the folded parts of a probe's form say: what is set there, in one line. Pure. */
import { duration, plural } from '../basics/figures.ts';
import { identityWords, line, requestWords, transportWords } from '../test-form/drafts/summaries.ts';
import { doingOfProbe, type ProbeDraft } from './probe-draft.ts';

export const probeMediaSummary = ({ test }: ProbeDraft): string =>
  line(test.ice === 'NONE' && 'no ICE', ...transportWords(test));

export const probeCallerSummary = (draft: ProbeDraft): string =>
  line(...identityWords(draft.test, doingOfProbe(draft)));

/** `registers`: the server wants a registration. */
export const probeSignallingSummary = (draft: ProbeDraft, registers: boolean): string =>
  line(...requestWords(draft.test, doingOfProbe(draft), registers));

export const probeLimitsSummary = ({ test }: ProbeDraft): string =>
  line(`unanswered after ${duration(test.answerTimeoutSeconds)}`);

export function hoursSummary({ timeOfDayStartUtc: from, timeOfDayEndUtc: until, timezone }: ProbeDraft): string {
  if (!from && !until) return 'All day';
  return line(from && `from ${from}`, until && `until ${until}`, timezone);
}

export const alertSummary = (draft: ProbeDraft): string =>
  line(
    `an incident after ${plural(draft.alertStrikeRuns, 'failed execution')}`,
    `escalated after ${duration(draft.escalateAfterMinutes * 60)}`,
    draft.autoPauseAfterHours === null ? 'never paused' : `paused after ${duration(draft.autoPauseAfterHours * 3600)}`,
  );
