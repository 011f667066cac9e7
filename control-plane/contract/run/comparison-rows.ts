/** The rows of the catalogue that compare runs, and start one again. */
import * as z from 'zod';
import { Page } from '../envelope.ts';
import { cursorOf } from '../query.ts';
import type { OperationRow } from '../row.ts';
import { RunComparison } from './comparison.ts';
import { FailedCall, FailedCallFilter } from './failed-calls.ts';
import { Run, StartedRun } from './run.ts';
import { Labels } from './start.ts';
import { TrendRun } from './trend.ts';

const projectId = z.string().describe('project id');
const testRunId = z.string().describe('test run id');

export const ANSWERS_OF_RUNS = {
  compareTestRuns: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/comparison',
    summary: 'Compare a test run with another one: significant differences of their figures',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, baseline_run_id: z.string().describe('the run that it is compared with') }),
    output: RunComparison,
    answers: 'single',
    status: 200,
    extension: true,
  },
  listFailedCalls: {
    method: 'GET',
    path: '/projects/{projectId}/failed-calls',
    summary: 'Failed calls over all runs of a project, last planned first',
    role: 'VIEWER',
    input: z.object({ projectId, ...Page, ...FailedCallFilter, ...cursorOf(['-plannedAt', 'plannedAt']) }),
    output: FailedCall,
    answers: 'list',
    status: 200,
    extension: true,
  },
  updateTestRunBaseline: {
    method: 'POST',
    path: '/projects/{projectId}/test-runs/{testRunId}/baseline',
    summary: 'Make a test run the baseline of its test, or remove it as baseline',
    role: 'TESTER',
    input: z.object({ projectId, testRunId, isBaseline: z.boolean() }),
    output: Run,
    answers: 'single',
    status: 200,
    extension: true,
  },
  replayTestRun: {
    method: 'POST',
    path: '/projects/{projectId}/test-runs/{testRunId}/replay',
    summary: 'Start a test run again with its original settings, even if its test has changed',
    role: 'TESTER',
    input: z.object({
      projectId,
      testRunId,
      labels: Labels.optional().describe('in addition to those of the earlier run and `replay-of`'),
    }),
    output: StartedRun,
    answers: 'single',
    status: 201,
    extension: true,
    once: true,
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
