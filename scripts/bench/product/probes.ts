/**
 * 5,000 probes at 5 minutes on one control plane: delay of their ticks, and cost of an execution for the database and
 * the control plane. An agent places every call, SIPp answers. Standalone: node_modules/.bin/node
 * scripts/bench/product/probes.ts
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLab } from '../../peers/lab/lab.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const PROBES = 5000;
const INTERVAL_SECONDS = 300;
const SECONDS = 100;
const CLOCK_TICKS = 100;

export type ProbesRow = {
  readonly probes: number;
  readonly seconds: number;
  readonly executions: number;
  readonly skipped: number;
  readonly healthy: number;
  /** From a tick's instant to its run. */
  readonly latenessP50Ms: number;
  readonly latenessP99Ms: number;
  /** From a run's submission to RUNNING. */
  readonly startP50Ms: number;
  /** Time that sessions of the database were executing statements (pg_stat_database.active_time). */
  readonly databaseMsPerExecution: number;
  /** The same of an installation whose probes rest, for as long. */
  readonly idleDatabaseMsPerSecond: number;
  readonly cpuMsPerExecution: number;
};

async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS) * 1000;
}

export async function benchProbes(seconds = SECONDS): Promise<ProbesRow> {
  const closers: (() => unknown)[] = [];
  const net = ownLoopback();
  const target = await startSipp({ address: net.address(70), scenario: { builtIn: 'uas' } });
  closers.push(() => target.end());
  try {
    const lab = await openLab(
      { teardown: (close) => closers.push(close) },
      {
        net,
        database: 'embedded',
        provision: () => ({
          tests: [],
          probes: [
            {
              slug: 'probe',
              name: 'Probe',
              durationSeconds: 1,
              fixedIntervalSec: INTERVAL_SECONDS,
              enabled: false,
              test: {
                registrar: 'cloud',
                callee: { mode: 'EXTERNAL_URI', uri: target.uri },
                placement: { mode: 'REGION', region: 'local' },
              },
              thresholds: [{ metricKey: 'asr', greenValue: 99, orangeValue: 95 }],
            },
          ],
        }),
      },
    );
    const databaseMs = async () =>
      (
        await lab.query<{ ms: number }>(
          'select active_time as ms from pg_stat_database where datname = current_database()',
        )
      )[0]?.ms ?? 0;
    const idleFrom = await databaseMs();
    await sleep(10_000);
    const idleDatabaseMsPerSecond = ((await databaseMs()) - idleFrom) / 10;
    await lab.query(
      `with made as (
        insert into probes (id, project_id, slug, name, mode, enabled, schedule_type, fixed_interval_sec, timezone,
          duration_seconds, alert_strike_runs, escalate_after_minutes, config)
        select gen_random_uuid(), project_id, 'probe-' || n, 'Probe ' || n, mode, true, schedule_type, fixed_interval_sec,
          timezone, duration_seconds, alert_strike_runs, escalate_after_minutes, config
        from probes, generate_series(1, $1) as n where slug = 'probe' returning id)
      insert into probe_thresholds (id, probe_id, metric_key, green_value, orange_value, enabled)
      select gen_random_uuid(), id, 'asr', 99, 95, true from made`,
      [PROBES],
    );
    await until('all of them are planned', async () => {
      const [row] = await lab.query<{ n: number }>(
        `select count(*)::int as n from probes where enabled and next_tick_at is null`,
      );
      return row?.n === 0;
    });
    await sleep(5000);
    const since = new Date();
    const [databaseFrom, cpuFrom] = [await databaseMs(), await cpuMs(lab.controlPlane.pid)];
    await sleep(seconds * 1000);
    const [databaseTo, cpuTo] = [await databaseMs(), await cpuMs(lab.controlPlane.pid)];
    const [row] = await lab.query<Record<string, number>>(
      `select count(*)::int as executions,
        count(*) filter (where i.status = 'HEALTHY')::int as healthy,
        (select count(*) from probe_skips)::int as skipped,
        percentile_disc(0.5) within group (order by extract(epoch from r.submitted_at - i.tick_at) * 1000)::float8 as p50,
        percentile_disc(0.99) within group (order by extract(epoch from r.submitted_at - i.tick_at) * 1000)::float8 as p99,
        percentile_disc(0.5) within group (order by extract(epoch from r.started_at - r.submitted_at) * 1000)::float8 as start
      from probe_instances i join test_runs r on r.id = i.test_run_id where r.submitted_at >= $1`,
      [since],
    );
    const of = (key: string) => row?.[key] ?? Number.NaN;
    return {
      probes: PROBES,
      seconds,
      executions: of('executions'),
      skipped: of('skipped'),
      healthy: of('healthy'),
      latenessP50Ms: of('p50'),
      latenessP99Ms: of('p99'),
      startP50Ms: of('start'),
      databaseMsPerExecution: (databaseTo - databaseFrom) / of('executions'),
      idleDatabaseMsPerSecond,
      cpuMsPerExecution: (cpuTo - cpuFrom) / of('executions'),
    };
  } finally {
    for (const close of closers) await close();
  }
}

if (import.meta.main) console.log(await benchProbes(Number(process.argv[2] ?? SECONDS)));
