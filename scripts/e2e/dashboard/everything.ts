/** A project with one object of each kind, created as a REST client would, so that every page has content. */
import { until } from '../../peers/process.ts';
import { toneWav } from '../../peers/referees/tone.ts';
import { endedRun, type LabAsk, startRun } from './lab-data.ts';
import { OF_FEATURES } from './of-features.ts';

export type Everything = Readonly<Record<string, string>> & {
  readonly projectId: string;
  readonly registrarId: string;
  readonly testId: string;
  readonly probeId: string;
  readonly incidentId: string;
  readonly webhookId: string;
  readonly runId: string;
  readonly endpointId: string;
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
  const ofFeatures = await Promise.all(OF_FEATURES.map(({ make }) => make?.(ask, at, { testId: test.id, runId })));
  return {
    ...Object.assign({}, ...ofFeatures),
    projectId,
    registrarId: registrar.id,
    testId: test.id,
    probeId: probe.id,
    incidentId,
    webhookId: webhook.id,
    runId,
    endpointId: endpoints[0]?.id ?? '',
  };
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
