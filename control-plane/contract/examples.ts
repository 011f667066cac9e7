/** Examples of bodies and answers for the OpenAPI document. A test validates each against the schema of its operation. */
import { FEATURE_RUN_START_EXAMPLE } from '../feature-sums/fields.ts';
import type { OperationName } from './catalogue.ts';
import { ERRORS, type ErrorCode, errorPage } from './errors.ts';

const ID = {
  test: '01a21874-58d2-70b7-bbc6-15eece0434b6',
  run: '01a21875-0b87-736c-b6f1-721d8ee17d87',
  registrar: '01a21874-6c11-7d02-9f3a-5b8c1e9d4a70',
  request: '0b1f3c1e-6f0a-4a8e-9a43-3f0f2f6f0c55',
} as const;
const META = { requestId: ID.request };
const PLACEMENT = { mode: 'REGION', region: 'eu-west' };
const SUBMITTED_AT = '2026-01-31T12:00:00.000Z';

export const BODIES: { readonly [N in OperationName]?: object } = {
  runTest: {
    labels: { commit: '4f2a9c1', branch: 'main' },
    overrides: { callsPerSecond: 20, seconds: 60 },
    ...FEATURE_RUN_START_EXAMPLE,
  },
  createProject: { name: 'Contact center', description: 'Tests before each release' },
  createRegistrar: { name: 'PBX', uri: 'sip:pbx.example.org:5060', protocol: 'UDP' },
  createSipAccounts: { sipAccounts: [{ username: '1001', password: 'secret of the account', displayName: 'Desk 1' }] },
  createTest: {
    name: 'Calls to the queue',
    durationSeconds: 30,
    load: { shape: 'RATE', callsPerSecond: 5, seconds: 300 },
    groups: [
      {
        name: 'callers',
        registrarId: ID.registrar,
        callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@pbx.example.org' },
        placement: PLACEMENT,
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 200, calls: null }],
      },
    ],
    thresholds: [{ metricKey: 'successShare', greenValue: 99.9, orangeValue: 99 }],
  },
  updateTest: { durationSeconds: 60 },
  createProbe: {
    name: 'Front door (eu-west)',
    fixedIntervalSec: 300,
    test: {
      registrarId: ID.registrar,
      callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@pbx.example.org' },
      placement: PLACEMENT,
    },
    thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3.6 }],
  },
  createWebhook: { url: 'https://hooks.example.org/carillon', events: ['incident.opened', 'incident.resolved'] },
  createMaintenanceWindow: {
    note: 'Upgrade of the PBX',
    startsAt: '2026-02-01T22:00:00Z',
    endsAt: '2026-02-01T23:00:00Z',
  },
  updateTestRunLoad: { callsPerSecond: 10 },
  updateTestRunBaseline: { isBaseline: true },
  replayTestRun: { labels: { commit: '4f2a9c1' } },
  updateProject: { description: 'Tests before each release, and probes of the trunks' },
  updateRegistrar: { uri: 'sip:pbx-2.example.org:5060' },
  checkRegistrar: { region: 'eu-west' },
  updateSipAccount: { password: 'new secret of the account' },
  updateProbe: { enabled: false },
  updateProbeIncident: { acknowledged: true, note: 'The carrier knows.' },
  updateMaintenanceWindow: { endsAt: '2026-02-01T23:30:00Z' },
  createMediaFile: { name: 'Greeting', content: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=' },
  updateWebhook: { events: ['incident.opened'], enabled: true },
  rotateWebhookSecret: {},
};

/** The examples of whole answers, with their envelope. */
export const ANSWERS: { readonly [N in OperationName]?: object } = {
  listProjects: {
    data: [
      {
        id: '01a21874-5001-7c3d-8b0e-2d9f6a1c7e11',
        slug: 'contact-center',
        name: 'Contact center',
        description: 'Tests before each release',
        testCount: 12,
        probeCount: 4,
        registrarCount: 2,
      },
    ],
    meta: { ...META, pagination: { page: 1, perPage: 25, total: 1, totalPages: 1 } },
  },
  runTest: {
    data: { id: ID.run, testRunId: ID.run, testId: ID.test, status: 'PENDING', createdAt: SUBMITTED_AT },
    meta: META,
  },
  deleteTestRun: { data: { id: ID.run, deleted: true }, meta: META },
};

const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNAUTHORIZED: 'Invalid or expired API key. Send a valid one as: Authorization: Bearer crl_…',
  NOT_FOUND: `There is no test run "${ID.run}" here, or you may not see it.`,
  VALIDATION_ERROR: 'per_page: must be a whole number from 1 to 100',
  RATE_LIMITED: 'This key has used its 120 requests a minute. Try again in 17 s.',
};
const DETAILS: Readonly<Partial<Record<ErrorCode, object[]>>> = {
  VALIDATION_ERROR: [{ path: 'per_page', message: 'must be a whole number from 1 to 100' }],
};

/** The example of an error answer: the first code with this status. */
export function errorExample(status: number): object | undefined {
  const found = (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code].status === status);
  if (found === undefined) return undefined;
  const details = DETAILS[found];
  const docs = errorPage(found);
  return {
    error: { code: found, message: MESSAGES[found] ?? ERRORS[found].when, ...(details && { details }), docs },
    meta: META,
  };
}
