/** The rows of the catalogue about several runs: capacity and comparison. */
import * as z from 'zod';
import { CAPACITY } from '../capacity/capacity-rows.ts';
import type { OperationRow } from '../row.ts';
import { RunComparison } from './comparison.ts';

const projectId = z.string().describe('project id');
const testRunId = z.string().describe('test run id');

export const ANSWERS_OF_RUNS = {
  ...CAPACITY,
  compareTestRuns: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/comparison',
    summary: 'A test run against another one: what is better or worse beyond chance, and by how much',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, baseline_run_id: z.string().describe('the run that it is compared with') }),
    output: RunComparison,
    answers: 'single',
    status: 200,
    extension: true,
  },
} as const satisfies Record<string, OperationRow>;
