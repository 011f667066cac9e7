/** The operations about a project's public status page. */
import * as z from 'zod';
import type { OperationRow } from '../../contract/row.ts';
import { StatusPageChange, StatusPageSettings } from './contract/status-page.ts';

const projectId = z.string().describe('project id');

const row = { answers: 'single', extension: true, status: 200, versioned: true } as const;

export const ROWS = {
  getStatusPage: {
    ...row,
    method: 'GET',
    path: '/projects/{projectId}/status-page',
    summary: "Settings of a project's public status page",
    role: 'VIEWER',
    input: z.object({ projectId }),
    output: StatusPageSettings,
  },
  updateStatusPage: {
    ...row,
    method: 'PATCH',
    path: '/projects/{projectId}/status-page',
    summary: "Change a project's public status page: components, and whether it is published",
    role: 'ADMIN',
    input: z.object({ projectId, ...StatusPageChange }),
    output: StatusPageSettings,
  },
} as const satisfies Record<string, OperationRow>;

export const BODIES = { updateStatusPage: { published: true, slug: 'contact-center' } };

type StatusPageRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends StatusPageRows {}
}
