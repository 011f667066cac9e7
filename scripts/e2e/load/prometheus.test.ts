/** What Prometheus would scrape: promtool accepts it, and it agrees with the run's figures. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FAULT_KINDS } from '@carillon/proto';
import t from 'tap';
import { parse } from 'yaml';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo } from '../../peers/lab/provision.ts';
import { openVersionRelay, type VersionRelay } from '../../peers/network/version-relay.ts';
import { startWebhookReceiver } from '../../peers/network/webhook-receiver.ts';
import { until } from '../../peers/process.ts';
import { startPrometheus } from '../../peers/referees/prometheus.ts';
import { freshScrape, type Scrape, scrape } from '../../peers/referees/prometheus-text.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../agent/observability');
const CALLS = 6;
const BUSY = 3;

const sipp = await startSipp({ address: '127.0.0.1', scenario: { file: 'busy.xml' } });
t.teardown(() => sipp.stop('SIGKILL'));
const receiver = await startWebhookReceiver();
t.teardown(() => receiver.stop());
const relays: VersionRelay[] = [];
const versions: ('NEWER' | 'OLDER')[] = ['OLDER', 'NEWER'];
t.teardown(() => {
  for (const relay of relays) relay.close();
});
const lab = await openLab(t, {
  agents: 2,
  // All of it across versions: one agent is newer than its control plane, the other one older.
  linkUrl: async (url) => {
    const relay = await openVersionRelay(url, versions.pop() ?? 'OLDER');
    relays.push(relay);
    return relay.url;
  },
  controlPlaneEnv: { CARILLON_WEBHOOKS_ALLOW_PRIVATE: 'true', CARILLON_WEBHOOKS_ALLOW_HTTP: 'true' },
  provision: () => ({
    tests: [
      callsAmongAgents('calls', { endpoints: CALLS, durationSeconds: 6 }),
      callsTo(sipp.uri, 'busy', { endpoints: BUSY, durationSeconds: 1 }),
    ],
  }),
});
const targets = lab.agents.map((agent) => agent.metricsUrl);
const prometheus = await startPrometheus({
  job: 'carillon-agents',
  targets,
  ruleFiles: [path.join(FOLDER, 'alert-rules.yaml')],
});
t.teardown(() => prometheus.stop());
const { url, secret } = receiver;
const webhook = await lab.call('createWebhook', {
  projectId: lab.projectId,
  url,
  secret,
  format: 'STANDARD',
  events: ['test_run.status_changed'],
});
const busy = await lab.runToEnd('busy');
await until('both agents are scraped', async () => (await prometheus.scrapes()) >= 2);
const from = Date.now() / 1000;
const run = await lab.runToEnd('calls');
const scraped = await prometheus.scrapes();
await until('both agents are scraped twice more', async () => (await prometheus.scrapes()) >= scraped + 2);
// Slots, as all that agents report every second: for the run's last second, too.
const ofAgents = await until('the last second is reported', async () => {
  const all = await Promise.all(targets.map((target) => scrape(target)));
  const planned = all.reduce((sum, one) => sum + (one.value('carillon_agent_rtp_slots_planned_total') ?? 0), 0);
  return planned >= run.summary.totalPacketsSent && all;
});
const [ofAgent] = ofAgents as [Scrape, Scrape];
const to = Date.now() / 1000;
const ofControlPlane = await freshScrape(lab.controlPlane.url);

const promtool = ({ text }: Scrape) => spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });

t.test('agents a minor version newer and older than their control plane take part', async (t) => {
  t.match([run.status, run.callTiming.successCount, run.summary.totalPacketsLost], ['COMPLETED', CALLS, 0]);
  t.ok(relays.every((relay) => relay.changed() > 20));
  const refused = ['FRAME_REFUSED', 'BATCH_OUT_OF_TURN'].map((reason) =>
    ofControlPlane.value('carillon_agent_refusals_total', { reason }),
  );
  t.same(refused, [undefined, undefined], 'no frame was refused');
  const traces = await lab.query<{ endpoints: number; messages: number; shared: boolean }>(
    `select count(distinct m.endpoint_number)::int as endpoints, count(*) filter (where not retransmission)::int as messages,
       bool_or(m.chunk_endpoint <> m.endpoint_number) as shared
     from sip_messages m join endpoints e on e.run_id = m.run_id and e.number = m.endpoint_number
     where m.run_id = $1 group by e.worker_id order by shared`,
    [run.id],
  );
  const each = { endpoints: CALLS, messages: 6 * CALLS };
  t.same(
    traces,
    [
      { ...each, shared: false },
      { ...each, shared: true },
    ],
    'traces are whole: of one of them by endpoint, of the other in blocks',
  );
});

t.test('promtool accepts both', async (t) => {
  for (const [whose, one] of [['agent', ofAgent] as const, ['control plane', ofControlPlane] as const]) {
    const said = promtool(one);
    t.same({ code: said.status, out: said.stdout + said.stderr }, { code: 0, out: '' }, whose);
  }
  t.not(promtool({ ...ofAgent, text: '# TYPE x counter\nx 1\n' }).stderr, '', 'it does complain of what is wrong');
});

t.test("the agent's series agree with the runs", async (t) => {
  const value = (name: string, labels: Record<string, string> = {}) =>
    ofAgents
      .map((one) => one.value(`carillon_agent_${name}`, labels))
      .reduce((a, b) => (b === undefined ? a : (a ?? 0) + b));
  const sip = (direction: string, method: string, status = 'request') =>
    value('sip_messages_total', { direction, method, status });
  t.equal(value('calls_total', { result: 'SUCCESS' }), 2 * CALLS, 'each call at both its ends');
  t.equal(value('calls_total', { result: 'REJECTED' }), BUSY);
  t.equal(value('calls_answered_total'), 2 * CALLS);
  for (const finding of FAULT_KINDS) t.equal(value('findings_total', { finding }), 0, `${finding} was not found`);
  t.equal(value('endpoints_closed_total', { outcome: 'SUCCESS', cause: 'NONE' }), 2 * CALLS);
  t.equal(value('endpoints_closed_total', { outcome: 'CALL_FAILED', cause: 'BUSY' }), BUSY);
  t.same([sip('sent', 'INVITE'), sip('received', 'INVITE')], [CALLS + BUSY, CALLS]);
  t.same([sip('received', 'INVITE', '486'), sip('received', 'INVITE', '180')], [BUSY, CALLS]);
  t.same([sip('received', 'INVITE', '200'), sip('received', 'BYE', '200')], [CALLS, CALLS]);
  t.equal(value('rtp_packets_total', { direction: 'sent' }), run.summary.totalPacketsSent);
  t.equal(value('rtp_packets_total', { direction: 'received' }), run.summary.totalPacketsReceived);
  t.equal(value('rtp_payload_bytes_total', { direction: 'sent' }), 160 * run.summary.totalPacketsSent);
  t.equal(value('rtp_packets_lost_total'), run.summary.totalPacketsLost);
  t.equal(value('call_setup_seconds_count'), run.callTiming.callSetup.count);
  const setUp = (value('call_setup_seconds_sum') ?? 0) / CALLS;
  t.ok(Math.abs(setUp * 1000 - run.callTiming.callSetup.avg) < 0.01, `mean set-up ${setUp} s`);
  t.equal(value('stream_mos_count', { scale: 'nb' }), run.summary.measured.mos);
  t.ok(Math.abs((value('stream_mos_sum', { scale: 'nb' }) ?? 0) / (2 * CALLS) - run.summary.avgMos) < 0.001);
  t.equal(value('stream_jitter_seconds_count'), run.summary.measured.jitter);
  t.equal(value('stream_loss_ratio_bucket', { le: '0' }), 2 * CALLS, 'no stream lost anything');
  t.equal(value('register_seconds_count'), 0);
  t.ok((value('rtp_slots_planned_total') ?? 0) >= run.summary.totalPacketsSent);
  t.same([value('endpoints_active'), value('link_up'), value('link_state', { state: 'ONLINE' })], [0, 2, 2]);
  t.same([value('endpoints', { phase: 'INCALL' }), value('outbox_dropped_batches_total', { reason: 'full' })], [0, 0]);
  for (const name of [
    'sip_malformed_total',
    'policy_refused_messages_total',
    'receive_queue_drops_total',
    'rtp_slots_skipped_total',
    'thread_cpu_ratio',
  ]) {
    t.type(value(name), 'number', name);
  }
  t.equal(value('io_info', { sip: 'ffi', rtp: 'ffi' }), 2);
});

/** Panels that are empty if nothing registers, fails or drops. */
const QUIET = ['Registrations', 'Failures by cause', 'Findings'];

