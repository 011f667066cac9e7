/** Every address of the dashboard, by the router's path, and an element of the finished page. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OF_FEATURES } from './of-features.ts';

const CONTROL_PLANE = path.resolve(import.meta.dirname, '../../../control-plane');
const SOURCES = ['dashboard/routes.tsx', ...globSync('features/*/pages.tsx', { cwd: CONTROL_PLANE })];

/** From the sources of the router and of features: a missing row in the tables is found. */
export const routes = (): string[] =>
  SOURCES.flatMap((file) => [
    ...readFileSync(path.join(CONTROL_PLANE, file), 'utf8').matchAll(/(?:\b(?:page|door)\(|\[)\s*'(\/[^']*)',/g),
  ]).map((m) => m[1] as string);

/** null: before the log-in; separate chapters cover those. */
export const PAGES: Readonly<Record<string, string | RegExp | null>> = {
  '/log-in': null,
  '/set-up': null,
  '/invitation': null,
  '/': 'Agents online',
  '/projects/$projectId': 'Recent runs',
  '/projects/$projectId/tests': /Front door/,
  '/projects/$projectId/tests/new': 'Summary',
  '/projects/$projectId/tests/$testId': 'Summary',
  '/projects/$projectId/runs': /of \d+ calls? good/,
  '/projects/$projectId/runs/$runId': 'SIP responses',
  '/projects/$projectId/runs/$runId/endpoints/$endpointId': /INVITE/,
  '/projects/$projectId/runs/$runId/endpoints/$endpointId/calls': '1 call',
  '/projects/$projectId/calls': /^\d+ call/,
  '/projects/$projectId/registrars': 'built in',
  '/projects/$projectId/registrars/$registrarId': '1001',
  '/projects/$projectId/media': /greeting/,
  '/projects/$projectId/probes': /Front door/,
  '/projects/$projectId/probes/new': /Name/,
  '/projects/$projectId/probes/maintenance': /firmware/,
  '/projects/$projectId/probes/$probeId': 'Run now',
  '/projects/$projectId/probes/$probeId/change': /Front door/,
  '/projects/$projectId/probes/$probeId/executions': 'Unhealthy',
  '/projects/$projectId/probes/$probeId/incidents/$incidentId': 'Run that opened it',
  '/projects/$projectId/webhooks': /hooks\.example/,
  '/projects/$projectId/webhooks/$webhookId': /hooks\.example/,
  '/projects/$projectId/mail': 'Recipients',
  '/projects/$projectId/settings': 'Delete this project',
  '/workers': 'berlin-1',
  '/members': 'ada@acme.example',
  '/api-keys': /API key/,
  '/audit-log': 'create test',
  '/organization': 'Plans of this installation',
  '/account': 'Active sessions',
  ...Object.assign({}, ...OF_FEATURES.map(({ pages }) => pages)),
};

/** What the control plane serves beside the dashboard, and an address that has no page. */
export const OTHER_PAGES: Readonly<Record<string, string>> = {
  '/nowhere': 'Page not found',
  '/docs/': 'Documentation',
  '/docs/guide/get-started': 'Get started',
  '/docs/reference/settings': 'Settings',
  ...Object.assign({}, ...OF_FEATURES.map(({ publicPages }) => publicPages)),
};

export const addressOf = (route: string, ids: Readonly<Record<string, string>>): string =>
  route.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? name);

/** As a file is called. */
export const nameOfPage = (route: string): string =>
  route.replace('/projects/$projectId', '/project').replaceAll(/\W+/g, '-').replace(/^-/, '') || 'home';
