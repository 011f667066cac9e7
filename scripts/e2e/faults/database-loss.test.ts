/**
 * PostgreSQL fails during a run: killed with -9 if it is the embedded one, which its supervisor restarts; with a given server,
 * every connection is ended repeatedly. Or other clients take all of its connections.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { postmasterPid } from '../../peers/lab/database.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { until } from '../../peers/process.ts';
import { checkWholeness } from '../wholeness.ts';

const CALLS = 10;
/** At most: as many as there is time for during the calls. */
const LOSSES = 3;
/** A server that this file does not start, and not the embedded one that its runner started. */
const server = process.env['CARILLON_TEST_DATABASE'];
const given = server !== undefined && !new URL(server).searchParams.has('host');

const lab = await openLab(t, {
  agents: 2,
  database: given ? 'migrated' : 'embedded',
  // Longer than the database is away: no agent is given up because its state could not be written.
  graceSeconds: 20,
  provision: () => ({
    tests: [
      callsAmongAgents('calls', { endpoints: CALLS, buildup: 1, durationSeconds: 9 }),
      callsAmongAgents('brief', { endpoints: 2, durationSeconds: 2 }),
    ],
  }),
});

const answers = async (): Promise<boolean> => (await fetch(`${lab.controlPlane.url}/readyz`)).status === 200;

async function lose(): Promise<void> {
  if (given) {
    await lab.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return;
  }
  const pid = postmasterPid(lab.dataDir) ?? 0;
  process.kill(pid, 'SIGKILL');
  await until('PostgreSQL is started again', () => {
    const now = postmasterPid(lab.dataDir);
    return now !== null && now !== pid;
  });
  await until('it takes connections', async () => (await lab.query('select 1').catch(() => [])).length > 0);
}

/** Requests in progress when connections break; the number of failures does not matter, the process must survive. */
async function askAllTheTime(id: string, signal: AbortSignal): Promise<number> {
  for (let n = 0; ; n++) {
    if (signal.aborted) return n;
    await lab.run(id).catch(() => undefined);
    await sleep(5);
  }
}

t.test(given ? 'every connection is ended' : 'kill -9 of PostgreSQL', async (t) => {
  const id = await lab.startRun('calls', 'has everyone in a call', (run) => run.progress.phases.INCALL === 2 * CALLS);
  const before = await lab.query<{ n: number }>(`select count(*)::int as n from samples where run_id = $1`, [id]);
  const asking = new AbortController();
  t.teardown(() => asking.abort());
  const asked = askAllTheTime(id, asking.signal);
  let losses = 0;
  for (; losses < LOSSES && (losses === 0 || (await lab.run(id)).status === 'RUNNING'); losses++) {
    await lose();
    await until('the control plane has its database again', answers);
    await until('figures go on coming in', async () => {
      const now = await lab.query<{ n: number }>(`select count(*)::int as n from samples where run_id = $1`, [id]);
      return (now[0]?.n ?? 0) > (before[0]?.n ?? 0);
    });
  }
  asking.abort();
  t.ok((await asked) > 0, `the API was asked all the while, over ${losses} losses`);
  const run = await lab.ended(id);
  await checkWholeness(t, lab, id, CALLS);
  t.comment(`MOS ${run.summary.avgMos}, ${run.validity?.verdict}`);
});

t.test('and the next run is a run as any other', async (t) => {
  const { id } = await lab.runWhole('brief');
  await checkWholeness(t, lab, id, 2);
});

/** Takes all connections of the server, until told to release them. */
async function takeConnections(signal: AbortSignal): Promise<void> {
  const config = { host: path.join(lab.dataDir, 'postgres'), user: 'postgres', database: 'postgres' };
  const taken: pg.Client[] = [];
  while (!signal.aborted) {
    const next = new pg.Client({ ...config, application_name: 'somebody else' });
    next.on('error', () => undefined);
    const isGiven = await next.connect().then(
      () => true,
      () => false,
    );
    if (isGiven) taken.push(next);
    else {
      // The control plane loses its connections, and another client is faster.
      await taken[0]
        ?.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'carillon%'")
        .catch(() => undefined);
    }
  }
  await Promise.all(taken.map((one) => one.end()));
}

t.test('connections that somebody else has: it is said in words, and passes by itself', { skip: given }, async (t) => {
  const { url } = lab.controlPlane;
  const taking = new AbortController();
  t.teardown(() => taking.abort());
  const taken = takeConnections(taking.signal);
  const spent = await until(
    '/readyz says that connections are spent',
    async () => {
      const answer = await fetch(`${url}/readyz`);
      const { status, faults } = (await answer.json()) as { status: string; faults: { kind: string }[] };
      return faults.some(({ kind }) => kind === 'CONNECTIONS_SPENT') && { http: answer.status, status };
    },
    { idleMs: 180_000 },
  );
  t.match(spent, { http: 503, status: /no further connection.*Raise max_connections.*uses up to 16 connections/ });
  const refused = await until(
    'a request is refused',
    async () => {
      const answer = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${lab.apiKey}` } });
      const { error } = (await answer.json()) as { error?: { code: string; message: string } };
      return /no further connection/.test(error?.message ?? '') && { answer, error };
    },
    { idleMs: 180_000 },
  );
  t.match(refused, { answer: { status: 503 }, error: { code: 'UNAVAILABLE', message: /Raise max_connections/ } });
  t.ok(Number(refused.answer.headers.get('retry-after')) > 0);
  taking.abort();
  await taken;
  await until('everything is well', async () => (await lab.troubles()).length === 0, { idleMs: 180_000 });
  t.match(lab.controlPlane.output(), /"trouble":"CONNECTIONS_SPENT"/);
  await lab.online(2);
  const { id } = await lab.runWhole('brief');
  await checkWholeness(t, lab, id, 2);
});
