/** What callers heard, in downloads of a run, CSV and report, and over time: the sums agree, whichever of them counts. */
import type { KyselyPlugin } from 'kysely';
import t from 'tap';
import { isGood, summaryLines } from '../../../scripts/demo-run/summary.ts';
import { renderReport } from '../../domain/report/report.ts';
import type { ReportedOutcome } from '../../domain/run/facts.ts';
import { HANDLERS } from '../../handlers.ts';
import { insertStreams } from '../../store/measured/streams.ts';
import { everyPage, openReading, type Run, single, streamFact } from '../../testing/reading.ts';
import { acme, callsTest } from '../../testing/world.ts';
import type { Download } from '../request/perform.ts';

const CALLS = 600;
const HOSTILE = '<script>alert(1)</script>';
const [CALLING, INCALL, CLOSED] = [2, 5, 7];
/** The original columns: first, in this order. */
const FIRST = [
  ...['id', 'endpointType', 'outcome', 'phase', 'calleeUri', 'worker', 'registrar', 'failureCause', 'failureParty'],
  ...['failureSipStatus', 'failureReason', 'callResult', 'finalStatusCode', 'finalReasonPhrase', 'timeToTryingMs'],
  ...['timeToRingingMs', 'pddMs', 'callSetupMs', 'timeToFirstMediaMs', 'callDurationMs', 'registerRttMs'],
];

const { world, begin, report } = await openReading(t, CALLS);
const [organization] = acme(CALLS, 1000).organizations;
const thresholds = [
  { metricKey: 'heardShare', greenValue: 99.9, orangeValue: 99.8 },
  { metricKey: 'registerRtt', greenValue: 500, orangeValue: 2000 },
];
await world.provision({
  organizations: [
    { ...organization, projects: [{ slug: 'lab', name: 'Lab', tests: [{ ...callsTest(CALLS), thresholds }] }] },
  ],
});

const finding = { stream: 0, atUnixMs: Number.NaN, lastedMs: 5000, count: 0, of: 0, detail: '', tolerated: false };
const NO_MEDIA = { ...finding, kind: 'NO_MEDIA' } as const;
const AGAIN = { ...finding, kind: 'SIP_RETRANSMISSIONS', stream: null, lastedMs: Number.NaN, count: 3, of: 1 } as const;
const DEAF = { awaitedMs: 5000, absentMs: 5000 };
const FAILED = { outcome: 'CALL_FAILED', cause: 'NO_MEDIA', causeText: 'No audio came', ...DEAF } as const;

const run: Run = await begin();
const rows = await everyPage(run, 'listTestRunEndpoints');
const callers = rows.filter((e) => e.endpointType === 'CALLER').map((e) => e.number);
const callees = rows.filter((e) => e.endpointType === 'CALLEE').map((e) => e.number);
const [deaf, tolerant, refused, unheard] = callers as [number, number, number, number];
const other = callees[0] as number;
const ENDS: Readonly<Record<number, Partial<ReportedOutcome>>> = {
  [deaf]: { ...FAILED, findings: [NO_MEDIA, { ...NO_MEDIA, stream: 1 }, AGAIN] },
  [tolerant]: { ...DEAF, findings: [{ ...NO_MEDIA, tolerated: true }] },
  [refused]: {
    outcome: 'CALL_FAILED',
    cause: 'SERVER_ERROR',
    causeText: 'Service Unavailable',
    causeStatus: 503,
    finalStatus: 503,
    callResult: 'REJECTED',
    q850: 34,
    reasonText: '=HYPERLINK("http://x.example","y")',
    warning: `399 ${HOSTILE}`,
    retryAfterSeconds: 30,
    calleeUri: 'sip:+4930901820;phone-context=x:secret@10.0.0.1:5070',
    callId: '-1+2',
    endedBy: null,
    awaitedMs: 0,
  },
  // Its own end is good; the other end of its call heard nothing.
  [other]: { ...FAILED, peer: unheard, findings: [NO_MEDIA] },
};
const baseMs = Math.floor(Date.now() / 1000) * 1000;
/** Calls begin and end a quarter of a second apart. */
const endMs = (n: number) => baseMs + 5000 + (n % 20) * 250;
await report(
  run,
  (n) => ({
    phases: [
      [CALLING, baseMs + (n % 20) * 250],
      ...(n === refused ? [] : [[INCALL, baseMs + (n % 20) * 250] as const]),
      [CLOSED, endMs(n)],
    ],
    outcome: { calleeUri: `sip:${n}@10.0.0.1`, awaitedMs: 5000, absentMs: 0, ...ENDS[n] },
  }),
  false,
);
world.pass(12);
const live = await single(run, 'getTestRun');
const liveTimeline = await single(run, 'getTestRunTimeline');
await report(run, () => ({}));
const ended = await single(run, 'getTestRun');
await insertStreams(world.database.db, run.runId, [
  streamFact(deaf, 0, { packetsReceived: 0, lost: 250, expected: 250, mos: 1.127, packetsSent: 250 }),
  streamFact(deaf, 1, { mos: 4.2 }),
]);

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

