/** The operations about capacity searches. */
import * as z from 'zod';
import { Page } from '../../contract/envelope.ts';
import { cursorOf } from '../../contract/query.ts';
import type { OperationRow } from '../../contract/row.ts';
import { CapacitySearch, CapacitySearchDetail, NEW_SEARCH } from './contract/capacity.ts';
import { SEARCH_STATUSES } from './contract/words.ts';

const projectId = z.string().describe('project id');
const capacitySearchId = z.string().describe('capacity search id');

export const ROWS = {
  startCapacitySearch: {
    method: 'POST',
    path: '/projects/{projectId}/tests/{testId}/capacity-searches',
    summary: 'Search the highest load that keeps the SLOs, by runs of a test one after another',
    role: 'TESTER',
    input: z.object({ projectId, testId: z.string().describe('test id'), ...NEW_SEARCH }),
    output: CapacitySearchDetail,
    answers: 'single',
    status: 201,
    extension: true,
    once: true,
  },
  listCapacitySearches: {
    method: 'GET',
    path: '/projects/{projectId}/capacity-searches',
    summary: 'Capacity searches of a project, last started first',
    role: 'VIEWER',
    input: z.object({
      projectId,
      ...Page,
      test_id: z.string().optional().describe('test id: only searches of this test'),
      status: z.enum(SEARCH_STATUSES).optional(),
      ...cursorOf(['-createdAt', 'createdAt']),
    }),
    output: CapacitySearch,
    answers: 'list',
    status: 200,
    extension: true,
  },
  getCapacitySearch: {
    method: 'GET',
    path: '/projects/{projectId}/capacity-searches/{capacitySearchId}',
    summary: 'One capacity search with its trials and its answer',
    role: 'VIEWER',
    input: z.object({ projectId, capacitySearchId }),
    output: CapacitySearchDetail,
    answers: 'single',
    status: 200,
    extension: true,
  },
  cancelCapacitySearch: {
    method: 'POST',
    path: '/projects/{projectId}/capacity-searches/{capacitySearchId}/cancel',
    summary: 'End a capacity search: the trial in progress is cancelled, results are kept',
    role: 'TESTER',
    input: z.object({ projectId, capacitySearchId }),
    output: CapacitySearchDetail,
    answers: 'single',
    status: 200,
    extension: true,
  },
} as const satisfies Record<string, OperationRow>;

export const BODIES = {
  startCapacitySearch: { slos: [{ metricKey: 'successShare', limit: 99 }], trialSeconds: 60 },
};

type Rows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends Rows {}
}
