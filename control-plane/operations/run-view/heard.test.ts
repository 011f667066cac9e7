/** What callers heard, in the report of a run, and over time: the sums agree, whichever of them counts. */
import type { KyselyPlugin } from 'kysely';
import t from 'tap';
import { isGood, summaryLines } from '../../../scripts/demo-run/summary.ts';
import { renderReport } from '../../domain/report/report.ts';
import { CALLS, openHeardRun } from '../../testing/heard-run.ts';
import { single } from '../../testing/reading.ts';
import { runReport } from './run-report.ts';

const { run, live, liveTimeline, ended, endMs, deaf, tolerant, refused, unheard } = await openHeardRun(t);

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

t.test('failures over time add up to those of the run, also where calls fail after all', async (t) => {
  t.same([total(liveTimeline.calls.failed), live.progress.failures], [2, 2], 'as far as each end knows');
  const { calls, from } = await single(run, 'getTestRunTimeline');
  const { callQuality: q, result, progress, failureClusters } = ended;
  t.same([total(calls.failed), progress.failures, result?.failures, q.failed], [3, 3, 3, 3]);
  const ofCallers = failureClusters.filter((c) => c.endpointType === 'CALLER');
  t.equal(total(ofCallers.map((c) => c.count)), 3);
  t.equal(
    Date.parse(from ?? '') + calls.failed.findIndex((n) => n > 0) * 1000,
    Math.floor(endMs(Math.min(deaf, refused, unheard)) / 1000) * 1000,
  );
  t.same([q.calls, q.successful + q.failed, q.answeredFailed, q.heard], [CALLS, CALLS, 2, CALLS - 1 - 3]);
  t.same([total(calls.started), total(calls.answered)], [CALLS, CALLS - 1], 'signalling stays signalling');
  t.equal(ended.callTiming.successCount, CALLS - 1);
});

t.test('the report says what callers heard', async (t) => {
  let questions = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      questions++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { ports } = run.context;
  const database = Object.create(ports.database, { db: { value: ports.database.db.withPlugin(counter) } });
  const context = { ...run.context, ports: { ...ports, database } };
  const text = await runReport(context, { projectId: run.projectId, testRunId: run.runId });
  t.ok(questions < 40, `${questions} questions`);
  t.notMatch(text, /<script|https?:\/\/(?!x\.example)|src=|@import|url\(/, 'nothing runs, nothing is loaded');
  const words = text
    .replaceAll(/<style>.*<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  for (const said of [
    `${CALLS - 3} of ${CALLS} calls good · thresholds not passed`,
    ended.validity?.sentence.replace(': ', ' : ') ?? 'a verdict',
    `Heard both ways ${CALLS - 4} of ${CALLS - 1}`,
    'No audio came NO_MEDIA Fault network Caller 2 1 tolerated 0.3 %',
    'Audio went one way only ONE_WAY_AUDIO Fault network Caller 1 0.2 %',
    'SIP messages were sent again SIP_RETRANSMISSIONS Note network Caller 1 0.2 %',
    `Calls heard both ways 99.499 % ${CALLS - 1} ≥ 99.9 % ≥ 99.8 % Unhealthy Not passed`,
    'Registration round trip (p95) – 0 ≤ 500 ms ≤ 2,000 ms Not measured Not passed',
    '503 Service Unavailable Q.850 cause 34, No circuit available',
    '10.0.0.1:5070 +4930901820',
    'Tolerated: No audio packet came in 5.0 s of the call.',
  ]) {
    t.ok(words.includes(said), said);
  }
  const anchors = new Set([...text.matchAll(/ id="(\w+)"/g)].map(([, id]) => id));
  const links = [...text.matchAll(/href="#(\w+)"/g)].map(([, id]) => id);
  t.ok(links.length >= 4 && links.every((id) => anchors.has(id)), 'examples lead to their rows');
  t.ok(anchors.has(`e${tolerant}`), 'those that are not among the worst, too');
});

t.test('so does the summary of the demo', (t) => {
  const said = summaryLines(ended).map((line) => line.replaceAll(/\s+/g, ' ').trim());
  for (const line of [
    `${CALLS - 3} of ${CALLS} calls good; heard both ways: ${CALLS - 4} of ${CALLS - 1}`,
    'No audio came FAULT network 2 (1 tolerated) 0.3 %',
    'Audio went one way only FAULT network 1 0.2 %',
    'thresholds: not passed measured limit status',
    'Calls heard both ways 99.499 % ≥ 99.8 % UNHEALTHY',
    'Registration round trip (p95) — ≤ 2000 ms UNKNOWN',
  ]) {
    t.ok(said.includes(line), line);
  }
  t.equal(isGood(ended, CALLS), false);
  const result = ended.result && { ...ended.result, successful: CALLS, passed: null };
  t.equal(isGood({ ...ended, result }, CALLS), true);
  t.equal(isGood({ ...ended, result: result && { ...result, passed: false } }, CALLS), false);
  t.equal(isGood({ ...ended, result, status: 'CANCELLED' }, CALLS), false);
  const quiet = summaryLines({ ...ended, findings: [], thresholds: [] });
  t.notOk(
    quiet.some((line) => /finding|threshold/.test(line)),
    'tables only where they hold something',
  );
  t.end();
});

t.test('a report of a run that was not judged, and of one without calls', async (t) => {
  const timeline = await single(run, 'getTestRunTimeline');
  const made = { probe: null, timeline, endpoints: [], sections: [], brand: null, madeAt: new Date() };
  const wordsOf = (more: Partial<typeof ended>): string =>
    renderReport({ ...made, run: { ...ended, ...more } })
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  const unknown = ended.thresholds.map((one) => ({ ...one, value: 0, count: 0, status: 'UNKNOWN' as const }));
  const unjudged = wordsOf({ passed: null, thresholds: unknown });
  t.match(unjudged, /Thresholds of the test: not judged/);
  t.match(unjudged, /Calls heard both ways – 0 ≥ 99.9 % ≥ 99.8 % – Not judged/);
  t.match(wordsOf({ passed: true }), /calls good · thresholds passed/);
  const none = Object.fromEntries(Object.keys(ended.callQuality).map((key) => [key, 0]));
  const quiet = wordsOf({ callQuality: none as never, findings: [], thresholds: [], validity: null });
  t.match(quiet, /No calls were placed\. No verdict/);
  t.notMatch(quiet, /What callers heard|Findings|Thresholds/);
});