/** Records of RFC 4180. */
function parse(text: string): string[][] {
  const fields = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)];
  const lines: string[][] = [[]];
  for (const [, quoted, bare, end] of fields) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

async function file(name: 'exportTestRunEndpoints' | 'exportTestRunReport') {
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
  const { bytes } = (await HANDLERS[name](context, { projectId: run.projectId, testRunId: run.runId })) as Download;
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk as Buffer);
  return { text: Buffer.concat(chunks).toString(), chunks: chunks.length, questions };
}

t.test('CSV: existing columns keep their places; call quality follows them', async (t) => {
  const { text, chunks, questions } = await file('exportTestRunEndpoints');
  const [head = [], ...lines] = parse(text);
  t.same(head.slice(0, FIRST.length), FIRST);
  t.equal(new Set(head).size, head.length);
  t.equal(lines.length, 2 * CALLS);
  t.ok(lines.every((line) => line.length === head.length));
  t.ok(chunks > 2 && questions < 10, `${chunks} parts, ${questions} questions for ${lines.length} endpoints`);
  const of = (n: number) => Object.fromEntries(head.map((name, i) => [name, lines[n]?.[i]]));
  t.match(of(deaf), {
    outcome: 'CALL_FAILED',
    callResult: 'SUCCESS',
    failureCause: 'NO_MEDIA',
    failureParty: 'network',
    failureReason: 'No audio came',
    failureSentence: 'No audio packet came in 5.0 s of the call.',
    findings: 'NO_MEDIA SIP_RETRANSMISSIONS',
    toleratedFindings: '',
    mos: '1.127',
    lossFraction: '0.346667',
    jitterMeanMs: '0.5',
    packetsSent: '750',
    packetsReceived: '490',
    longestGapMs: '',
    q850: '',
    dialledNumber: String(deaf),
    callId: 'call',
    endedBy: 'LOCAL',
  });
  t.match(of(tolerant), { outcome: 'SUCCESS', findings: '', toleratedFindings: 'NO_MEDIA', mos: '', packetsSent: '' });
  t.match(of(unheard), { outcome: 'CALL_FAILED', failureCause: 'ONE_WAY_AUDIO', findings: 'ONE_WAY_AUDIO' });
  t.match(of(refused), {
    failureSipStatus: '503',
    q850: '34',
    q850Name: 'No circuit available',
    reasonText: `'=HYPERLINK("http://x.example","y")`,
    warning: `399 ${HOSTILE}`,
    retryAfterSeconds: '30',
    dialledNumber: "'+4930901820",
    callId: "'-1+2",
    endedBy: '',
  });
  t.ok(
    lines.flat().every((cell) => !/^[=+\-@\t\r]/.test(cell)),
    'no spreadsheet takes any of it for a formula',
  );
});

t.test('the report says what callers heard', async (t) => {
  const { text, questions } = await file('exportTestRunReport');
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
  const anchors = new Set([...text.matchAll(/<tr id="(\w+)"/g)].map(([, id]) => id));
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
  const made = { probe: null, timeline, endpoints: [], sections: [], madeAt: new Date() };
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
