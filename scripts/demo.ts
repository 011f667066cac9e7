/**
 * A real load test on this machine: PostgreSQL from npm, the control plane, two agents, and callers that call callees over
 * loopback with real SIP and RTP. It runs until Ctrl-C. With `--once` it ends after the run, with exit code 0 if the run was
 * good.
 */
import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Client, createClient } from '../control-plane/client.ts';
import { makeDataFolder } from '../control-plane/store/embedded/supervisor.ts';
import { buildDashboard } from './build-dashboard.ts';
import { DEMO_WORKERS, demoProvision } from './demo-run/provision.ts';
import { progressLines, Screen, type ShownRun } from './demo-run/screen.ts';
import { isGood, summaryLines } from './demo-run/summary.ts';
import {
  newApiKey,
  newJoinToken,
  startAgentProcess,
  startControlPlaneProcess,
  workersOnline,
} from './peers/lab/carillon.ts';
import { type Peer, until } from './peers/process.ts';
import { buildSite } from './site/build.ts';

const { values } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    endpoints: { type: 'string', default: '50' },
    buildup: { type: 'string', default: '5' },
    duration: { type: 'string', default: '5' },
  },
});
const plan = {
  endpoints: Number(values.endpoints),
  buildupSeconds: Number(values.buildup),
  durationSeconds: Number(values.duration),
};
const dataDir = path.resolve(process.env['CARILLON_DATA_DIR'] || './data/demo');
const started: Peer[] = [];
let stopping = false;

/** Agents stop first, then the control plane, which stops its database last. */
async function stop(code: number): Promise<never> {
  if (stopping) process.exit(130);
  stopping = true;
  for (const peer of started.reverse()) await peer.stop();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(values.once ? 1 : 0));

/** The key of earlier starts is used again, so that copied commands continue to work. */
async function apiKey(): Promise<string> {
  const file = path.join(dataDir, 'api-key');
  const found = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (found) return found;
  const made = newApiKey();
  await makeDataFolder(dataDir);
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}

/** The command for the service on the demo's data, as users type it in this folder. */
const goOn = (): string => `CARILLON_DATA_DIR=${path.relative('.', dataDir) || '.'} npm start -- --agent`;

try {
  const key = await apiKey();
  const joinTokens = DEMO_WORKERS.map(newJoinToken);
  await Promise.all([buildDashboard(), buildSite()]);
  console.log('Starting PostgreSQL and the control plane ...');
  const controlPlane = await startControlPlaneProcess({
    dataDir,
    provision: demoProvision(plan, key, joinTokens),
    port: Number(process.env['PORT'] || 8080),
    ownGroup: true,
  });
  started.push(controlPlane);
  console.log('Starting two agents ...');
  const lines = await Promise.all(DEMO_WORKERS.map((name, i) => startAgent(controlPlane.url, name, joinTokens[i])));
  for (const line of lines) console.log(line);
  await until('both agents are online', async () => (await workersOnline(controlPlane.url)) >= DEMO_WORKERS.length);
  const setup = /(http\S+\/set-up#\S+)/.exec(controlPlane.output())?.[1];
  if (!values.once)
    console.log(`Watch it in a browser: ${setup ? `create the owner's account at ${setup}` : controlPlane.url}`);
  const run = await runDemo(createClient(`${controlPlane.url}/api/v1`, key));
  const good = isGood(run, plan.endpoints);
  console.log(summaryLines(run).join('\n'));
  if (!values.once) {
    console.log(`\nThe dashboard: ${setup ?? controlPlane.url}`);
    const keyFile = path.join(path.relative('.', dataDir), 'api-key');
    console.log(`The API: curl -H "Authorization: Bearer $(cat ${keyFile})" \\\n  ${controlPlane.url}/api/v1/projects`);
  }
  console.log(`${values.once ? '\n' : ''}Go on with these data${values.once ? '' : ' after Ctrl-C'}:\n  ${goOn()}`);
  if (values.once) await stop(good ? 0 : 1);
  console.log('Everything stays up until Ctrl-C.');
} catch (error) {
  console.error((error as Error).message);
  await stop(1);
}

/** Starts an agent, and returns the line that describes it. */
async function startAgent(url: string, name: string, joinToken = ''): Promise<string> {
  const stateDir = path.join(dataDir, name);
  const enrolled = await access(path.join(stateDir, 'agent.key')).then(
    () => true,
    () => false,
  );
  const agent = await startAgentProcess({
    url,
    stateDir,
    joinToken,
    env: { CARILLON_LOG_LEVEL: 'info' },
    ownGroup: true,
  });
  started.push(agent);
  return `  agent ${name}${enrolled ? '' : ' enrolled'}: SIP on 127.0.0.1:${agent.sipPort}, metrics at ${agent.metricsUrl}/metrics`;
}

async function runDemo(call: Client): Promise<ShownRun> {
  const project = (await call('listProjects', {})).rows[0];
  const test = project && (await call('listTests', { projectId: project.id })).rows[0];
  if (!test) throw new Error('The demo project is not there.');
  console.log(`Calling: ${test.name}, ${plan.buildupSeconds} s of build-up, ${plan.durationSeconds} s a call\n`);
  const { testRunId } = await call('runTest', { projectId: project.id, testId: test.id });
  const screen = new Screen(process.stdout);
  for (;;) {
    const run = await call('getTestRun', { projectId: project.id, testRunId });
    screen.draw(progressLines(run), run.status);
    if (run.endedAt !== null) return run;
    await sleep(500);
  }
}
