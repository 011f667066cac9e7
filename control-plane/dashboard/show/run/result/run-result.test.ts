/** The faults of a run's calls, in a line. */
import t from 'tap';
import { foundWords, type RunSeen } from './run-result.ts';

type Findings = NonNullable<RunSeen['result']>['findings'];

t.test('the faults of a run, most frequent first', async (t) => {
  const result = { endpoints: 40, calls: 40, successful: 24, failed: 16, answeredFailed: 16, failures: 16 };
  const judged = { verdict: 'VALID', passed: null, health: null } as const;
  const found = (findings: Findings) => foundWords({ status: 'COMPLETED', result: { ...result, ...judged, findings } });
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
