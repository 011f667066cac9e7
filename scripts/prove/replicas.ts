/**
 * Two control planes and one PostgreSQL server (Debian's), each with its own agent, under load: a run of some minutes whose
 * agents are on different replicas, with clients that read it through both; then the replica of the callers' agent is killed
 * during the next run.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { createClient } from '../../control-plane/contract/client.ts';
import {
  newApiKey,
  newJoinToken,
  startAgentProcess,
  startControlPlaneProcess,
  workersOnline,
} from '../peers/lab/carillon.ts';
import { startDebianPostgres } from '../peers/lab/debian-postgres.ts';
import { callsAmongAgents, labOrganization, provisionText } from '../peers/lab/provision.ts';
import { type Peer, until } from '../peers/process.ts';

const RATE = Number(process.env['CARILLON_PROVE_RATE'] || 20);
const SECONDS = Number(process.env['CARILLON_PROVE_SECONDS'] || 60);
const CALL_SECONDS = 3;
const READERS = 4;

export async function replicas(): Promise<void> {
  const dir = mkdtempSync('/tmp/carillon-replicas-');
  const started: Peer[] = [];
  const balancers: Server[] = [];
  const postgres = await startDebianPostgres();
  try {
    const apiKey = newApiKey();
    const names = ['agent-1', 'agent-2'];
    const tokens = names.map(newJoinToken);
    const endpoints = RATE * (CALL_SECONDS + 3);
    const shape = { endpoints, calls: null, durationSeconds: CALL_SECONDS };
    const load = { shape: 'RATE', callsPerSecond: RATE, seconds: SECONDS } as const;
    const test = callsAmongAgents(
      'calls',
      { ...shape, load, workers: ['agent-1'] },
      { ...shape, workers: ['agent-2'] },
    );
    const workers = names.map((name, i) => ({ name, region: 'local', capacity: 2000, joinToken: tokens[i] as string }));
    const provision = provisionText(labOrganization({ apiKey, workers, tests: [test] }));
    const env = { CARILLON_SEALING_KEYS_FILE: path.join(dir, 'sealing-keys') };
    const planes = [];
    for (const name of ['one', 'two']) {
      const dataDir = path.join(dir, name);
      const plane = await startControlPlaneProcess({ dataDir, provision, databaseUrl: postgres.url, env });
      planes.push(plane);
      started.push(plane);
    }
    for (const [i, { url }] of planes.entries()) {
      const balancer = await balance([url, ...planes.map((plane) => plane.url)]);
      balancers.push(balancer);
      started.push(
        await startAgentProcess({
          url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
          stateDir: path.join(dir, names[i] as string),
          joinToken: tokens[i] as string,
        }),
      );
    }
    const [one, two] = planes as [(typeof planes)[number], (typeof planes)[number]];
    await until('both agents are online', async () => (await workersOnline(two.url)) === names.length);
    const clients = planes.map(({ url }) => createClient(`${url}/api/v1`, apiKey));
    const [first, second] = clients as [(typeof clients)[number], (typeof clients)[number]];
    const projectId = (await first('listProjects', {})).rows[0]?.id as string;
    const testId = (await first('listTests', { projectId })).rows[0]?.id as string;

    const asked = await first('runTest', { projectId, testId });
    const reads = readers(clients, projectId, asked.testRunId);
    const whole = await ended(second, projectId, asked.testRunId);
    const counts = await reads.stop();
    report('both replicas up', whole);
    console.log(`  read meanwhile: ${counts.join(' and ')} answers by the two replicas, none failed`);
    const same = await Promise.all(
      clients.map((call) => call('getTestRun', { projectId, testRunId: asked.testRunId })),
    );
    if (JSON.stringify(same[0]) !== JSON.stringify(same[1])) throw new Error('the replicas tell different runs');

    const next = await first('runTest', { projectId, testId });
    await until(
      'calls are placed',
      async () => {
        const run = await second('getTestRun', { projectId, testRunId: next.testRunId });
        return run.callTiming.totalCalls > (RATE * SECONDS) / 4;
      },
      { idleMs: SECONDS * 1000 },
    );
    await one.stop('SIGKILL');
    report('the replica of the callers killed', await ended(second, projectId, next.testRunId));
  } finally {
    for (const peer of started.reverse()) await peer.stop();
    for (const balancer of balancers) balancer.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Like an operator's load balancer: a connection goes to the first of these that accepts it. */
async function balance(urls: readonly string[]): Promise<Server> {
  const server = createServer((client) => {
    client.on('error', () => undefined);
    const attempt = ([url, ...others]: readonly string[]): void => {
      if (url === undefined) return void client.destroy();
      const plane = connect(Number(new URL(url).port), '127.0.0.1');
      let isUp = false;
      plane.once('connect', () => {
        isUp = true;
        client.pipe(plane).pipe(client);
      });
      plane.once('error', () => (isUp ? client.destroy() : attempt(others)));
      client.once('close', () => plane.destroy());
    };
    attempt(urls);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

type Client = ReturnType<typeof createClient>;
type Run = Awaited<ReturnType<typeof ended>>;

function ended(call: Client, projectId: string, testRunId: string) {
  const isOver = async () => {
    const run = await call('getTestRun', { projectId, testRunId });
    return run.endedAt === null ? undefined : run;
  };
  return until('the run ends', isOver, { idleMs: (SECONDS + 180) * 1000 });
}

/** Clients that read the run, its endpoints and its metrics without a pause. @returns answers by replica */
function readers(clients: readonly Client[], projectId: string, testRunId: string) {
  const counts = clients.map(() => 0);
  let over = false;
  const read = async (call: Client, at: number): Promise<void> => {
    while (!over) {
      await call('getTestRun', { projectId, testRunId });
      await call('listTestRunEndpoints', { projectId, testRunId, per_page: 100 });
      counts[at] = (counts[at] ?? 0) + 2;
    }
  };
  const reading = Array.from({ length: READERS }, (_, i) => {
    const at = i % clients.length;
    return read(clients[at] as Client, at);
  });
  return {
    async stop(): Promise<readonly number[]> {
      over = true;
      await Promise.all(reading);
      return counts;
    },
  };
}

/** @throws Error unless every planned call was placed, and ended well or is named */
function report(what: string, run: Run): void {
  const { callQuality: q, callTiming: c } = run;
  console.log(
    `${what}: ${run.status}, ${c.totalCalls} calls of ${RATE * SECONDS}, ${q.successful} good, ${q.failed} failed, ${run.validity?.sentence}`,
  );
  if (run.status !== 'COMPLETED' || c.totalCalls === 0 || q.successful + q.failed !== c.totalCalls)
    throw new Error(`${what}: ${JSON.stringify({ error: run.error, callTiming: c, q })}`);
}
