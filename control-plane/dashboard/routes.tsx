/** Addresses and their pages; each page is loaded on first use. */
import { Component, type ReactNode } from 'react';
import { FEATURE_PAGES } from '../feature-sums/pages.ts';
import type { Params } from './addresses.ts';
import { askAhead } from './api.ts';
import { type LoadPage, Outlet, type PageRoute, startRouter, useLocation } from './router.tsx';
import { Shell } from './shell.tsx';
import { Failed, Waiting } from './show/basics/page.tsx';
import { Troubles } from './show/basics/trouble.tsx';

/** `begin`: what it asks for when somebody comes to it, before its script is there. */
const page = (path: string, load: LoadPage, name: string, begin?: (params: Params) => void): PageRoute => ({
  ...{ path, load, name, begin },
  isInside: true,
});
const door = (path: string, load: LoadPage, name: string): PageRoute => ({ path, load, name, isInside: false });

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

const ROUTES: readonly PageRoute[] = [
  door('/log-in', entrance, 'LogInPage'),
  door('/set-up', entrance, 'SetUpPage'),
  door('/invitation', entrance, 'InvitationPage'),
  ...FEATURE_PAGES.flatMap(({ doors = [] }) => doors.map((one) => door(...one))),
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
  ...FEATURE_PAGES.flatMap(({ pages = [] }) => pages.map((one) => page(...one))),
];

export const startRoutes = (): void => startRouter(ROUTES, door('', entrance, 'NotFoundPage'));

/** The page of the address, within the frame if it is behind the log-in. */
export function Routes() {
  const { pathname, route } = useLocation();
  const page = (
    <PageFault at={pathname}>
      <Outlet waiting={<Waiting />} />
    </PageFault>
  );
  return (
    <>
      {route.isInside ? <Shell>{page}</Shell> : page}
      <Troubles />
    </>
  );
}

type Fault = { readonly error: Error | null; readonly at: string };

/** A page that fails is replaced by what it says, until another one is gone to. */
class PageFault extends Component<{ at: string; children: ReactNode }, Fault> {
  override state: Fault = { error: null, at: this.props.at };
  static getDerivedStateFromError = (error: Error) => ({ error });
  static getDerivedStateFromProps = ({ at }: { at: string }, state: Fault) =>
    at === state.at ? null : { error: null, at };
  override render = () =>
    this.state.error === null ? (
      this.props.children
    ) : (
      <Failed error={this.state.error} again={() => window.location.reload()} />
    );
}
