/** An installation with one test, in which packages take part. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '../../../control-plane/client.ts';
import { SESSION_HEADER } from '../../../control-plane/contract/call.ts';
import { installWays } from '../../../control-plane/dashboard/show/workers/install-commands.ts';
import { newApiKey } from '../../peers/lab/carillon.ts';
import { callsAmongAgents, labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { until } from '../../peers/process.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const { version: VERSION } = JSON.parse(readFileSync(path.join(ROOT, 'agent/package.json'), 'utf8')) as {
  version: string;
};
const OWNER = { email: 'owner@prove.example', password: 'a password for one proof' };
const CALLS = 4;

type Started = { readonly url: string; stop(): Promise<unknown> };

/**
 * A control plane on the host's loopback, as seen by a logged-in owner.
 * @param start starts it with that text of a provisioning file
 */
export async function startInstallation(start: (provision: string) => Promise<Started>) {
  const apiKey = newApiKey();
  const organization = labOrganization({
    apiKey,
    workers: [],
    registrars: [],
    tests: [callsAmongAgents('calls', { endpoints: CALLS, durationSeconds: 3 })],
  });
  const owner = { name: 'Owner', role: 'OWNER', ...OWNER };
  const file = { ...organization, users: [...(organization.users ?? []), owner] } as typeof organization;
  const { url, stop } = await start(provisionText(file));
  const call = createClient(`${url}/api/v1`, apiKey);
  return {
    /** The lines that the dashboard shows for this kind of installation. */
    async printed(way: string): Promise<string[]> {
      const headers = { 'content-type': 'application/json', [SESSION_HEADER]: '1' };
      const login = await fetch(`${url}/api/v1/entrance/log-in`, {
        method: 'POST',
        headers,
        body: JSON.stringify(OWNER),
      });
      const cookie = login.headers
        .getSetCookie()
        .map((c) => c.split(';')[0])
        .join('; ');
      const body = JSON.stringify({ name: 'edge', region: 'local', capacity: 100 });
      const made = await fetch(`${url}/api/v1/workers`, { method: 'POST', headers: { ...headers, cookie }, body });
      const answer = (await made.json()) as { data?: { joinToken: string } };
      if (!answer.data) throw new Error(`no worker: ${JSON.stringify(answer)}`);
      const shown = installWays(`${url.replace(/^http/, 'ws')}/agent/v1`, answer.data.joinToken, VERSION).find(
        ({ name }) => name === way,
      );
      return shown?.command.split('\n') ?? [];
    },
    /** What became of a run. @throws Error unless all of its calls were good */
    async run(): Promise<string> {
      const projectId = (await call('listProjects', {})).rows[0]?.id as string;
      const testId = (await call('listTests', { projectId })).rows[0]?.id as string;
      await until('the worker is online', async () =>
        /carillon_workers\{status="ONLINE"\} 1/.test(await (await fetch(`${url}/metrics`)).text()),
      );
      const { testRunId } = await call('runTest', { projectId, testId });
      const run = await until('the run ends', async () => {
        const now = await call('getTestRun', { projectId, testRunId });
        return now.endedAt === null ? undefined : now;
      });
      const { successCount, totalCalls } = run.callTiming;
      if (`${run.status}, ${successCount} of ${totalCalls}` !== `COMPLETED, ${CALLS} of ${CALLS}`)
        throw new Error(`the run: ${run.status}, ${successCount} of ${totalCalls}`);
      return `${run.status}, ${successCount} of ${totalCalls}, ${run.validity?.verdict}`;
    },
    stop,
  };
}
