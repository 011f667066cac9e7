/** The operations that give a run as a file. */
import * as z from 'zod';
import type { OperationRow } from '../../contract/row.ts';
import { Span, TraceFilter } from '../../contract/run/trace.ts';

const PCAPNG = 'application/x-pcapng';
const CSV = 'text/csv; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

const projectId = z.string().describe('project id');
const testRunId = z.string().describe('test run id');
const endpointId = z.string().describe('endpoint id');

export const ROWS = {
  exportTestRunTrace: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/trace.pcapng',
    summary: 'SIP messages of a test run as packets, for Wireshark and similar programs; credentials masked',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, ...TraceFilter }),
    output: z.file(),
    answers: 'file',
    contentType: PCAPNG,
    status: 200,
    extension: true,
  },
  exportTestRunEndpointTrace: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/endpoints/{endpointId}/trace.pcapng',
    summary: 'SIP messages of one endpoint as packets; credentials masked',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, endpointId, ...Span }),
    output: z.file(),
    answers: 'file',
    contentType: PCAPNG,
    status: 200,
    extension: true,
  },
  exportTestRunEndpoints: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/endpoints.csv',
    summary: 'Every endpoint of a test run as CSV (RFC 4180)',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId }),
    output: z.file(),
    answers: 'file',
    contentType: CSV,
    status: 200,
    extension: true,
  },
  exportTestRunReport: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/report.html',
    summary: 'A test run as one self-contained HTML file',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId }),
    output: z.file(),
    answers: 'file',
    contentType: HTML,
    status: 200,
    extension: true,
  },
} as const satisfies Record<string, OperationRow>;

type Rows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends Rows {}
}
