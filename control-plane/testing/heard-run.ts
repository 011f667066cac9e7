/** A run in which some callers are not heard, and one is refused with texts of a stranger: while it goes on, and ended. */
import type { Test } from 'tap';
import type { ReportedOutcome } from '../domain/run/facts.ts';
import { insertStreams } from '../store/measured/streams.ts';
import { everyPage, openReading, type Run, single, streamFact } from './reading.ts';
import { acme, callsTest } from './world.ts';

export const CALLS = 600;
export const HOSTILE = '<script>alert(1)</script>';
const [CALLING, INCALL, CLOSED] = [2, 5, 7];

const finding = { stream: 0, atUnixMs: Number.NaN, lastedMs: 5000, count: 0, of: 0, detail: '', tolerated: false };
const NO_MEDIA = { ...finding, kind: 'NO_MEDIA' } as const;
const AGAIN = { ...finding, kind: 'SIP_RETRANSMISSIONS', stream: null, lastedMs: Number.NaN, count: 3, of: 1 } as const;
const DEAF = { awaitedMs: 5000, absentMs: 5000 };
const FAILED = { outcome: 'CALL_FAILED', cause: 'NO_MEDIA', causeText: 'No audio came', ...DEAF } as const;

/** The numbers of its endpoints name what happened to each. */
export async function openHeardRun(t: Test) {
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
  return { world, run, live, liveTimeline, ended, endMs, deaf, tolerant, refused, unheard };
}
