/** Addresses and their pages; each page is loaded on first use. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
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

type Load = () => Promise<Record<string, RouteComponent>>;
const page = <const P extends string>(path: P, load: Load, name: string) =>
  createRoute({
    getParentRoute: () => inside,
    path,
    validateSearch,
    component: lazyRouteComponent(load as never, name as never),
  });
const door = <const P extends string>(path: P, load: Load, name: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch,
    component: lazyRouteComponent(load as never, name as never),
  });

const entrance: Load = () => import('./pages/entrance.tsx');
const signIn: Load = () => import('./pages/sign-in.tsx');
const password: Load = () => import('./pages/password.tsx');
const home: Load = () => import('./pages/home.tsx');
const project: Load = () => import('./pages/project.tsx');
const tests: Load = () => import('./pages/tests.tsx');
const testForm: Load = () => import('./pages/test-form.tsx');
const runs: Load = () => import('./pages/run/runs.tsx');
const run: Load = () => import('./pages/run/run.tsx');
const failedCalls: Load = () => import('./pages/run/failed-calls.tsx');
const compare: Load = () => import('./pages/run/compare.tsx');
const endpoint: Load = () => import('./pages/run/endpoint.tsx');
const endpointCalls: Load = () => import('./pages/run/endpoint-calls.tsx');
const capacity: Load = () => import('./pages/capacity/searches.tsx');
const capacitySearch: Load = () => import('./pages/capacity/search.tsx');
const registrars: Load = () => import('./pages/registrars.tsx');
const media: Load = () => import('./pages/media.tsx');
const probes: Load = () => import('./pages/probe/probes.tsx');
const probe: Load = () => import('./pages/probe/probe.tsx');
const executions: Load = () => import('./pages/probe/executions.tsx');
const incident: Load = () => import('./pages/probe/incident.tsx');
const maintenance: Load = () => import('./pages/probe/maintenance.tsx');
const probeForm: Load = () => import('./pages/probe/probe-form.tsx');
const webhooks: Load = () => import('./pages/webhooks.tsx');
const settings: Load = () => import('./pages/settings.tsx');
const workers: Load = () => import('./pages/workers.tsx');
const members: Load = () => import('./pages/members.tsx');
const keys: Load = () => import('./pages/api-keys.tsx');
const audit: Load = () => import('./pages/audit.tsx');
const organization: Load = () => import('./pages/organization.tsx');
const statusPage: Load = () => import('./pages/status-page.tsx');
const mail: Load = () => import('./pages/mail.tsx');
const account: Load = () => import('./pages/account.tsx');

const tree = root.addChildren([
  door('/log-in', entrance, 'LogInPage'),
  door('/set-up', entrance, 'SetUpPage'),
  door('/invitation', entrance, 'InvitationPage'),
  door('/sign-in', signIn, 'SignInPage'),
  door('/password-link', password, 'PasswordLinkPage'),
  door('/password', password, 'NewPasswordPage'),
  inside.addChildren([
    page('/', home, 'HomePage'),
    page('/projects/$projectId', project, 'ProjectPage'),
    page('/projects/$projectId/tests', tests, 'TestsPage'),
    page('/projects/$projectId/tests/new', testForm, 'NewTestPage'),
    page('/projects/$projectId/tests/$testId', testForm, 'TestPage'),
    page('/projects/$projectId/runs', runs, 'RunsPage'),
    page('/projects/$projectId/runs/$runId', run, 'RunPage'),
    page('/projects/$projectId/failed-calls', failedCalls, 'FailedCallsPage'),
    page('/projects/$projectId/compare', compare, 'ComparePage'),
    page('/projects/$projectId/runs/$runId/endpoints/$endpointId', endpoint, 'EndpointPage'),
    page('/projects/$projectId/runs/$runId/endpoints/$endpointId/calls', endpointCalls, 'EndpointCallsPage'),
    page('/projects/$projectId/capacity', capacity, 'CapacityPage'),
    page('/projects/$projectId/capacity/$searchId', capacitySearch, 'CapacitySearchPage'),
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
    page('/projects/$projectId/status-page', statusPage, 'StatusPageSettingsPage'),
    page('/projects/$projectId/mail', mail, 'MailPage'),
    page('/projects/$projectId/settings', settings, 'SettingsPage'),
    page('/workers', workers, 'WorkersPage'),
    page('/members', members, 'MembersPage'),
    page('/api-keys', keys, 'ApiKeysPage'),
    page('/audit-log', audit, 'AuditPage'),
    page('/organization', organization, 'OrganizationPage'),
    page('/account', account, 'AccountPage'),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error }) => <Failed error={error as Error} again={() => window.location.reload()} />,
  defaultNotFoundComponent: () => <Failed error={new Error('Page not found.')} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
