/** Memory of a control plane: idle, and while samples arrive and long lists are read. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeAgentFrame } from '@carillon/proto';
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { greeting, openRawLink, type RawLink } from '../../peers/network/raw-link.ts';
import { residentBytes, until } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { sampleFrame } from '../../peers/sample-frame.ts';

const MIB = 2 ** 20;
/** Of the 512 MiB that integrations/kubernetes/carillon/values.yaml requests: less than half of it, and all but a reserve. */
const IDLE_LIMIT = 200 * MIB;
const BUSY_LIMIT = 400 * MIB;
const AGENTS = 4;
const STREAMS_EACH = 2500;
const SECONDS = 15;
/** The highest number of batches that an agent has in transit. */
const WINDOW = 8;
const RUNS = 100_000;
const ENDPOINTS = 50_000;

const tokens = Array.from({ length: AGENTS }, () => randomUUID());
const lab = await openLab(t, {
  agents: 0,
  provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: 2, durationSeconds: 1 })] }),
  organizations: [
    { slug: 'busy', name: 'Busy', workers: tokens.map((joinToken, i) => ({ name: `busy-${i}`, joinToken })) },
  ],
});
const { url, pid } = lab.controlPlane;
const resident = () => residentBytes(pid);

t.test('idle', async (t) => {
  await fetch(`${url}/readyz`);
  // Garbage of the start is collected eventually.
  let least = Number.POSITIVE_INFINITY;
  await until('it is idle', async () => {
    least = Math.min(least, await resident());
    return least < IDLE_LIMIT;
  }).catch(() => undefined);
  t.ok(least < IDLE_LIMIT, `${(least / MIB).toFixed(0)} MiB`);
});

/** One ended run of many among very many. */
async function seedLists(): Promise<string> {
  const runId = randomUUID();
  const config = JSON.stringify({ groups: [], load: { shape: 'BUILDUP' }, thresholds: [], maxExecutionSeconds: null });
  await lab.query(
    `insert into test_runs (id, project_id, organization_id, test_id, test_name, status, endpoints, duration_seconds,
       buildup_seconds, max_execution_seconds, config, submitted_at, ended_at)
     select case when n = 1 then $1::uuid else gen_random_uuid() end, p.id, p.organization_id, gen_random_uuid(), 'Many',
       'PENDING', case when n = 1 then ${ENDPOINTS} else 2 end, 1, 1, 60, $2::jsonb, now() - n * interval '1 second', now()
     from projects p, generate_series(1, ${RUNS}) as n where p.id = $3`,
    [runId, config, lab.projectId],
  );
  await lab.query(`update test_runs set status = 'CANCELLED' where project_id = $1`, [lab.projectId]);
  await lab.query(
    `insert into endpoints (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call)
     select $1::uuid, n, gen_random_uuid(), gen_random_uuid(), (select id from workers limit 1),
       (select id from registrars where project_id = $2 limit 1), 'CALLER', 'sip:9000@127.0.0.1', true
     from generate_series(0, ${ENDPOINTS - 1}) as n`,
    [runId, lab.projectId],
  );
  return runId;
}

type Carrier = { readonly link: RawLink; readonly allocationId: Uint8Array; readonly committed: () => number };

/** An agent with a share of a run, as far as the database is concerned; it sends heartbeats, and receives commits. */
async function carrier(token: string, i: number, runId: string): Promise<Carrier> {
  const link = (await openRawLink(url)) as RawLink;
  link.ws.send(await greeting(link, token));
  const welcome = await link.next();
  if (!welcome?.welcome) throw new Error(`no welcome: ${JSON.stringify(welcome)}`);
  const id = randomUUID();
  await lab.query(
    `insert into sub_population_instances (run_id, id, sub_population_id, group_id, worker_id, role, endpoints, status)
     select $1, $2, gen_random_uuid(), gen_random_uuid(), id, 'CALLER', ${STREAMS_EACH}, 'RUNNING' from workers where name = $3`,
    [runId, id, `busy-${i}`],
  );
  let committed = 0;
  void (async () => {
    for (let frame = await link.next(); frame !== null; frame = await link.next())
      committed = Number(frame.batchReceipt?.number ?? committed);
  })();
  const beat = setInterval(() => link.ws.send(encodeAgentFrame({ beat: { unixMs: Date.now() } })), 5000);
  void link.closed.then(() => clearInterval(beat));
  return { link, allocationId: Buffer.from(id.replaceAll('-', ''), 'hex'), committed: () => committed };
}

t.test(`${(AGENTS * STREAMS_EACH).toLocaleString('en')} samples a second, and long lists`, async (t) => {
  const runId = await seedLists();
  const carriers = await Promise.all(tokens.map((token, i) => carrier(token, i, runId)));
  const over = new AbortController();
  let lists = 0;
  const read = async (testRunId: string) => {
    const { projectId } = lab;
    for (; !over.signal.aborted; lists++) {
      const page = lists % 2 === 0 ? 1 : RUNS / 100;
      await lab.call('listTestRuns', { projectId, page, per_page: 100 });
      await lab.call('listTestRunEndpoints', {
        projectId,
        testRunId,
        page: Math.min(page, ENDPOINTS / 100),
        per_page: 100,
      });
      await lab.call('getTestRun', { projectId, testRunId });
      // The budget of a key: 6,000 a minute.
      await sleep(100);
    }
  };
  const reading = Promise.all([read(runId), read(runId)]);
  const startedMs = Date.now();
  let most = 0;
  for (let second = 0; second < SECONDS; second++) {
    for (const { link, allocationId, committed } of carriers) {
      await until('a batch is committed', () => second - committed() < WINDOW);
      link.ws.send(sampleFrame(second + 1, allocationId, STREAMS_EACH, startedMs + second * 1000));
    }
    const next = startedMs + (second + 1) * 1000;
    while (Date.now() < next) {
      most = Math.max(most, await resident());
      await sleep(50);
    }
  }
  const committed = async () => (await scrape(url)).value('carillon_ingest_samples_total');
  const sent = AGENTS * STREAMS_EACH * SECONDS;
  await until('every sample is committed', async () => (await committed()) === sent);
  const seconds = (Date.now() - startedMs) / 1000;
  await until('long lists are read as often', async () => {
    most = Math.max(most, await resident());
    return lists > SECONDS;
  });
  over.abort();
  await reading;
  for (const { link } of carriers) link.ws.close();
  most = Math.max(most, await resident());
  t.comment(
    `${sent} samples in ${seconds.toFixed(1)} s, ${lists} rounds of lists, at most ${(most / MIB).toFixed(0)} MiB`,
  );
  t.ok(most < BUSY_LIMIT, `${(most / MIB).toFixed(0)} MiB`);
});
