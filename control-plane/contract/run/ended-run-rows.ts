/** The rows of the catalogue about what follows runs: failed calls, the baseline, repetitions. */
import * as z from 'zod';
import { Page } from '../envelope.ts';
import { cursorOf } from '../query.ts';
import type { OperationRow } from '../row.ts';
import { CallsEverywhere, FailedCall, FailedCallFilter, FoundCall, FoundCallFilter } from './found-calls.ts';
import { Run, StartedRun } from './run.ts';
import { Labels } from './start.ts';

const projectId = z.string().describe('project id');
const testRunId = z.string().describe('test run id');

export const ANSWERS_OF_RUNS = {
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
  listCalls: {
    method: 'GET',
    path: '/projects/{projectId}/calls',
    summary: 'Calls over all runs of a project, last planned first; `meta.search` says how far the search went',
    role: 'VIEWER',
    input: z.object({ projectId, ...Page, ...FoundCallFilter, ...cursorOf(['-plannedAt', 'plannedAt']) }),
    output: FoundCall,
    answers: 'list',
    status: 200,
    extension: true,
  },
  findCalls: {
    method: 'GET',
    path: '/calls',
    summary: 'Calls by number or Call-ID, in all projects that the key may see; 6 at most',
    role: 'VIEWER',
    input: z.object({ number: FoundCallFilter.number, call_id: FoundCallFilter.call_id }),
    output: CallsEverywhere,
    answers: 'single',
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
} as const satisfies Record<string, OperationRow>;
