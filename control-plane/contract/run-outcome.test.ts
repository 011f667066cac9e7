/** What a run came to, in the words that people read everywhere. */
import t from 'tap';
import { wordingOf } from '../domain/messages/wording.ts';
import { TELLINGS } from '../testing/tellings.ts';
import { outcomeOf } from './run-outcome.ts';
import type { RunResult } from './run-result.ts';
import { RUN_STATUSES, type RunStatus } from './run-status.ts';

const GOOD: RunResult = {
  endpoints: 40,
  calls: 40,
  successful: 40,
  failed: 0,
  answeredFailed: 0,
  failures: 0,
  findings: [],
  verdict: 'VALID',
  passed: null,
  health: null,
};

const CASES: readonly [RunStatus, Partial<RunResult> | null, tone: string, words: string][] = [
  ['COMPLETED', {}, 'good', '40 of 40 calls good'],
  ['COMPLETED', { successful: 39, failed: 1, failures: 1 }, 'warn', '39 of 40 calls good'],
  ['COMPLETED', { successful: 20, failed: 20, failures: 20 }, 'bad', '20 of 40 calls good'],
  ['COMPLETED', { successful: 0, failed: 40, failures: 40 }, 'bad', '0 of 40 calls good'],
  ['COMPLETED', { calls: 1, successful: 0, failed: 1, failures: 1 }, 'bad', '0 of 1 call good'],
  ['COMPLETED', { calls: 1_200, successful: 1_200 }, 'good', '1,200 of 1,200 calls good'],
  [
    'COMPLETED',
    { successful: 30, failed: 10, answeredFailed: 7, failures: 10 },
    'warn',
    '30 of 40 calls good, 7 answered, but with a fault, 3 not answered',
  ],
  // Thresholds are a person's own limits. Failed calls are told beside them, and neither hides the other.
  ['COMPLETED', { passed: true }, 'good', 'passed, 40 of 40 calls good'],
  ['COMPLETED', { passed: true, successful: 39, failed: 1, failures: 1 }, 'warn', 'passed, 39 of 40 calls good'],
  ['COMPLETED', { passed: true, successful: 20, failed: 20, failures: 20 }, 'bad', 'passed, 20 of 40 calls good'],
  ['COMPLETED', { passed: false }, 'bad', 'not passed, 40 of 40 calls good'],
  ['COMPLETED', { passed: true, verdict: 'SUSPECT' }, 'warn', 'passed, 40 of 40 calls good, figures suspect'],
  ['COMPLETED', { verdict: 'VOID' }, 'bad', '40 of 40 calls good, figures void'],
  ['COMPLETED', { calls: 10, successful: 10, failures: 30 }, 'bad', '10 of 10 calls good, 30 endpoints never called'],
  // Endpoints that only register place no call.
  ['COMPLETED', { calls: 0, successful: 0, failures: 40 }, 'bad', '40 endpoints never called'],
  ['COMPLETED', { calls: 0, successful: 0, failures: 1 }, 'warn', '1 endpoint never called'],
  ['COMPLETED', { calls: 0, successful: 0 }, 'none', 'no call'],
  // A probe's thresholds know more: a call with bad audio, a refusal that was expected.
  ['COMPLETED', { calls: 1, successful: 1, health: 'UNHEALTHY' }, 'bad', 'unhealthy, 1 of 1 call good'],
  [
    'COMPLETED',
    { calls: 1, successful: 0, failed: 1, failures: 1, health: 'HEALTHY' },
    'good',
    'healthy, 0 of 1 call good',
  ],
  ['COMPLETED', { calls: 0, successful: 0, health: 'HEALTHY' }, 'good', 'healthy'],
  ['COMPLETED', null, 'none', 'completed'],
  ['FAILED', { successful: 12, failed: 28, failures: 28 }, 'bad', 'failed, 12 of 40 calls good'],
  ['FAILED', null, 'bad', 'failed'],
  ['CANCELLED', { successful: 12, failed: 28 }, 'none', 'cancelled, 12 of 40 calls good'],
  ['CANNOT_RUN_FOR_NOW', null, 'warn', 'cannot run for now'],
  ['QUEUED', null, 'accent', 'queued'],
  ['RUNNING', null, 'accent', 'running'],
];

t.test('what a run came to is told by what happened in it, not by that it ended', async (t) => {
  for (const [status, more, tone, words] of CASES) {
    const outcome = outcomeOf(status, more && { ...GOOD, ...more });
    t.same([outcome.tone, outcome.sentence], [tone, words], `${status} ${JSON.stringify(more)}`);
  }
  const doubted = outcomeOf('COMPLETED', { ...GOOD, verdict: 'VOID' });
  t.same(doubted.apart, { tone: 'good', words: '40 of 40 calls good' }, 'where the verdict is beside it');
  t.equal(outcomeOf('CANCELLED', { ...GOOD, verdict: 'VOID' }).tone, 'none', 'a cancelled run is not judged');
  for (const status of RUN_STATUSES) t.not(outcomeOf(status, null).tone, 'good', `${status} alone is not good`);
  const { endpoints: _, ...older } = { ...GOOD, calls: 0, successful: 0, failures: 3 };
  t.equal(outcomeOf('COMPLETED', older as RunResult).tone, 'warn', 'a result that lacks the number of endpoints');
});

t.test('a message has the same words and the same tone', async (t) => {
  const moods = { good: 'GOOD', warn: 'WARNING', bad: 'BAD', none: 'NEUTRAL', accent: 'NEUTRAL' };
  const { data, ...about } = TELLINGS['test_run.status_changed'];
  for (const [to, more, tone, words] of CASES) {
    const result = more && { ...GOOD, ...more };
    const { mood, headline } = wordingOf({ ...about, data: { ...data, testName: 'Front door', to, result } });
    t.same([mood, headline], [moods[tone as keyof typeof moods], `Run of Front door: ${words}`]);
  }
});
