/**
 * Every operation of the core, one row each; ../catalogue.ts has those of all features, too. REST routes, OpenAPI, MCP tools and clients are generated from this table;
 * a row without a handler does not compile (operations/index.ts). row.ts defines a row; configuration.ts has the
 * writing operations, probe-rows.ts those about probes, people/accounts.ts those for people only.
 */
import { MAX_CALLS_PER_SECOND } from '@carillon/proto/load/shapes/shape.ts';
import * as z from 'zod';
import { CONFIGURATION } from './configuration.ts';
import { Deleted, Page } from './envelope.ts';
import { NOTIFICATIONS } from './notify/notification-rows.ts';
import { ACCOUNTS } from './people/accounts.ts';
import { OWN } from './people/own-rows.ts';
import { PROBES } from './probe/probe-rows.ts';
import { Project, ProjectDetail } from './project/project.ts';
import { Registrar } from './project/registrar.ts';
import { cursorOf } from './query.ts';
import type { OperationRow } from './row.ts';
import { ANSWERS_OF_RUNS } from './run/ended-run-rows.ts';
import { Call, EndpointDetail, EndpointFilter } from './run/endpoint.ts';
import { Metrics, RESOLUTIONS } from './run/metrics.ts';
import { Endpoint, Run, RunDetail, StartedRun } from './run/run.ts';
import { RunFilter } from './run/run-filter.ts';
import { RUN_START } from './run/start.ts';
import { Histograms, LiveEvent, RunConfiguration, Timeline } from './run/timeline.ts';
import { EventFilter, Message, MessageDetail, MessageFilter, RunEvent } from './run/trace.ts';
import { Test, TestDetail } from './test-settings/test.ts';

export { type OperationRow, otherParameters, pathParameters, scopeOf, takesBody } from './row.ts';

const EVENT_STREAM = 'text/event-stream';

const projectId = z.string().describe('project id');
const testId = z.string().describe('test id');
const testRunId = z.string().describe('test run id');
const endpointId = z.string().describe('endpoint id');
const messageId = z.string().describe('message id');

