/** What a newcomer creates by clicks, over REST, for chapters about other things: once for all, or for each chapter. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { callsBody } from '../../../control-plane/testing/api.ts';
import { until } from '../../peers/process.ts';
import type { Visit } from '../../peers/referees/chromium.ts';
import { type DashboardLab, PASSWORD, XSS } from './lab.ts';
import { askAs, type EndedRun, endedRun, type LabAsk, request, startRun } from './lab-data.ts';

const EMAIL = 'ada@acme.example';

/** The owner, and the agent berlin-1. */
export async function found(lab: DashboardLab): Promise<void> {
  const { controlPlane } = lab;
  const token = await until('the link is printed', () => /\/set-up#(\S+)/.exec(controlPlane.output())?.[1], {
    of: [controlPlane],
  });
  const { page, context } = await lab.visit();
  await page.goto('/log-in');
  const ask = askAs(page);
  await ask('POST', '/entrance/set-up', {
    ...{ token, organizationName: `Acme ${XSS}`, name: `Ada ${XSS}` },
    ...{ email: EMAIL, password: PASSWORD },
  });
  await joinAgent(lab, ask, 'berlin-1');
  await context.close();
}

/** A worker, and its agent; the id of the worker. */
export async function joinAgent(lab: DashboardLab, ask: LabAsk, name: string): Promise<string> {
  const worker = await ask<{ id: string; joinToken: string }>('POST', '/workers', { name, region: 'local' });
  await lab.startAgent(name, worker.joinToken);
  return worker.id;
}

/** The owner logs in, in no other browser than this one, and creates a project. */
export async function enter(t: Test, lab: DashboardLab): Promise<void> {
  await lab.revive();
  await lab.database.query('delete from sessions');
  const owner = await lab.visit();
  const { page } = owner;
  await page.goto('/log-in');
  const ask = askAs(page);
  await ask('POST', '/entrance/log-in', { email: EMAIL, password: PASSWORD });
  await endRuns(page, lab.projects.at(-1));
  const project = await ask('POST', '/projects', { name: XSS });
  const projectUrl = `${lab.controlPlane.url}/projects/${project.id}`;
  lab.enter({ owner, projectUrl });
  await page.goto(projectUrl);
  await page.getByRole('heading', { name: XSS }).waitFor();
  t.equal(page.url(), projectUrl, 'Ada is logged in');
}

/** A chapter that failed may have left one, which would go on to use the agent. */
async function endRuns(page: Page, at: string | undefined): Promise<void> {
  if (at === undefined) return;
  const open = async () => {
    const runs = await askAs(page)<{ id: string; endedAt: string | null }[]>('GET', `${at}/test-runs`);
    return runs.filter((run) => run.endedAt === null);
  };
  for (const { id } of await open()) await request(page, 'POST', `${at}/test-runs/${id}/cancel`);
  await until('the runs of the chapter before end', async () => (await open()).length === 0);
}

/** Somebody with an account, by an invitation of the owner; logged in. */
export async function comeIn(lab: DashboardLab, name: string, role: string): Promise<Visit> {
  const email = `${name.toLowerCase()}@acme.example`;
  const { token } = await askAs(lab.owner.page)<{ token: string }>('POST', '/invitations', { email, role });
  const guest = await lab.visit();
  await guest.page.goto('/log-in');
  await askAs(guest.page)('POST', '/entrance/accept-invitation', { token, name, password: PASSWORD });
  return guest;
}

/** A test of the chapter's project, for four calls between endpoints of the agent; its id. */
export async function callsTest(lab: DashboardLab): Promise<string> {
  const ask = askAs(lab.owner.page);
  const at = new URL(lab.projectUrl).pathname;
  const registrars = await ask<{ id: string; isCloud: boolean }[]>('GET', `${at}/registrars`);
  const cloudId = registrars.find((one) => one.isCloud)?.id ?? '';
  const shape = { name: `Calls ${XSS}`, buildup: 1, durationSeconds: 3 };
  return (await ask('POST', `${at}/tests`, callsBody(cloudId, 4, shape))).id;
}

/** And its run, which has ended, and where that is. */
export async function callsRun(t: Test, lab: DashboardLab): Promise<EndedRun & { readonly url: string }> {
  const ask = askAs(lab.owner.page);
  const at = new URL(lab.projectUrl).pathname;
  const testId = await callsTest(lab);
  const run = await endedRun(ask, at, () => startRun(ask, at, testId));
  t.equal(run.status, 'COMPLETED');
  return { ...run, url: `${lab.projectUrl}/runs/${run.id}` };
}
