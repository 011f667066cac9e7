/** A project with one of everything, made as a client of REST would, so that every page has something to show. */
import type { Page } from 'playwright-core';
import { until } from '../../peers/process.ts';
import { toneWav } from '../../peers/tone.ts';

export type Ask = <T = { id: string }>(method: string, path: string, body?: object) => Promise<T>;

/** REST with the session of whoever is logged in on this page. */
export const askAs =
  (page: Page): Ask =>
  async (method, path, body) => {
    const { status, text } = await request(page, method, path, body);
    const { data } = JSON.parse(text) as { data?: unknown };
    if (data === undefined) throw new Error(`${method} ${path}: ${status} ${text}`);
    return data as never;
  };

/** The answer as it came, whatever it is. */
export const request = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(`/api/v1${path}`, {
        method,
        headers: { 'x-carillon-dashboard': '1', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body }),
      });
      return { status: response.status, text: await response.text() };
    },
    [method, path, body ? JSON.stringify(body) : ''] as const,
  );

export type Everything = {
  readonly projectId: string;
  readonly registrarId: string;
  readonly testId: string;
  readonly probeId: string;
  readonly webhookId: string;
  readonly runId: string;
  readonly endpointId: string;
};

const placement = { mode: 'REGION', region: 'local' };

/** `name` makes each thing's name; `calleeUri`: who answers what goes outside. The run has ended when this resolves. */
export async function makeEverything(
  ask: Ask,
  projectId: string,
  calleeUri: string,
  name: (what: string) => string,
): Promise<Everything> {
  const at = `/projects/${projectId}`;
  const registrar = await ask('POST', `${at}/registrars`, {
    name: name('Front PBX'),
    uri: calleeUri.replace(/^sip:[^@]+@/, 'sip:'),
    register: false,
  });
  await ask('POST', `${at}/registrars/${registrar.id}/sip-accounts`, {
    sipAccounts: ['1001', '1002'].map((username) => ({ username, password: 'x' })),
  });
  await ask('POST', `${at}/media-files`, {
    name: name('greeting.wav'),
    content: toneWav({ hz: [440], peak: 0.5, rateHz: 8000 }).toString('base64'),
  });
  const callee = { mode: 'EXTERNAL_URI', uri: calleeUri };
  const test = await ask('POST', `${at}/tests`, {
    name: name('Front door'),
    description: name('Rings at the front'),
    buildup: 1,
    durationSeconds: 2,
    groups: [
      {
        name: name('callers'),
        registrarId: registrar.id,
        callee,
        placement,
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 2 }],
      },
    ],
  });
  const probe = await ask('POST', `${at}/probes`, {
    name: name('Front door (local)'),
    fixedIntervalSec: 3600,
    durationSeconds: 5,
    enabled: false,
    test: { registrarId: registrar.id, callee, placement },
    thresholds: [{ metricKey: 'callSetup', greenValue: 500, orangeValue: 2000 }],
  });
  const webhook = await ask('POST', `${at}/webhooks`, {
    url: 'https://hooks.example/carillon',
    events: ['incident.opened', 'incident.resolved'],
  });
  const { testRunId: runId } = await ask<{ testRunId: string }>('POST', `${at}/tests/${test.id}/run`);
  await ask('POST', `${at}/probes/${probe.id}/run`);
  await until(
    'the run ends',
    async () => (await ask<{ endedAt: string | null }>('GET', `${at}/test-runs/${runId}`)).endedAt !== null,
  );
  const endpoints = await ask<{ id: string }[]>('GET', `${at}/test-runs/${runId}/endpoints`);
  return {
    projectId,
    registrarId: registrar.id,
    testId: test.id,
    probeId: probe.id,
    webhookId: webhook.id,
    runId,
    endpointId: endpoints[0]?.id ?? '',
  };
}