export const CORE_ROWS = {
  ...OWN,
  listProjects: {
    method: 'GET',
    path: '/projects',
    summary: 'Projects that the key may see',
    role: 'VIEWER',
    input: z.object({ ...Page, ...cursorOf(['name', '-name', 'createdAt', '-createdAt']) }),
    output: Project,
    answers: 'list',
    status: 200,
  },
  getProject: {
    method: 'GET',
    path: '/projects/{projectId}',
    summary: 'One project in full',
    role: 'VIEWER',
    input: z.object({ projectId }),
    output: ProjectDetail,
    answers: 'single',
    status: 200,
    versioned: true,
  },
  listTests: {
    method: 'GET',
    path: '/projects/{projectId}/tests',
    summary: 'Tests of a project',
    role: 'VIEWER',
    input: z.object({
      projectId,
      ...Page,
      ...cursorOf(['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'endpoints', '-endpoints']),
    }),
    output: Test,
    answers: 'list',
    status: 200,
  },
  getTest: {
    method: 'GET',
    path: '/projects/{projectId}/tests/{testId}',
    summary: 'One test with groups, codecs and media',
    role: 'VIEWER',
    input: z.object({ projectId, testId }),
    output: TestDetail,
    answers: 'single',
    status: 200,
    versioned: true,
  },
  runTest: {
    method: 'POST',
    path: '/projects/{projectId}/tests/{testId}/run',
    summary: 'Start a test run',
    role: 'TESTER',
    input: z.object({ projectId, testId, ...RUN_START }),
    output: StartedRun,
    answers: 'single',
    status: 201,
    once: true,
  },
  listTestRuns: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs',
    summary: 'Test runs of a project, last submitted first',
    role: 'VIEWER',
    input: z.object({ projectId, ...Page, ...RunFilter }),
    output: Run,
    answers: 'list',
    status: 200,
  },
  getTestRun: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}',
    summary: 'One test run with its figures',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId }),
    output: RunDetail,
    answers: 'single',
    status: 200,
    kept: true,
  },
  listTestRunEndpoints: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/endpoints',
    summary: 'Endpoints of a test run',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, ...Page, ...EndpointFilter }),
    output: Endpoint,
    answers: 'list',
    status: 200,
    kept: true,
  },
  listTestRunCalls: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/calls',
    summary: 'Calls of a test run; a call between its own endpoints is listed at both ends',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, ...Page, ...EndpointFilter }),
    output: Call,
    answers: 'list',
    status: 200,
    extension: true,
    kept: true,
  },
  listTestRunEndpointCalls: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/endpoints/{endpointId}/calls',
    summary: 'Calls of an endpoint, one after another',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, endpointId, ...Page, ...EndpointFilter }),
    output: Call,
    answers: 'list',
    status: 200,
    extension: true,
    kept: true,
  },
  getTestRunEndpoint: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/endpoints/{endpointId}',
    summary: 'One endpoint in full: times, streams by direction, message counts',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, endpointId }),
    output: EndpointDetail,
    answers: 'single',
    status: 200,
    extension: true,
    kept: true,
  },
  listTestRunEvents: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/events',
    summary: 'Events of a test run, in order of time',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, ...Page, ...EventFilter }),
    output: RunEvent,
    answers: 'list',
    status: 200,
    extension: true,
  },
  listTestRunMessages: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/messages',
    summary: 'SIP messages of a test run, in order of time',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, ...Page, ...MessageFilter }),
    output: Message,
    answers: 'list',
    status: 200,
    extension: true,
  },
  getTestRunMessage: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/messages/{messageId}',
    summary: 'One SIP message with its text, which may come from an untrusted peer',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, messageId }),
    output: MessageDetail,
    answers: 'single',
    status: 200,
    extension: true,
  },
  getTestRunMetrics: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/metrics',
    summary: 'Quality over time',
    role: 'VIEWER',
    input: z.object({
      projectId,
      testRunId,
      resolution: z.enum(RESOLUTIONS).optional(),
      endpoint_id: z.string().optional(),
    }),
    output: Metrics,
    answers: 'single',
    status: 200,
    kept: true,
  },
  getTestRunTimeline: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/timeline',
    summary: "Calls, answers, set-up times, ratings, loss and the agents' noise over time",
    role: 'VIEWER',
    input: z.object({ projectId, testRunId, resolution: z.enum(RESOLUTIONS).optional() }),
    output: Timeline,
    answers: 'single',
    status: 200,
    extension: true,
    kept: true,
  },
  getTestRunHistograms: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/histograms',
    summary: 'Distributions of the call timings of a test run',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId }),
    output: Histograms,
    answers: 'single',
    status: 200,
    extension: true,
    kept: true,
  },
  getTestRunConfiguration: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/configuration',
    summary: 'The test as it was when the run was submitted',
    role: 'VIEWER',
    input: z.object({ projectId, testRunId }),
    output: RunConfiguration,
    answers: 'single',
    status: 200,
    extension: true,
  },
  streamTestRun: {
    method: 'GET',
    path: '/projects/{projectId}/test-runs/{testRunId}/live',
    summary: 'A test run in progress, as server-sent events once a second: run, timeline and end',
    role: 'VIEWER',
    input: z.object({
      projectId,
      testRunId,
      after: z.string().max(100).optional().describe('id of the last event received, as Last-Event-ID'),
    }),
    output: LiveEvent,
    answers: 'events',
    contentType: EVENT_STREAM,
    status: 200,
    extension: true,
  },
  cancelTestRun: {
    method: 'POST',
    path: '/projects/{projectId}/test-runs/{testRunId}/cancel',
    summary: 'Stop a test run: calls are hung up, registrations removed, measurements kept',
    role: 'TESTER',
    input: z.object({ projectId, testRunId }),
    output: Run,
    answers: 'single',
    status: 200,
    extension: true,
  },
  deleteTestRun: {
    method: 'DELETE',
    path: '/projects/{projectId}/test-runs/{testRunId}',
    summary: 'Delete a test run with all its measurements; refused while it is open, and for executions of probes',
    role: 'EDITOR',
    input: z.object({ projectId, testRunId }),
    output: Deleted,
    answers: 'single',
    status: 200,
    extension: true,
  },
  updateTestRunLoad: {
    method: 'POST',
    path: '/projects/{projectId}/test-runs/{testRunId}/load',
    summary: 'Change the rate of a run whose endpoints place more than one call, from now to the end of its load',
    role: 'TESTER',
    input: z.object({
      projectId,
      testRunId,
      callsPerSecond: z.number().min(0).max(MAX_CALLS_PER_SECOND).describe('0: a pause, until it is changed again'),
    }),
    output: Run,
    answers: 'single',
    status: 200,
    extension: true,
  },
  ...ANSWERS_OF_RUNS,
  ...PROBES,
  listRegistrars: {
    method: 'GET',
    path: '/projects/{projectId}/registrars',
    summary: 'SIP registrars of a project',
    role: 'VIEWER',
    input: z.object({
      projectId,
      ...Page,
      ...cursorOf(['name', '-name', 'createdAt', '-createdAt']),
    }),
    output: Registrar,
    answers: 'list',
    status: 200,
  },
  ...CONFIGURATION,
  ...ACCOUNTS,
  ...NOTIFICATIONS,
} as const satisfies Record<string, OperationRow>;

/** Features add their rows to it (control-plane/features). */
// biome-ignore lint/suspicious/noEmptyInterface: it is merged with those of features
export interface FeatureRows {}
export type Catalogue = typeof CORE_ROWS & FeatureRows;
export type CoreName = keyof typeof CORE_ROWS;
export type OperationName = keyof Catalogue;
/** The operations that need no identity: people log in by them. */
export type EntranceName = {
  [N in OperationName]: Catalogue[N] extends { readonly by: 'ANYONE' } ? N : never;
}[OperationName];
/** The operations that require an identity. */
export type KnownName = Exclude<OperationName, EntranceName>;
export type Input<N extends OperationName> = z.output<Catalogue[N]['input']>;
export type Output<N extends OperationName> = z.input<Catalogue[N]['output']>;
