/**
 * The cost of an answer of the API, with 64 clients, for a run that has ended, for the list of runs, and for a run in progress. A
 * route of fastify that does nothing is measured beside them. Each server is a separate process, and so is the load.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { cpuSeconds, startPeer, until } from '../../peers/process.ts';
import { withInstallation } from '../installation.ts';
import { n, type ResultTable } from '../table.ts';

const CLIENTS = 64;
const SECONDS = 10;
const WARM_UP_SECONDS = 2;
const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

type Load = {
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly requests: { readonly average: number; readonly total: number };
  readonly non2xx: number;
  readonly errors: number;
};

async function load(what: string, pid: number, url: string, headers: readonly string[]): Promise<string[]> {
  const fire = async (seconds: number) => {
    const args = ['-j', '-c', String(CLIENTS), '-d', String(seconds), ...headers.flatMap((h) => ['-H', h]), url];
    const program = path.join(ROOT, 'node_modules', '.bin', 'autocannon');
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 24 });
    return JSON.parse(stdout) as Load;
  };
  await fire(WARM_UP_SECONDS);
  const before = await cpuSeconds(pid);
  const { latency, requests, non2xx, errors } = await fire(SECONDS);
  const cpu = (await cpuSeconds(pid)) - before;
  return [...[what, n(requests.average), n(latency.p50), n(latency.p99), n(requests.total / cpu)], n(non2xx + errors)];
}

const EMPTY = `import Fastify from 'fastify';
const app = Fastify();
app.get('/', async () => ({ data: null }));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log('port', app.server.address().port);`;

async function emptyRoute(): Promise<string[]> {
  const cwd = path.join(ROOT, 'control-plane');
  const server = startPeer(process.execPath, ['--input-type=module', '-e', EMPTY], { cwd });
  const port = await until('fastify listens', () => /port (\d+)/.exec(server.output())?.[1]);
  const row = await load('fastify, an empty route', server.pid, `http://127.0.0.1:${port}/`, []);
  await server.stop();
  return row;
}

export async function measureReads(): Promise<ResultTable> {
  const dir = await mkdtemp('/tmp/carillon-reads-');
  const plans = path.join(dir, 'plans.yaml');
  await writeFile(plans, 'UNLIMITED: { requestsPerMinute: 1000000 }\n');
  try {
    const rows = [await emptyRoute()];
    await withInstallation(
      {
        controlPlaneEnv: { CARILLON_PLANS: plans },
        provision: () => ({
          tests: [
            callsAmongAgents('calls', { endpoints: 5, durationSeconds: 2 }),
            callsAmongAgents('long', { endpoints: 5, durationSeconds: 3600 }),
          ],
        }),
      },
      async (lab) => {
        const { pid, url } = lab.controlPlane;
        const read = async (what: string, place: string) => {
          const address = `${url}/api/v1/projects/${lab.projectId}/test-runs${place}`;
          rows.push(await load(what, pid, address, [`authorization=Bearer ${lab.apiKey}`]));
        };
        const { id } = await lab.runToEnd('calls');
        await read('a run that has ended', `/${id}`);
        await read('the list of runs', '');
        const open = await lab.begin('long');
        await lab.reaches(open, 'goes on', (run) => run.status === 'RUNNING');
        await read('a run in progress', `/${open}`);
      },
    );
    return {
      heads: ['what is read', 'requests a second', 'p50, ms', 'p99, ms', 'requests per CPU-second', 'failed'],
      rows,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
