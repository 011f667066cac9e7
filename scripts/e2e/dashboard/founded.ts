/** What the newcomer's chapter creates by clicks, over REST: for files that are about other things. */
import path from 'node:path';
import { callsBody } from '../../../control-plane/testing/api.ts';
import { startAgentProcess } from '../../peers/lab/carillon.ts';
import { until } from '../../peers/process.ts';
import { type Chapter, PASSWORD, XSS } from './lab.ts';
import { askAs } from './lab-data.ts';

/** Owner, project and agent. */
export const founded: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const token = await until('the link is printed', () => /\/set-up#(\S+)/.exec(lab.controlPlane.output())?.[1]);
  await page.goto('/log-in');
  const ask = askAs(page);
  await ask('POST', '/entrance/set-up', {
    ...{ token, organizationName: `Acme ${XSS}`, name: `Ada ${XSS}` },
    ...{ email: 'ada@acme.example', password: PASSWORD },
  });
  const project = await ask('POST', '/projects', { name: XSS });
  lab.projectUrl = `${lab.controlPlane.url}/projects/${project.id}`;
  const { joinToken } = await ask<{ joinToken: string }>('POST', '/workers', { name: 'berlin-1', region: 'local' });
  const { url } = lab.controlPlane;
  const agent = await startAgentProcess({ url, stateDir: path.join(lab.dir, 'agent'), joinToken });
  lab.stopLast(() => agent.stop('SIGTERM', 15_000));
  await page.goto(lab.projectUrl);
  await page.getByRole('heading', { name: XSS }).waitFor();
  t.equal(page.url(), lab.projectUrl, 'Ada is logged in');
};

/** And a test whose run has ended: four calls between endpoints of the agent. */
export const foundedWithRun: Chapter = async (t, lab) => {
  await founded(t, lab);
  const ask = askAs(lab.owner.page);
  const at = new URL(lab.projectUrl).pathname;
  const registrars = await ask<{ id: string; isCloud: boolean }[]>('GET', `${at}/registrars`);
  const cloudId = registrars.find((one) => one.isCloud)?.id ?? '';
  const shape = { name: `Calls ${XSS}`, buildup: 1, durationSeconds: 3 };
  const test = await ask('POST', `${at}/tests`, callsBody(cloudId, 4, shape));
  const { testRunId } = await ask<{ testRunId: string }>('POST', `${at}/tests/${test.id}/run`);
  const run = await until('the run ends', async () => {
    const now = await ask<{ endedAt: string | null; status: string }>('GET', `${at}/test-runs/${testRunId}`);
    return now.endedAt === null ? undefined : now;
  });
  t.equal(run.status, 'COMPLETED');
  lab.runUrl = `${lab.projectUrl}/runs/${testRunId}`;
};
