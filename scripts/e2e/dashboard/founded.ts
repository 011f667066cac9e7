/** What the newcomer's chapter creates by clicks, except its test and run, over REST: for a file whose chapters need no more. */
import path from 'node:path';
import { startAgentProcess } from '../../peers/lab/carillon.ts';
import { until } from '../../peers/process.ts';
import { type Chapter, PASSWORD, XSS } from './lab.ts';
import { askAs } from './lab-data.ts';

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
