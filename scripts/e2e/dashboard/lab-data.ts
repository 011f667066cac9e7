/** A project with one object of each kind, created as a REST client would, so that every page has content. */
import type { Page } from 'playwright-core';
import { until } from '../../peers/process.ts';
import { toneWav } from '../../peers/referees/tone.ts';

export type LabAsk = <T = { id: string }>(method: string, path: string, body?: object) => Promise<T>;

/** REST with the session of the user who is logged in on this page. */
export const askAs =
  (page: Page): LabAsk =>
  async (method, path, body) => {
    const { status, text } = await request(page, method, path, body);
    const { data } = JSON.parse(text) as { data?: unknown };
    if (data === undefined) throw new Error(`${method} ${path}: ${status} ${text}`);
    return data as never;
  };

/** The unchanged answer, whatever it is. */
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

export type EndedRun = {
  readonly id: string;
  readonly status: string;
  readonly endedAt: string | null;
  readonly error: { readonly code: string } | null;
  /** null until it has ended. */
  readonly validity: { readonly verdict: string } | null;
};

const MAX_RUNS = 3;
/** A host that is busy: the agents were not ready in time, or their connection was lost. */
const COULD_NOT_START = ['WORKER_REFUSED', 'NO_ONLINE_WORKER'];
const couldNotStart = ({ error }: EndedRun): boolean => error !== null && COULD_NOT_START.includes(error.code);

/** `at`: the project. The id of the run. */
export const startRun = async (ask: LabAsk, at: string, testId: string, body: object = {}): Promise<string> =>
  (await ask<{ testRunId: string }>('POST', `${at}/tests/${testId}/run`, body)).testRunId;

/**
 * A run that has ended. If a busy host has prevented it, or has made its figures void, it is deleted, and `begin` starts another,
 * a few times at most: who asserts figures looks at the verdict of the last.
 */
export const endedRun = (ask: LabAsk, at: string, begin: () => Promise<string>): Promise<EndedRun> =>
  repeated(ask, at, begin, ({ endedAt }) => endedAt !== null);

/** The same for a run that goes on. */
export const runningRun = (ask: LabAsk, at: string, begin: () => Promise<string>): Promise<EndedRun> =>
  repeated(ask, at, begin, ({ status, endedAt }) => status === 'RUNNING' || endedAt !== null);

async function repeated(
  ask: LabAsk,
  at: string,
  begin: () => Promise<string>,
  isThere: (run: EndedRun) => boolean,
): Promise<EndedRun> {
  for (let runs = 1; ; runs++) {
    const path = `${at}/test-runs/${await begin()}`;
    const run = await until(
      'the run starts, and ends',
      async () => {
        const now = await ask<EndedRun>('GET', path);
        return isThere(now) ? now : undefined;
      },
      { everyMs: 250 },
    );
    const isDisturbed = couldNotStart(run) || run.validity?.verdict === 'VOID';
    if (!isDisturbed || runs === MAX_RUNS) return run;
    await ask('DELETE', path);
  }
}

/** Clicks that start a run, and show its page; its id. */
export async function runByClicks(page: Page, click: () => Promise<unknown>): Promise<string> {
  const before = page.url();
  await click();
  await page.waitForURL((url) => /\/runs\/[\w-]{36}$/.test(url.pathname) && url.href !== before);
  return new URL(page.url()).pathname.slice(-UUID_LENGTH);
}

const UUID_LENGTH = 36;

export type Everything = {
  readonly projectId: string;
  readonly registrarId: string;
  readonly testId: string;
  readonly probeId: string;
  readonly incidentId: string;
  readonly webhookId: string;
  readonly runId: string;
  readonly endpointId: string;
  readonly searchId: string;
};

const placement = { mode: 'REGION', region: 'local' };

/** A disturbed agent grades nothing. */
const MAX_TRIES = 20;

/** `name` creates each object's name; `calleeUri`: the target of external calls, which fail. The run has ended when this resolves. */
export async function makeEverything(
  ask: LabAsk,
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
    alertStrikeRuns: 1,
    test: { registrarId: registrar.id, callee, placement },
    thresholds: [{ metricKey: 'callSetup', greenValue: 500, orangeValue: 2000 }],
  });
  const incidentId = await incidentOf(ask, `${at}/probes/${probe.id}`);
  const dayMs = 86_400_000;
  await ask('POST', `${at}/maintenance-windows`, {
    startsAt: new Date(Date.now() + dayMs).toISOString(),
    endsAt: new Date(Date.now() + dayMs + 3_600_000).toISOString(),
    note: name('New firmware'),
  });
  // It did not exist when the incident opened: it alerts no one.
  const webhook = await ask('POST', `${at}/webhooks`, {
    url: 'https://hooks.example/carillon',
    events: ['incident.opened', 'incident.resolved'],
  });
  const labels = { branch: name('main') };
  const { id: runId } = await endedRun(ask, at, () => startRun(ask, at, test.id, { labels }));
  const endpoints = await ask<{ id: string }[]>('GET', `${at}/test-runs/${runId}/endpoints`);
  return {
    projectId,
    registrarId: registrar.id,
    testId: test.id,
    probeId: probe.id,
    incidentId,
    webhookId: webhook.id,
    runId,
    endpointId: endpoints[0]?.id ?? '',
    searchId: await cancelledSearch(ask, at, test.id),
  };
}

/** Up to its first trial: the capacity of a target does not matter for pages. */
async function cancelledSearch(ask: LabAsk, at: string, testId: string): Promise<string> {
  const { id } = await ask('POST', `${at}/tests/${testId}/capacity-searches`, { most: 5, trialSeconds: 2 });
  await ask('POST', `${at}/capacity-searches/${id}/cancel`);
  return id;
}

/** Runs the probe until its failure is graded. */
async function incidentOf(ask: LabAsk, probe: string): Promise<string> {
  for (let n = 0; n < MAX_TRIES; n++) {
    await ask('POST', `${probe}/run`);
    await until(
      'it is executed',
      async () =>
        (await ask<{ completedAt: string | null }[]>('GET', `${probe}/instances?per_page=1`))[0]?.completedAt !== null,
      { everyMs: 500 },
    );
    const [incident] = await ask<{ id: string }[]>('GET', `${probe}/incidents`);
    if (incident) return incident.id;
  }
  throw new Error(`${probe}: ${MAX_TRIES} executions opened no incident`);
}
