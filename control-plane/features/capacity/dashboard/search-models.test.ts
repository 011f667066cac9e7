/** Models of the pages of capacity searches: the knee, and what the dialog sends. */
import t from 'tap';
import { ROWS } from '../rows.ts';
import { bodyOf, draftOfSearch, freeMetric, lastsAbout, NEW } from './search-draft.ts';
import { bracketOf, causeOf, kneeOf, limitWords, type SearchSeen, type TrialSeen } from './search-words.ts';

const evidence = (carried: number, failed: number, reason?: string): TrialSeen['evidence'] => ({
  ...{ offered: 0, carried, planned: 100, successful: 100 - failed, failed, notStarted: 0 },
  ...{ setupMs: null, verdict: 'VALID', slos: [], reasons: reason ? [reason] : [], wholeRun: false },
});
const trial = (number: number, level: number, result: TrialSeen['result'], reason?: string): TrialSeen => ({
  ...{ number, level, result, testRunId: `r${number}`, phase: 'BISECT', startedAt: '', endedAt: null },
  evidence: result === null ? null : evidence(level, result === 'FAILED' ? 10 : 0, reason),
});

t.test('a knee has the trials that tell of the target, by their level', async (t) => {
  const trials = [
    trial(1, 10, 'PASSED'),
    trial(2, 40, 'FAILED', 'busy'),
    trial(3, 20, 'VOID'),
    trial(4, 20, 'FAILED', 'slow'),
    trial(5, 5, null),
  ];
  const knee = kneeOf(trials);
  t.same(knee.levels, [10, 20, 40]);
  t.same(knee.passed, [10, null, null]);
  t.same(knee.failed, [null, 20, 40]);
  t.same(knee.failedPercent, [0, 10, 10]);
  t.equal(knee.leftOut, 1);
  t.same(bracketOf(trials), { passed: 10, failed: 20 });
  const search = (answer: Partial<NonNullable<SearchSeen['answer']>> | null) =>
    ({ trials, answer }) as never as SearchSeen;
  t.same(causeOf(search(null)), { level: 20, reason: 'slow' });
  t.same(causeOf(search({ level: 25 })), { level: 40, reason: 'busy' });
  t.equal(causeOf(search({ level: 90 })), null);
});

t.test('what the dialog of a search begins with is what the API would take', async (t) => {
  const input = ROWS.startCapacitySearch.input;
  const ids = { projectId: 'p', testId: 't' };
  const plain = input.parse(ids);
  t.same(input.parse({ projectId: 'p', ...bodyOf({ ...NEW, testId: 't' }) }), plain);
  const strict = input.parse({ projectId: 'p', ...bodyOf({ ...NEW, testId: 't', method: 'RFC7502_STRICT' }) });
  t.match(strict, { method: 'RFC7502_STRICT', rfc7502: { sessions: 50_000, startRate: 100 } });
  const settings = {
    ...input.parse({ ...ids, most: 7, slos: [{ metricKey: 'pdd', limit: 9 }] }),
    start: 1,
    callSeconds: 1,
  };
  t.match(draftOfSearch({ testId: 't', settings } as never as SearchSeen), {
    testId: 't',
    most: 7,
    slos: [{ metricKey: 'pdd', limit: 9 }],
  });
  t.match(lastsAbout(NEW), /^\d+ min.* to \d+ min/);
  t.equal(freeMetric(NEW), 'callSetup');
  t.equal(limitWords('successShare', 99), 'at least 99 %');
  t.equal(limitWords('callSetup', 500), 'at most 500 ms');
});
