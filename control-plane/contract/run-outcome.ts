/** What a run came to, as a tone and words: pages, messages and the terminal say it by this, and so the same. Pure. */
import { plain } from './plain.ts';
import type { HealthState } from './run/measured-words.ts';
import type { RunResult } from './run-result.ts';
import type { RunStatus } from './run-status.ts';

/** A colour, which never appears without its word. `accent`: it goes on. */
export type Tone = 'good' | 'warn' | 'bad' | 'none' | 'accent';
export type RunOutcome = {
  readonly tone: Tone;
  /** In lower case. The first says most, and stands for all of them where there is little room. */
  readonly words: readonly [string, ...string[]];
  /** The words, and how far the figures can be trusted, where nothing beside says so. */
  readonly sentence: string;
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
export function outcomeOf(status: RunStatus, result: RunResult | null | undefined): RunOutcome {
  const [word, tone] = [plain(status).toLowerCase(), STATUS_TONES[status]];
  if (!result) return { tone, words: [word], sentence: word };
  const isOver = status === 'COMPLETED';
  const said = [isOver ? judged(result) : word, ...called(result)].filter((part) => part !== null);
  const words = [said[0] ?? 'no call', ...said.slice(1)] as const;
  return { tone: isOver ? toneOf(result) : tone, words, sentence: [...words, ...doubted(result)].join(', ') };
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

/** Bad if a threshold was crossed, if half of the calls failed, or if the figures are void. A probe has its grade. */
function toneOf(result: RunResult): Tone {
  const { calls, successful, failures, health, passed, verdict, endpoints } = result;
  if (health !== null) return HEALTH_TONES[health];
  const share = failures / (calls > 0 ? successful + failures : endpoints);
  if (passed === false || share >= 0.5) return 'bad';
  if (calls === 0 && failures === 0) return 'none';
  // Results that are older than `endpoints` have no share if nobody called.
  const tone = failures > 0 ? 'warn' : 'good';
  return TONES.indexOf(VERDICT_TONES[verdict]) > TONES.indexOf(tone) ? VERDICT_TONES[verdict] : tone;
}

const count = (n: number): string => n.toLocaleString('en-US');
const counted = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? '' : 's'}`;
