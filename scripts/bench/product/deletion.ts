/**
 * Deletion of a run with a million samples, and of a project with one: duration, longest statement, lock waits, and
 * response times of another organization during and without it. Control plane with embedded PostgreSQL.
 * node_modules/.bin/node scripts/bench/product/deletion.ts [--million 1]
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SAMPLE_FIGURE_NAMES, sampleColumnOf } from '@carillon/proto/figures/sample-figures.ts';
import { createClient } from '../../../control-plane/contract/client.ts';
import { newApiKey } from '../../peers/lab/carillon.ts';
import { openLabDatabase, postmasterPid } from '../../peers/lab/database.ts';
import { Lab } from '../../peers/lab/lab.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { cpuSecondsOfTree } from './process-tree.ts';
import { countStatements } from './statements.ts';

export type DeletionRow = {
  readonly what: string;
  readonly samples: number;
  /** Of the request, and from its answer until the last row was gone. */
  readonly answerMs: number;
  readonly seconds: number;
  /** Deleting statements: number, and longest. */
  readonly statements: number;
  readonly longestMs: number;
  readonly longest: string;
  /** Observations of a backend waiting for a lock, of all observations. */
  readonly waiting: number;
  readonly looks: number;
  readonly postgresCpuSeconds: number;
  /** Another organization's requests, without it and meanwhile: reads, changes. */
  readonly readP99Ms: readonly [number, number];
  readonly changeP99Ms: readonly [number, number];
  readonly failed: number;
};

const STREAMS = 1000;
const QUIET_MS = 10_000;
const LIMIT_MS = 1_800_000;

export async function benchDeletion(samples = 1_000_000): Promise<DeletionRow[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-deletion-'));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const key = newApiKey();
  const email = 'owner@other.example';
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'embedded'), await freePort(), {
    agents: 0,
    provision: () => ({ tests: [] }),
    organizations: [
      {
        slug: 'other',
        name: 'Other',
        users: [{ email, name: 'Owner', role: 'OWNER' }],
        apiKeys: [{ name: 'other', user: email, key }],
        projects: [{ slug: 'theirs', name: 'Theirs' }],
      },
    ],
  });
  try {
    await lab.start();
    await countStatements(lab);
    const other = createClient(`${lab.controlPlane.url}/api/v1`, key);
    const { projectId } = lab;
    const rows: DeletionRow[] = [];
    const testRunId = await seedRun(lab, projectId, samples);
    rows.push(
      await measure(lab, other, 'a run', testRunId, samples, () => lab.call('deleteTestRun', { projectId, testRunId })),
    );
    const last = await seedRun(lab, projectId, samples);
    rows.push(await measure(lab, other, 'a project', last, samples, () => lab.call('deleteProject', { projectId })));
    return rows;
  } finally {
    await lab.stop();
  }
}

/** A run that has ended, of `samples` samples in the day before; its id. */
async function seedRun(lab: Lab, projectId: string, samples: number): Promise<string> {
  const id = randomUUID();
  const config = JSON.stringify({ groups: [], load: { shape: 'BUILDUP' }, thresholds: [], maxExecutionSeconds: null });
  await lab.query(
    `insert into test_runs (id, project_id, organization_id, test_id, test_name, status, endpoints, duration_seconds,
       buildup_seconds, max_execution_seconds, config, submitted_at, ended_at)
     select $1, id, organization_id, gen_random_uuid(), 'Many', 'PENDING', ${STREAMS}, 1, 1, 60, $2::jsonb, now(), now()
     from projects where id = $3`,
    [id, config, projectId],
  );
  await lab.query(`update test_runs set status = 'CANCELLED' where id = $1`, [id]);
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const table = `samples_${day.replaceAll('-', '')}`;
  await lab.query(
    `create table if not exists ${table} partition of samples
     for values from ('${day} 00:00+00') to (timestamptz '${day} 00:00+00' + interval '1 day')`,
  );
  // In order of arrival: second by second, of all streams.
  await lab.query(
    `insert into samples (run_id, endpoint_number, stream, at, scale, ${SAMPLE_FIGURE_NAMES.map(sampleColumnOf).join(', ')})
     select $1, 1 + n % ${STREAMS}, 0, timestamptz '${day} 00:00+00' + (n / ${STREAMS}) * interval '1 second', 'nb',
       ${SAMPLE_FIGURE_NAMES.map(() => '1').join(', ')}
     from generate_series(0, ${samples - 1}) as n`,
    [id],
  );
  await lab.query('analyze samples');
  return id;
}

type Client = ReturnType<typeof createClient>;

/** Reads and changes of another organization, in sequence, until stopped: milliseconds of each. */
function customer(call: Client) {
  const reads: number[] = [];
  const changes: number[] = [];
  let failed = 0;
  let isOver = false;
  const timed = async (into: number[], ask: () => Promise<unknown>) => {
    const began = performance.now();
    await ask().catch(() => failed++);
    into.push(performance.now() - began);
  };
  const work = (async () => {
    for (let n = 0; !isOver; n++) {
      await timed(reads, () => call('listProjects', {}));
      await timed(changes, () => call('createProject', { name: `Project ${n}`, slug: `p-${randomUUID()}` }));
      await sleep(20);
    }
  })();
  return async () => {
    isOver = true;
    await work;
    const p99 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(0.99 * (times.length - 1))] ?? Number.NaN;
    return { readP99Ms: p99(reads), changeP99Ms: p99(changes), failed };
  };
}

async function measure(
  lab: Lab,
  other: Client,
  what: string,
  runId: string,
  samples: number,
  act: () => Promise<unknown>,
): Promise<DeletionRow> {
  const quiet = customer(other);
  await sleep(QUIET_MS);
  const without = await quiet();
  await lab.query('select pg_stat_statements_reset()');
  const postgres = postmasterPid(lab.dataDir) ?? 0;
  const cpuBefore = cpuSecondsOfTree(postgres);
  const busy = customer(other);
  const beganMs = performance.now();
  await act();
  const answeredMs = performance.now();
  let looks = 0;
  let waiting = 0;
  const left = async () => {
    looks++;
    const [row] = await lab.query<{ left: boolean; waits: number }>(
      `select exists (select from samples where run_id = $1) or exists (select from test_runs where id = $1) as left,
         (select count(*)::int from pg_stat_activity where wait_event_type = 'Lock') as waits`,
      [runId],
    );
    if (row && row.waits > 0) waiting++;
    return row?.left === false;
  };
  await until('all is gone', left, { idleMs: LIMIT_MS });
  const seconds = (performance.now() - answeredMs) / 1000;
  const meanwhile = await busy();
  const deleting = await lab.query<{ calls: number; max: number; query: string }>(
    `select calls, max_exec_time as max, left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as query
     from pg_stat_statements where query ilike '%delete from%' order by max_exec_time desc`,
  );
  return {
    ...{ what, samples, answerMs: answeredMs - beganMs, seconds, waiting, looks },
    statements: deleting.reduce((sum, { calls }) => sum + Number(calls), 0),
    longestMs: deleting[0]?.max ?? Number.NaN,
    longest: deleting[0]?.query ?? '',
    postgresCpuSeconds: cpuSecondsOfTree(postgres) - cpuBefore,
    readP99Ms: [without.readP99Ms, meanwhile.readP99Ms],
    changeP99Ms: [without.changeP99Ms, meanwhile.changeP99Ms],
    failed: without.failed + meanwhile.failed,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { million: { type: 'string', default: '1' } } });
  for (const row of await benchDeletion(Math.round(Number(values.million) * 1e6))) console.log(row);
}
