/**
 * 5,000 probes at 5 minutes on one control plane. It measures the delay of their ticks, and the cost of an execution for the
 * database and the control plane. One agent places every call, and SIPp answers and echoes. If an execution is not
 * healthy, something else than the work of probes was measured.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../../peers/lab/lab.ts';
import type { ProbeInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { cpuOf, withInstallation } from '../installation.ts';
import { n, type ResultTable } from '../table.ts';

const PROBES = 5000;
const INTERVAL_SECONDS = 300;
const SECONDS = 100;
const SETTLE_MS = 5000;

const probe = (uri: string): ProbeInput => ({
  slug: 'probe',
  name: 'Probe',
  durationSeconds: 1,
  fixedIntervalSec: INTERVAL_SECONDS,
  enabled: false,
  test: {
    registrar: 'cloud',
    callee: { mode: 'EXTERNAL_URI', uri },
    placement: { mode: 'REGION', region: 'local' },
  },
  thresholds: [{ metricKey: 'asr', greenValue: 99, orangeValue: 95 }],
});

/** Makes this many copies of the probe, and enables them. */
const COPIES = `with made as (
    insert into probes (id, project_id, slug, name, mode, enabled, schedule_type, fixed_interval_sec, timezone,
      duration_seconds, alert_strike_runs, escalate_after_minutes, config)
    select gen_random_uuid(), project_id, 'probe-' || n, 'Probe ' || n, mode, true, schedule_type, fixed_interval_sec,
      timezone, duration_seconds, alert_strike_runs, escalate_after_minutes, config
    from probes, generate_series(1, $1) as n where slug = 'probe' returning id)
  insert into probe_thresholds (id, probe_id, metric_key, green_value, orange_value, enabled)
  select gen_random_uuid(), id, 'asr', 99, 95, true from made`;

const EXECUTIONS = `select count(*)::int as executions, count(i.graded_at)::int as graded,
    count(*) filter (where i.graded_at is not null and i.status = 'HEALTHY')::int as healthy,
    count(*) filter (where i.graded_at is not null and i.status = 'UNKNOWN')::int as unjudged,
    (select count(*) from probe_skips)::int as skipped,
    percentile_disc(0.5) within group (order by extract(epoch from r.submitted_at - i.tick_at) * 1000)::float8 as p50,
    percentile_disc(0.99) within group (order by extract(epoch from r.submitted_at - i.tick_at) * 1000)::float8 as p99
  from probe_instances i join test_runs r on r.id = i.test_run_id where r.submitted_at >= $1`;

export async function measureProbes(): Promise<ResultTable> {
  const net = ownLoopback();
  const target = await startSipp({
    address: net.address(70),
    scenario: { builtIn: 'uas' },
    args: ['-rtp_echo'],
  });
  try {
    return await withInstallation({ net, provision: () => ({ tests: [], probes: [probe(target.uri)] }) }, measure);
  } finally {
    await target.end();
  }
}

async function measure(lab: Lab): Promise<ResultTable> {
  await lab.query(COPIES, [PROBES]);
  const unplanned = 'select count(*)::int as n from probes where enabled and next_tick_at is null';
  await until('all of them are planned', async () => (await lab.query<{ n: number }>(unplanned))[0]?.n === 0);
  await sleep(SETTLE_MS);
  const since = new Date();
  const before = await cpuOf(lab);
  await sleep(SECONDS * 1000);
  const after = await cpuOf(lab);
  const [row] = await lab.query<Record<string, number>>(EXECUTIONS, [since]);
  const of = (key: string) => row?.[key] ?? Number.NaN;
  const ms = (what: 'controlPlane' | 'postgres') => ((after[what] - before[what]) * 1000) / of('executions');
  const [graded, healthy] = [of('graded'), of('healthy')];
  const fault = `of ${n(graded)} executions that ended ${n(healthy)} were healthy, ${n(of('unjudged'))} not judged`;
  return {
    faults: graded > 0 && healthy === graded ? [] : [fault],
    heads: [
      'probes, seconds measured',
      'executions, ended by then, healthy',
      'ticks skipped',
      'a tick starts late by, ms: p50, p99',
      'control plane, ms of CPU an execution',
      'PostgreSQL, ms of CPU an execution',
    ],
    rows: [
      [
        ...[`${n(PROBES)}, ${SECONDS}`, `${n(of('executions'))}, ${n(graded)}, ${n(healthy)}`, n(of('skipped'))],
        ...[`${n(of('p50'))}, ${n(of('p99'))}`, n(ms('controlPlane'), 1), n(ms('postgres'), 1)],
      ],
    ],
  };
}
