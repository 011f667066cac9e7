/**
 * Cost of an answer: GET of a run's detail with 64 clients, next to a fastify route that does nothing, in the same run.
 * Each server is a separate process, and so is the load. Standalone: node_modules/.bin/node
 * scripts/bench/product/http.ts
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { startPeer, until } from '../../peers/process.ts';

const CLIENTS = 64;
const SECONDS = 10;
const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const CLOCK_TICKS = 100;

export type HttpRow = {
  readonly what: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuSeconds: number;
  readonly requestsPerCpuSecond: number;
  readonly failed: number;
};

/** User and system time of a process (proc(5)). */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

type Load = {
  latency: { p50: number; p99: number };
  requests: { average: number; total: number };
  non2xx: number;
  errors: number;
};

async function load(what: string, pid: number, url: string, headers: readonly string[]): Promise<HttpRow> {
  const fire = async (seconds: number) => {
    const args = ['-j', '-c', String(CLIENTS), '-d', String(seconds), ...headers.flatMap((h) => ['-H', h]), url];
    const { stdout } = await promisify(execFile)(path.join(ROOT, 'node_modules', '.bin', 'autocannon'), args, {
      maxBuffer: 2 ** 24,
    });
    return JSON.parse(stdout) as Load;
  };
  await fire(2);
  const before = await cpuSeconds(pid);
  const { latency, requests, non2xx, errors } = await fire(SECONDS);
  const cpu = (await cpuSeconds(pid)) - before;
  return {
    what,
    requestsPerSecond: Math.round(requests.average),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    cpuSeconds: cpu,
    requestsPerCpuSecond: Math.round(requests.total / cpu),
    failed: non2xx + errors,
  };
}

const EMPTY = `import Fastify from 'fastify';
const app = Fastify();
app.get('/', async () => ({ data: null }));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log('port', app.server.address().port);`;

async function benchEmpty(): Promise<HttpRow> {
  const server = startPeer(process.execPath, ['--input-type=module', '-e', EMPTY], {
    cwd: path.join(ROOT, 'control-plane'),
  });
  const port = await until('fastify listens', () => /port (\d+)/.exec(server.output())?.[1]);
  const row = await load('fastify, an empty route', server.pid, `http://127.0.0.1:${port}/`, []);
  await server.stop();
  return row;
}

export async function benchHttp(): Promise<HttpRow[]> {
  const closers: (() => unknown)[] = [];
  const dir = await mkdtemp('/tmp/carillon-http-');
  const plans = path.join(dir, 'plans.yaml');
  await writeFile(plans, 'UNLIMITED: { requestsPerMinute: 1000000 }\n');
  process.env['CARILLON_PLANS'] = plans;
  try {
    const rows = [await benchEmpty()];
    const lab = await openLab(
      { teardown: (close) => closers.push(close) },
      {
        database: 'embedded',
        provision: () => ({
          tests: [
            callsAmongAgents('calls', { endpoints: 5, durationSeconds: 2 }),
            callsAmongAgents('long', { endpoints: 5, durationSeconds: 3600 }),
          ],
        }),
      },
    );
    const { id } = await lab.runToEnd('calls');
    const base = `${lab.controlPlane.url}/api/v1/projects/${lab.projectId}`;
    const key = [`authorization=Bearer ${lab.apiKey}`];
    rows.push(await load('GET run detail, ended', lab.controlPlane.pid, `${base}/test-runs/${id}`, key));
    rows.push(await load('GET test runs', lab.controlPlane.pid, `${base}/test-runs`, key));
    const open = await lab.begin('long');
    await lab.reaches(open, 'goes on', (run) => run.status === 'RUNNING');
    rows.push(await load('GET run detail, running', lab.controlPlane.pid, `${base}/test-runs/${open}`, key));
    return rows;
  } finally {
    for (const close of closers) await close();
    delete process.env['CARILLON_PLANS'];
    await rm(dir, { recursive: true, force: true });
  }
}

if (import.meta.main) console.table(await benchHttp());
