/** The result of a run, as a tone and words: an ended run may have failed calls. Pure. */
import type { Output } from '../../../../contract/catalogue.ts';
import type { RunStatus } from '../../../../contract/run-status.ts';
import { count, plural } from '../../basics/figures.ts';
import { RUN, type Tone, toneOfHealth, toneOfVerdict } from '../../basics/tones.ts';
import { titleOf } from '../../heard/finding-words.ts';

type Result = NonNullable<Output<'listTestRuns'>['result']>;
export type RunSeen = { readonly status: RunStatus; readonly result: Result | null; readonly endpoints: number };

/** The worst tone is the last. */
const TONES: readonly Tone[] = ['good', 'warn', 'bad'];
const worse = (a: Tone, b: Tone): Tone => (TONES.indexOf(a) > TONES.indexOf(b) ? a : b);

type ResultText = { readonly tone: Tone; readonly words: string | null };

/** The result with the verdict on its figures. The execution of a probe has the result of its thresholds. */
export function resultTextOf(run: RunSeen): ResultText {
  const { tone, words } = outcomeOf(run);
  if (run.result === null || words === null) return { tone, words };
  const { verdict, health } = run.result;
  const isJudged = run.status === 'COMPLETED' && health === null && tone !== 'none';
  return {
    tone: isJudged ? worse(tone, toneOfVerdict(verdict)) : tone,
    words: verdict === 'VALID' ? words : `${words}, figures ${verdict.toLowerCase()}`,
  };
}

/** The result without the verdict. It is null until the run has ended, and some endpoints may never have called. */
export function outcomeOf({ status, result, endpoints }: RunSeen): ResultText {
  const isJudged = status === 'COMPLETED';
  if (result === null) return { tone: isJudged ? 'none' : RUN[status][0], words: null };
  return { tone: isJudged ? toneOf(result, endpoints) : RUN[status][0], words: wordsOf(result) };
}

/** The tone is bad if half of the calls failed, or if a threshold was crossed. */
function toneOf({ calls, successful, failures, health, passed }: Result, endpoints: number): Tone {
  if (health !== null) return toneOfHealth(health);
  if (passed === false) return 'bad';
  if (calls === 0 && failures === 0) return 'none';
  const share = failures / (calls > 0 ? successful + failures : endpoints);
  return share >= 0.5 ? 'bad' : share > 0 ? 'warn' : 'good';
}

/**
 * The sum of good calls, answered ones with a fault and unanswered ones is the number of calls. Endpoints that never called are
 * shown separately.
 */
function wordsOf({ calls, successful, failed, answeredFailed, failures, health }: Result): string {
  const words: string[] = [];
  if (calls > 0) words.push(`${count(successful)} of ${plural(calls, 'call')} good`);
  if (answeredFailed > 0) words.push(`${count(answeredFailed)} answered, but with a fault`);
  if (answeredFailed > 0 && failed > answeredFailed) words.push(`${count(failed - answeredFailed)} not answered`);
  if (failures > failed) words.push(`${plural(failures - failed, 'endpoint')} never called`);
  if (health !== null) words.push(health.toLowerCase());
  if (words.length === 0) words.push('no call');
  return words.join(', ');
}

/** The number of findings that are listed individually; others are counted together. */
const NAMED = 2;

/**
 * The findings of its answered calls, most frequent first; null: no call had a fault. Endpoints are counted, because both ends of
 * a call may have the finding.
 */
export function foundWords({ result }: RunSeen): string | null {
  const found = result?.findings ?? [];
  if (found.length === 0) return null;
  const named = found.slice(0, NAMED).map((f) => `${titleOf(f.finding)} (${count(f.count)})`);
  const others = found.length - named.length;
  return [...named, ...(others > 0 ? [`${plural(others, 'other fault')}`] : [])].join(' · ');
}