t.test('a real Prometheus: every query of the dashboard and of the rules yields what it should', async (t) => {
  const { panels } = JSON.parse(readFileSync(path.join(FOLDER, 'dashboard.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const query = expr
        .replaceAll('$__rate_interval', '3s')
        .replaceAll('$__range', '1m')
        .replaceAll('$instance', '.*');
      const series = await prometheus.range(query, from, to);
      if (QUIET.includes(title)) continue;
      t.ok(
        series.some(({ values }) => values.length > 0),
        `${title}: ${query}`,
      );
    }
  }
  const most = async (query: string) =>
    Math.max(...(await prometheus.range(query, from, to)).flatMap(({ values }) => values));
  t.equal(
    await most('sum(max_over_time(carillon_agent_endpoints{phase="INCALL"}[1m]))'),
    2 * CALLS,
    'all were seen in their calls',
  );
  const before = (await prometheus.range('sum(carillon_agent_rtp_packets_total{direction="sent"})', from, to))[0]
    ?.values;
  // None, some, all: a scrape that a busy host delays misses the values in between.
  t.ok(new Set(before).size >= 3, `counted as they go: ${before?.join(' ')}`);
  t.equal(await most('sum(carillon_agent_calls_total{result="SUCCESS"})'), 2 * CALLS);
  t.equal(await most('sum(carillon_agent_endpoints_closed_total{cause="BUSY"})'), BUSY);
  const rules = parse(readFileSync(path.join(FOLDER, 'alert-rules.yaml'), 'utf8')).groups[0].rules as {
    alert: string;
    expr: string;
  }[];
  for (const { alert, expr } of rules) {
    const judged = expr.replace(/ (?:==|>) [\d.]+$/, '');
    const series = await prometheus.range(judged, from, to);
    t.ok(series.length > 0, `${alert} is about something that is scraped: ${judged}`);
  }
  for (const args of [
    ['check', 'rules', 'alert-rules.yaml'],
    ['test', 'rules', 'alert-rules.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
    t.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  }
});

t.test("the control plane's series agree with the database", async (t) => {
  const [stored] = await lab.query<{ n: number }>(`select count(*)::int as n from samples`);
  t.equal(ofControlPlane.value('carillon_ingest_samples_total'), stored?.n);
  t.equal(ofControlPlane.value('carillon_workers', { status: 'ONLINE' }), 2);
  t.equal(ofControlPlane.value('carillon_runs_open') ?? 0, 0);
  t.ok((ofControlPlane.value('carillon_ingest_batches_total', { result: 'committed' }) ?? 0) > 0);
  const started = { method: 'POST', route: '/api/v1/projects/:projectId/tests/:testId/run', status: '201' };
  t.equal(ofControlPlane.value('carillon_http_request_duration_seconds_count', started), 2);
  t.match([run.status, busy.status], ['COMPLETED', 'COMPLETED']);
});

t.test('each step of a run is told, signed, once', async (t) => {
  await until('every step of both runs has arrived', async () => receiver.received.length >= 6);
  for (const { id } of [run, busy]) {
    const steps = receiver.received.filter((r) => r.data.testRunId === id).map((r) => `${r.data.from} ${r.data.to}`);
    t.same(steps.sort(), ['PENDING QUEUED', 'QUEUED RUNNING', 'RUNNING COMPLETED']);
  }
  t.equal(new Set(receiver.received.map((r) => r.id)).size, 6);
  t.equal(receiver.unsigned(), 0);
  const { id: webhookId } = webhook;
  await until('the log says so', async () => {
    const { rows } = await lab.call('listWebhookDeliveries', { projectId: lab.projectId, webhookId });
    return rows.length === 6 && rows.every((d) => d.status === 'DELIVERED' && d.attempts === 1);
  });
});

t.test('health', async (t) => {
  const status = async (url: string) => (await fetch(url)).status;
  t.equal(await status(`${lab.controlPlane.url}/healthz`), 200);
  t.equal(await status(`${lab.controlPlane.url}/readyz`), 200);
  const [agent] = targets as [string, string];
  t.equal(await status(`${agent}/healthz`), 200);
  t.equal(await status(`${agent}/readyz`), 200);
  t.notOk((await prometheus.alerts()).includes('CarillonAgentOffline'));
  await lab.controlPlane.stop('SIGTERM');
  await until('the agent is not ready', async () => (await status(`${agent}/readyz`)) === 503);
  t.equal(await status(`${agent}/healthz`), 200, 'without a control plane it lives on');
  await until('the alert waits to fire', async () => (await prometheus.alerts()).includes('CarillonAgentOffline'));
});
