/** Addresses and their pages; each page is loaded on first use. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { FEATURE_PAGES } from '../feature-sums/pages.ts';
import { askAhead } from './api.ts';
import type { LoadPage } from './feature.ts';
import { Shell } from './shell.tsx';
import { Failed } from './show/basics/page.tsx';
import { Troubles } from './show/basics/trouble.tsx';

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Troubles />
    </>
  ),
});
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Shell });

/** Filters are in the address as text. */
type Search = Readonly<Record<string, string | undefined>>;
const validateSearch = (given: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));

type Params = Readonly<Record<string, string>>;
/** `begin`: what it asks for when somebody comes to it, before its script is there. */
const page = <const P extends string>(path: P, load: LoadPage, name: string, begin?: (params: Params) => void) =>
  createRoute({
    getParentRoute: () => inside,
    path,
    validateSearch,
    component: lazyRouteComponent(load as never, name as never),
    loader: ({ params, cause }) => {
      if (cause === 'enter') begin?.(params as Params);
    },
  });
const door = <const P extends string>(path: P, load: LoadPage, name: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch,
    component: lazyRouteComponent(load as never, name as never),
  });

const entrance: LoadPage = () => import('./pages/entrance.tsx');
const home: LoadPage = () => import('./pages/home.tsx');
const project: LoadPage = () => import('./pages/project.tsx');
const tests: LoadPage = () => import('./pages/tests.tsx');
const testForm: LoadPage = () => import('./pages/test-form.tsx');
const runs: LoadPage = () => import('./pages/run/runs.tsx');
const run: LoadPage = () => import('./pages/run/run.tsx');
const calls: LoadPage = () => import('./pages/run/calls.tsx');
const endpoint: LoadPage = () => import('./pages/run/endpoint.tsx');
const endpointCalls: LoadPage = () => import('./pages/run/endpoint-calls.tsx');
const registrars: LoadPage = () => import('./pages/registrars.tsx');
const media: LoadPage = () => import('./pages/media.tsx');
const probes: LoadPage = () => import('./pages/probe/probes.tsx');
const probe: LoadPage = () => import('./pages/probe/probe.tsx');
const executions: LoadPage = () => import('./pages/probe/executions.tsx');
const incident: LoadPage = () => import('./pages/probe/incident.tsx');
const maintenance: LoadPage = () => import('./pages/probe/maintenance.tsx');
const probeForm: LoadPage = () => import('./pages/probe/probe-form.tsx');
const webhooks: LoadPage = () => import('./pages/webhooks.tsx');
const settings: LoadPage = () => import('./pages/settings.tsx');
const workers: LoadPage = () => import('./pages/workers.tsx');
const members: LoadPage = () => import('./pages/members.tsx');
const keys: LoadPage = () => import('./pages/api-keys.tsx');
const audit: LoadPage = () => import('./pages/audit.tsx');
const organization: LoadPage = () => import('./pages/organization.tsx');
const account: LoadPage = () => import('./pages/account.tsx');

function askForRun({ projectId = '', runId: testRunId = '' }: Params): void {
  askAhead('getTestRun', { projectId, testRunId });
  askAhead('getTestRunTimeline', { projectId, testRunId });
}

// Links to pages of features are not checked: the core has none.
const ofFeatures = FEATURE_PAGES.flatMap(({ pages = [] }) => pages.map((one) => page(...one))) as unknown as [];
const doorsOfFeatures = FEATURE_PAGES.flatMap(({ doors = [] }) => doors.map((one) => door(...one))) as unknown as [];

const tree = root.addChildren([
  door('/log-in', entrance, 'LogInPage'),
  door('/set-up', entrance, 'SetUpPage'),
  door('/invitation', entrance, 'InvitationPage'),
  ...doorsOfFeatures,
  inside.addChildren([
    page('/', home, 'HomePage'),
    page('/projects/$projectId', project, 'ProjectPage'),
    page('/projects/$projectId/tests', tests, 'TestsPage'),
    page('/projects/$projectId/tests/new', testForm, 'NewTestPage'),
    page('/projects/$projectId/tests/$testId', testForm, 'TestPage'),
    page('/projects/$projectId/runs', runs, 'RunsPage'),
    page('/projects/$projectId/runs/$runId', run, 'RunPage', askForRun),
    page('/projects/$projectId/calls', calls, 'CallsPage'),
    page('/projects/$projectId/runs/$runId/endpoints/$endpointId', endpoint, 'EndpointPage'),
    page('/projects/$projectId/runs/$runId/endpoints/$endpointId/calls', endpointCalls, 'EndpointCallsPage'),
    page('/projects/$projectId/registrars', registrars, 'RegistrarsPage'),
    page('/projects/$projectId/registrars/$registrarId', registrars, 'RegistrarPage'),
    page('/projects/$projectId/media', media, 'MediaPage'),
    page('/projects/$projectId/probes', probes, 'ProbesPage'),
    page('/projects/$projectId/probes/new', probeForm, 'NewProbePage'),
    page('/projects/$projectId/probes/maintenance', maintenance, 'MaintenancePage'),
    page('/projects/$projectId/probes/$probeId', probe, 'ProbePage'),
    page('/projects/$projectId/probes/$probeId/change', probeForm, 'ChangeProbePage'),
    page('/projects/$projectId/probes/$probeId/executions', executions, 'ExecutionsPage'),
    page('/projects/$projectId/probes/$probeId/incidents/$incidentId', incident, 'IncidentPage'),
    page('/projects/$projectId/webhooks', webhooks, 'WebhooksPage'),
    page('/projects/$projectId/webhooks/$webhookId', webhooks, 'WebhookPage'),
    page('/projects/$projectId/settings', settings, 'SettingsPage'),
    page('/workers', workers, 'WorkersPage'),
    page('/members', members, 'MembersPage'),
    page('/api-keys', keys, 'ApiKeysPage'),
    page('/audit-log', audit, 'AuditPage'),
    page('/organization', organization, 'OrganizationPage'),
    page('/account', account, 'AccountPage'),
    ...ofFeatures,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  // As texts: the router would put numbers in quotes. Addresses that people kept have them.
  parseSearch: (query) =>
    Object.fromEntries(
      Array.from(new URLSearchParams(query), ([key, value]) => [key, value.replace(/^"(\d+)"$/, '$1')]),
    ),
  stringifySearch: (search) => {
    const query = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== undefined)).toString();
    return query && `?${query}`;
  },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error }) => <Failed error={error as Error} again={() => window.location.reload()} />,
  defaultNotFoundComponent: lazyRouteComponent(entrance, 'NotFoundPage'),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
