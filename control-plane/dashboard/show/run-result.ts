/** What a run came to, in a tone and in words: that it ended says nothing of its calls. Pure. */
import type { Output } from '../../contract/catalogue.ts';
import type { RunStatus } from '../../contract/words.ts';
import { count } from './figures.ts';
import { RUN, type Tone, toneOfHealth, toneOfVerdict } from './tones.ts';

type Result = NonNullable<Output<'listTestRuns'>['result']>;
export type RunSeen = { readonly status: RunStatus; readonly result: Result | null; readonly endpoints: number };

/** Worst last. */
const TONES: readonly Tone[] = ['good', 'warn', 'bad'];
const worse = (a: Tone, b: Tone): Tone => (TONES.indexOf(a) > TONES.indexOf(b) ? a : b);

/** What it came to is null until then; of its endpoints some may never have called. */
export function toldOf({ status, result, endpoints }: RunSeen): { tone: Tone; words: string | null } {
  const isJudged = status === 'COMPLETED';
  if (result === null) return { tone: isJudged ? 'none' : RUN[status][0], words: null };
  return { tone: isJudged ? toneOf(result, endpoints) : RUN[status][0], words: wordsOf(result) };
}

/** A probe's thresholds judge its execution; else bad is what half of the calls is, and figures that are not to be believed. */
function toneOf({ calls, successful, failures, verdict, health }: Result, endpoints: number): Tone {
  if (health !== null) return toneOfHealth(health);
  if (calls === 0 && failures === 0) return 'none';
  const share = failures / (calls > 0 ? successful + failures : endpoints);
  return worse(share >= 0.5 ? 'bad' : share > 0 ? 'warn' : 'good', toneOfVerdict(verdict));
}

function wordsOf({ calls, successful, failures, verdict, health }: Result): string {
  const words: string[] = [];
  if (calls > 0) words.push(`${count(successful)} of ${count(calls)} ${calls === 1 ? 'call' : 'calls'} good`);
  if (failures > calls - successful)
    words.push(`${count(failures)} ${failures === 1 ? 'endpoint' : 'endpoints'} failed`);
  if (health !== null) words.push(health.toLowerCase());
  if (words.length === 0) words.push('no call');
  if (verdict !== 'VALID') words.push(`figures ${verdict.toLowerCase()}`);
  return words.join(', ');
}
