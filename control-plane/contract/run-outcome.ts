/** What a run came to, as a tone and words: pages, messages and the terminal say it by this, and so the same. Pure. */
import { plain } from './plain.ts';
import type { HealthState } from './run/measured-words.ts';
import type { RunResult } from './run-result.ts';
import type { RunStatus } from './run-status.ts';

/** A colour, which never appears without its word. `accent`: it goes on. */
export type Tone = 'good' | 'warn' | 'bad' | 'none' | 'accent';
type OutcomeOfRun = {
  readonly tone: Tone;
  /** In lower case. */
  readonly sentence: string;
  /** The same without how far the figures can be trusted, where that is beside it. */
  readonly apart: { readonly tone: Tone; readonly words: string };
};

/** COMPLETED says nothing of the calls. */
const STATUS_TONES: Readonly<Record<RunStatus, Tone>> = {
  PENDING: 'accent',
  QUEUED: 'accent',
  RUNNING: 'accent',
  COMPLETED: 'none',
  FAILED: 'bad',
  CANNOT_RUN_FOR_NOW: 'warn',
  CANCELLED: 'none',
};
export const HEALTH_TONES: Readonly<Record<HealthState, Tone>> = {
  HEALTHY: 'good',
  DEGRADED: 'warn',
  UNHEALTHY: 'bad',
  UNKNOWN: 'none',
};
/** The worst is the last. */
const TONES: readonly Tone[] = ['good', 'warn', 'bad'];
const VERDICT_TONES = { VALID: 'good', SUSPECT: 'warn', VOID: 'bad' } as const;

/** `result`: null or absent until the run has ended, and if it never started. */
export function outcomeOf(status: RunStatus, result: RunResult | null | undefined): OutcomeOfRun {
  const [word, tone] = [plain(status).toLowerCase(), STATUS_TONES[status]];
  if (!result) return { tone, sentence: word, apart: { tone, words: word } };
  const isOver = status === 'COMPLETED';
  const said = [isOver ? judged(result) : word, ...called(result)].filter((part) => part !== null);
  const words = said.length > 0 ? said.join(', ') : 'no call';
  const apart = { tone: isOver ? toneOf(result) : tone, words };
  return { tone: doubtedTone(apart.tone, result), sentence: [words, ...doubted(result)].join(', '), apart };
}

/** A person's own limits precede what is counted. Null: there are none, or the run was not judged. */
const judged = ({ health, passed }: RunResult): string | null =>
  health === null ? (passed === null ? null : passed ? 'passed' : 'not passed') : health.toLowerCase();

/** Good calls, answered ones with a fault and those that were not answered are all calls; endpoints that never called are apart. */
function called({ calls, successful, failed, answeredFailed, failures }: RunResult): string[] {
  const words: string[] = [];
  if (calls > 0) words.push(`${count(successful)} of ${counted(calls, 'call')} good`);
  if (answeredFailed > 0) words.push(`${count(answeredFailed)} answered, but with a fault`);
  if (answeredFailed > 0 && failed > answeredFailed) words.push(`${count(failed - answeredFailed)} not answered`);
  if (failures > failed) words.push(`${counted(failures - failed, 'endpoint')} never called`);
  return words;
}

const doubted = ({ verdict }: RunResult): string[] => (verdict === 'VALID' ? [] : [`figures ${verdict.toLowerCase()}`]);

/** The worse one; a probe has its grade, and what was not judged has no tone to change. */
function doubtedTone(tone: Tone, { verdict, health }: RunResult): Tone {
  const ofVerdict = VERDICT_TONES[verdict];
  return health === null && TONES.includes(tone) && TONES.indexOf(ofVerdict) > TONES.indexOf(tone) ? ofVerdict : tone;
}

/** Bad if a threshold was crossed, or if half of the calls failed. A probe has its grade. */
function toneOf({ calls, successful, failures, health, passed, endpoints }: RunResult): Tone {
  if (health !== null) return HEALTH_TONES[health];
  const share = failures / (calls > 0 ? successful + failures : endpoints);
  if (passed === false || share >= 0.5) return 'bad';
  if (calls === 0 && failures === 0) return 'none';
  // Results that are older than `endpoints` have no share if nobody called.
  return failures > 0 ? 'warn' : 'good';
}

const count = (n: number): string => n.toLocaleString('en-US');
const counted = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? '' : 's'}`;
