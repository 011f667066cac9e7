/** The key figures of a test from run to run, as they were stored at the end of each run. */
import type { Output } from '../../../contract/catalogue.ts';
import { listed } from '../../../operations/request/listed.ts';
import { byId, type Handler, known } from '../../../operations/request/perform.ts';
import { isUuid } from '../../../store/new-id.ts';
import { findTest } from '../../../store/project/tests.ts';
import { countTrend, listTrend } from '../store/run-trend.ts';

type Row = Omit<Awaited<ReturnType<typeof listTrend>>[number], 'place'>;

const of = (count: number, value: number | undefined) => ({
  value: count > 0 ? (value ?? null) : null,
  count,
});

function trendRun({
  testRunId,
  submittedAt,
  status,
  labels,
  passed,
  isBaseline,
  ...r
}: Row): Output<'listTestTrend'>[] {
  const { callTiming: c, callQuality: q, summary: s, validity } = r;
  if (!c || !validity) return [];
  const calls = c.totalCalls - c.inProgressCount;
  const judged = q ? q.successful + q.failed : 0;
  const { measured } = s ?? {};
  const figures = {
    successShare: of(judged, q?.successShare),
    asr: of(calls, c.asr),
    setupP50Ms: of(c.callSetup.count, c.callSetup.p50),
    setupP95Ms: of(c.callSetup.count, c.callSetup.p95),
    avgMos: { ...of(measured?.mos ?? 0, s?.avgMos), scale: s?.mosScale ?? null },
    packetLossPercent: of(measured?.loss ?? 0, s ? s.avgPacketLossFraction * 100 : undefined),
  };
  const { verdict } = validity;
  return [{ testRunId, submittedAt: submittedAt.toISOString(), status, labels, isBaseline, verdict, passed, figures }];
}

export const listTestTrend: Handler<'listTestTrend'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, testId, sort } = input;
  const without = ports.hooks.flatMap(({ ownLabels = [] }) => (ownLabels.length > 0 ? [ownLabels] : []));
  const asked = { projectId, testId, without };
  const total = isUuid(testId) ? await countTrend(db, asked) : 0;
  // Runs outlive their test.
  if (total === 0) known('test', testId, await byId(testId, () => findTest(db, projectId, testId)));
  const found = await listed(input, total, (w) => listTrend(db, asked, sort, w));
  return { ...found, rows: found.rows.flatMap(trendRun) };
};
