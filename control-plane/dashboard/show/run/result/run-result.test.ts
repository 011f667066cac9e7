/** The sentence about what a run came to. */
import t from 'tap';
import type { RunStatus } from '../../../../contract/run-status.ts';
import { foundWords, type RunSeen, resultTextOf } from './run-result.ts';

t.test('what a run came to is told by what happened in it, not by that it ended', async (t) => {
  const of = (more: object): NonNullable<RunSeen['result']> => ({
    calls: 40,
    successful: 40,
    failed: 0,
    answeredFailed: 0,
    failures: 0,
    findings: [],
    verdict: 'VALID',
    passed: null,
    health: null,
    ...more,
  });
  const cases: [RunStatus, ReturnType<typeof of> | null, string, string | null][] = [
    ['COMPLETED', of({}), 'good', '40 of 40 calls good'],
    ['COMPLETED', of({ successful: 39, failed: 1, failures: 1 }), 'warn', '39 of 40 calls good'],
    ['COMPLETED', of({ successful: 20, failed: 20, failures: 20 }), 'bad', '20 of 40 calls good'],
    ['COMPLETED', of({ successful: 0, failed: 40, failures: 40 }), 'bad', '0 of 40 calls good'],
    [
      'COMPLETED',
      of({ successful: 30, failed: 10, answeredFailed: 7, failures: 10 }),
      'warn',
      '30 of 40 calls good, 7 answered, but with a fault, 3 not answered',
    ],
    // Whether it passed is shown beside it, in a separate mark.
    ['COMPLETED', of({ passed: true }), 'good', '40 of 40 calls good'],
    ['COMPLETED', of({ passed: false }), 'bad', '40 of 40 calls good'],
    ['COMPLETED', of({ verdict: 'SUSPECT' }), 'warn', '40 of 40 calls good, figures suspect'],
    ['COMPLETED', of({ verdict: 'VOID' }), 'bad', '40 of 40 calls good, figures void'],
    [
      'COMPLETED',
      of({ calls: 10, successful: 10, failures: 30 }),
      'bad',
      '10 of 10 calls good, 30 endpoints never called',
    ],
    ['COMPLETED', of({ calls: 0, successful: 0, failures: 40 }), 'bad', '40 endpoints never called'],
    ['COMPLETED', of({ calls: 0, successful: 0 }), 'none', 'no call'],
    // A probe's thresholds know more: a call with bad audio, a refusal that was expected.
    ['COMPLETED', of({ calls: 1, successful: 1, health: 'UNHEALTHY' }), 'bad', '1 of 1 call good, unhealthy'],
    ['COMPLETED', of({ calls: 0, successful: 0, health: 'HEALTHY' }), 'good', 'healthy'],
    ['COMPLETED', null, 'none', null],
    ['FAILED', of({ successful: 12, failed: 28, failures: 28 }), 'bad', '12 of 40 calls good'],
    ['CANCELLED', of({ successful: 12, failed: 28 }), 'none', '12 of 40 calls good'],
    ['RUNNING', null, 'accent', null],
  ];
  for (const [status, result, tone, words] of cases)
    t.same(resultTextOf({ status, result, endpoints: 40 }), { tone, words }, `${status} ${JSON.stringify(result)}`);

  const found = (findings: NonNullable<RunSeen['result']>['findings']) =>
    foundWords({ status: 'COMPLETED', result: of({ findings }), endpoints: 40 });
  t.equal(found([]), null);
  t.equal(found([{ finding: 'NO_MEDIA', count: 12 }]), 'No audio came (12)');
  t.equal(
    found([
      { finding: 'NO_MEDIA', count: 12 },
      { finding: 'MEDIA_GAP', count: 3 },
      { finding: 'ENDED_EARLY', count: 1 },
    ]),
    'No audio came (12) · Audio was interrupted (3) · 1 other fault',
  );
});
