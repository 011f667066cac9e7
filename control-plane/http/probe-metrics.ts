/** Probes as gauges, labelled for alert rules (observability/alert-rules.yaml). */
import { Gauge, Registry } from 'prom-client';
import { SEVERITIES } from '../contract/probe/words.ts';
import type { HealthState } from '../contract/run/measured-words.ts';
import { isKnownCause } from '../operations/run-view/figures.ts';
import type { Ports } from '../ports.ts';
import { gaugeTotals, type ProbeGaugeRow, probeGauges } from '../store/probe/probe-gauges.ts';
import type { Sight } from './scrape-sight.ts';

/** The number of probes with series; carillon_probes_unlisted counts the others. */
const MAX_PROBES = 5000;
/** A scraper that asks more often reads the same text again. */
const KEPT_MS = 5000;

/** The numbers are those of monitoring plugins. */
const CODE: Record<HealthState, number> = { HEALTHY: 0, DEGRADED: 1, UNHEALTHY: 2, UNKNOWN: 3 };

const PROBE = ['organization', 'project', 'probe', 'region'] as const;
const seconds = (at: Date): number => at.getTime() / 1000;

/** The text for scrapers with this visibility; each has its own registry, so that concurrent scrapes do not mix. */
export function createProbeMetrics({ database: { db }, now }: Ports, sight: Sight): () => Promise<string> {
  const registry = new Registry();
  const gauge = <L extends string = never>(name: string, help: string, more: readonly L[] = []) =>
    new Gauge<(typeof PROBE)[number] | L>({
      name: `carillon_probe_${name}`,
      help,
      labelNames: [...PROBE, ...more],
      registers: [registry],
    });
  const status = gauge('status', 'Last verdict: 0 HEALTHY, 1 DEGRADED, 2 UNHEALTHY, 3 UNKNOWN.');
  const enabled = gauge('enabled', '1: the probe is to run.');
  const skipped = gauge(
    'skipped',
    '1 if the last scheduled execution was refused; lastSkipReason of the probe has the reason.',
  );
  const interval = gauge('interval_seconds', 'Seconds between executions; absent for cron expressions.');
  const lastRun = gauge('last_run_timestamp_seconds', 'When the last execution was graded; absent before the first.');
  const value = gauge('threshold_value', "What the last execution measured, in the metric's own unit.", ['metric']);
  const limit = gauge('threshold_limit', 'Limits of a threshold: green is HEALTHY up to it, orange DEGRADED.', [
    'metric',
    'limit',
  ]);
  const incident = gauge('incident_open', '1: an incident of this severity is open.', ['severity']);
  const failure = gauge('failure', '1: the last execution is UNHEALTHY because its call failed by this cause.', [
    'cause',
  ]);
  const ofProbes = [status, enabled, skipped, interval, lastRun, value, limit, incident, failure];
  const plain = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const unlisted = plain(
    'carillon_probes_unlisted',
    'Probes without series: too many, or not visible to this scraper.',
  );
  const webhooks = plain('carillon_webhooks', 'Webhooks; failing: nothing has arrived lately.', ['state']);
  const pending = plain('carillon_webhook_deliveries_pending', 'Deliveries that wait for a try.');

  function show(row: ProbeGaugeRow): void {
    const { organization, project, probe } = row;
    const labels = { organization, project, probe, region: row.region ?? '' };
    status.set(labels, CODE[row.status]);
    enabled.set(labels, Number(row.enabled));
    skipped.set(labels, Number(row.isSkipped));
    if (row.intervalSeconds !== null) interval.set(labels, row.intervalSeconds);
    if (row.lastRunAt !== null) lastRun.set(labels, seconds(row.lastRunAt));
    for (const r of row.results ?? []) {
      // Values that were not measured are omitted.
      if (typeof r.value === 'number' && r.status !== 'UNKNOWN') value.set({ ...labels, metric: r.metricKey }, r.value);
    }
    for (const l of row.limits) {
      limit.set({ ...labels, metric: l.metricKey, limit: 'green' }, l.green);
      limit.set({ ...labels, metric: l.metricKey, limit: 'orange' }, l.orange);
    }
    // Agents name causes; labels contain only known ones.
    if (isKnownCause(row.failure)) failure.set({ ...labels, cause: row.failure }, 1);
    for (const severity of SEVERITIES) incident.set({ ...labels, severity }, Number(row.incident === severity));
  }

  async function read(): Promise<string> {
    const totals = await gaugeTotals(db);
    const isNamed = sight === 'ALL' || (sight === 'ONE' && totals.organizations <= 1);
    const rows = isNamed ? await probeGauges(db, MAX_PROBES) : [];
    for (const one of ofProbes) one.reset();
    for (const row of rows) show(row);
    unlisted.set(totals.probes - rows.length);
    webhooks.set({ state: 'enabled' }, totals.enabled);
    webhooks.set({ state: 'failing' }, totals.failing);
    webhooks.set({ state: 'disabled' }, totals.disabled);
    pending.set(totals.pending);
    return registry.metrics();
  }

  let kept: { readonly atMs: number; readonly text: Promise<string> } | undefined;
  return () => {
    const nowMs = now().getTime();
    if (kept && Math.abs(nowMs - kept.atMs) < KEPT_MS) return kept.text;
    const text = read();
    kept = { atMs: nowMs, text };
    text.catch(() => {
      if (kept?.text === text) kept = undefined;
    });
    return text;
  };
}
