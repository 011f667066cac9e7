/** A run as the command line judges it. */
import type { RunOfTest } from '../cli/run/limits.ts';
import { CallTiming } from '../contract/run/run.ts';

export const spread = (p95: number, count: number) => ({
  p50: p95,
  p95,
  p99: p95,
  avg: p95,
  min: p95,
  max: p95,
  count,
});
const spreads = Object.keys(CallTiming.shape).filter((key) => !/Count$|^totalCalls$|^asr$|^ner$/.test(key));

/** Only the judged parts of a run. */
export function judgedRun(over: object = {}, timing: object = {}): RunOfTest {
  return {
    id: 'run-1',
    testName: 'A <test> & "more"',
    status: 'COMPLETED',
    error: null,
    labels: { commit: '4f2a9c1' },
    overrides: null,
    submittedAt: '2026-01-01T00:00:00.000Z',
    startedAt: '2026-01-01T00:00:01.000Z',
    endedAt: '2026-01-01T00:00:03.500Z',
    validity: { verdict: 'VALID', sentence: 'VALID: nothing.', reasons: [] },
    thresholds: [],
    failureClusters: [],
    progress: { failures: 0 },
    callTiming: {
      totalCalls: 10,
      asr: 100,
      ner: 100,
      ...Object.fromEntries(spreads.map((key) => [key, spread(0, 0)])),
      pdd: { p50: 100, p95: 2000, p99: 3000, avg: 400, min: 1, max: 3100, count: 10 },
      ...timing,
    },
    summary: { avgMos: 0, avgPacketLossFraction: 0.02, measured: { mos: 0, loss: 4 } },
    callQuality: { successShare: 90, calls: 10, soundAsked: 0, heardShare: 0 },
    ...over,
  } as unknown as RunOfTest;
}
