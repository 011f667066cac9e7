/** The operations of comparison: two runs with each other, and the runs of a test in sequence. */
import * as z from 'zod';
import { Page } from '../../contract/envelope.ts';
import { cursorOf } from '../../contract/query.ts';
import type { OperationRow } from '../../contract/row.ts';
import { RunComparison } from './contract/comparison.ts';
import { TrendRun } from './contract/trend.ts';

const projectId = z.string().describe('project id');

export const ROWS = {
  compareTestRuns: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/comparison',
    summary: 'Compare a test run with another one: significant differences of their figures',
    role: 'VIEWER',
    input: z.object({
      projectId,
      testRunId: z.string().describe('test run id'),
      baseline_run_id: z.string().describe('the run that it is compared with'),
    }),
    output: RunComparison,
    answers: 'single',
    status: 200,
    extension: true,
  },
  listTestTrend: {
    method: 'GET',
    path: '/projects/{projectId}/tests/{testId}/trend',
    summary: 'Key figures of the ended runs of a test, last submitted first, without trials of capacity searches',
    role: 'VIEWER',
    input: z.object({
      projectId,
      testId: z.string().describe('test id'),
      ...Page,
      ...cursorOf(['-submittedAt', 'submittedAt']),
    }),
    output: TrendRun,
    answers: 'list',
    status: 200,
    extension: true,
  },
} as const satisfies Record<string, OperationRow>;

type Rows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends Rows {}
}
