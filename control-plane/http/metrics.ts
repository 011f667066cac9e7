/** The control plane's own figures for Prometheus. */
import { LAG_TIMER_MS, UNWANTED_METRICS } from '@carillon/proto/base/node-metrics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { TROUBLES } from '../contract/trouble.ts';
import type { Condition, Ports } from '../ports.ts';
import { workerStatusCounts } from '../store/agents/workers.ts';
import { openRuns } from '../store/run/run-rows.ts';
import { createProbeMetrics } from './probe-metrics.ts';
import type { Sight } from './scrape-sight.ts';

export function createMetrics(ports: Ports) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_TIMER_MS });
  for (const name of UNWANTED_METRICS) registry.removeSingleMetric(name);
  const requests = new Histogram({
    name: 'carillon_http_request_duration_seconds',
    help: 'Time to answer a request, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers,
  });
  const batches = new Counter({
    name: 'carillon_ingest_batches_total',
    help: 'Batches of facts from agents, by result.',
    labelNames: ['result'],
    registers,
  });
  const samples = new Counter({
    name: 'carillon_ingest_samples_total',
    help: 'Samples of RTP streams that were committed.',
    registers,
  });
  const refusedFrames = new Counter({
    name: 'carillon_agent_frames_refused_total',
    help: 'Frames on the agent link that are invalid, or not allowed there.',
    registers,
  });
  const refusals = new Counter({
    name: 'carillon_agent_refusals_total',
    help: 'Connections, greetings, frames and facts on the agent link that were refused, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const unreadable = new Counter({
    name: 'carillon_http_unreadable_total',
    help: 'Connections that were closed because what they sent is not an HTTP request, is too long, or arrived too slowly.',
    registers,
  });
  const recordingChunks = new Counter({
    name: 'carillon_recording_chunks_total',
    help: 'Parts of recordings that agents requested, by result.',
    labelNames: ['result'],
    registers,
  });
  const installation = installationGauges(registers);
  let condition: Condition | null = null;
  /** Metrics of the database; empty if it does not answer, because its own failure must be visible without delay. */
  const ofDatabase = async <T>(ask: () => Promise<T[]>): Promise<T[]> =>
    condition === null || !isSilent(condition) ? ask().catch(() => []) : [];
  new Gauge({
    name: 'carillon_workers',
    help: 'Workers by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      this.reset();
      for (const { status, n } of await ofDatabase(() => workerStatusCounts(ports.database.db)))
        this.set({ status }, n);
    },
  });
  new Gauge({
    name: 'carillon_runs_open',
    help: 'Test runs that have not ended, by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      this.reset();
      for (const { status } of await ofDatabase(() => openRuns(ports.database.db))) this.inc({ status });
    },
  });
  new Gauge({
    name: 'carillon_endpoints_wanted',
    help: 'Endpoints of test runs that have not ended: what an autoscaler of agents follows.',
    registers,
    async collect() {
      // Without the database it is unknown, and an autoscaler must not read 0.
      this.remove();
      const runs = await ofDatabase(async () => [await openRuns(ports.database.db)]);
      for (const open of runs) this.set(open.reduce((sum, { endpoints }) => sum + endpoints, 0));
    },
  });
  new Gauge({
    name: 'carillon_database_connections',
    help: 'Connections of the pool, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = ports.database.poolState();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'carillon_standby_lag_seconds',
    help: 'How far the standby for reading is behind the database; absent without one, and while it does not answer.',
    registers,
    collect() {
      this.remove();
      const lag = ports.standby?.lagSeconds() ?? null;
      if (lag !== null) this.set(lag);
    },
  });
  const probes = {
    ALL: createProbeMetrics(ports, 'ALL'),
    ONE: createProbeMetrics(ports, 'ONE'),
    NONE: createProbeMetrics(ports, 'NONE'),
  };
  return {
    contentType: registry.contentType,
    async text(sight: Sight): Promise<string> {
      condition = await ports.condition();
      installation(condition);
      const [ofProbes = ''] = await ofDatabase(async () => [await probes[sight]()]);
      return (await registry.metrics()) + ofProbes;
    },
    observe(request: FastifyRequest, reply: FastifyReply) {
      const route = request.routeOptions.url ?? 'none';
      requests.observe({ route, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000);
    },
    batches,
    samples,
    refusedFrames,
    refusals,
    unreadable,
    recordingChunks,
  };
}

const isSilent = ({ faults }: Condition): boolean =>
  faults.some(({ kind }) => kind === 'DATABASE_AWAY' || kind === 'CONNECTIONS_SPENT');

/** The condition of the installation. Unknown values have no series. */
function installationGauges(registers: Registry[]): (condition: Condition) => void {
  const ready = new Gauge({
    name: 'carillon_ready',
    help: '1: /readyz answers 200.',
    registers,
  });
  const trouble = new Gauge({
    name: 'carillon_trouble',
    help: '1 while the installation has this problem; /readyz describes it.',
    labelNames: ['kind'],
    registers,
  });
  const disk = new Gauge({
    name: 'carillon_database_disk_bytes',
    help: 'Bytes of the disk of the embedded database, by state; absent with an external database.',
    labelNames: ['state'],
    registers,
  });
  const jobs = new Gauge({
    name: 'carillon_job_waiting_seconds',
    help: 'For how long the job that has been due for longest waits; absent where none does.',
    labelNames: ['which'],
    registers,
  });
  return ({ faults, warnings, disk: found, waitingSeconds }) => {
    const kinds = new Set([...faults, ...warnings].map(({ kind }) => kind));
    ready.set(Number(faults.length === 0));
    for (const kind of TROUBLES) trouble.set({ kind }, Number(kinds.has(kind)));
    disk.reset();
    jobs.reset();
    if (found) disk.set({ state: 'free' }, found.freeBytes);
    if (found) disk.set({ state: 'used' }, found.sizeBytes - found.freeBytes);
    if (waitingSeconds !== null) jobs.set({ which: 'oldest' }, waitingSeconds);
  };
}
