/**
 * A run of 10,000 endpoints and an hour of samples, as its page shows it in Chromium: from the last byte of its data to the first
 * picture with all of it, and what a frame costs while its list and the page are scrolled; beside the same page of an empty run.
 * The run is written into the database as ingest would have summed it up: the page reads sums, never samples.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { buildDashboard } from '../build-dashboard.ts';
import { startControlPlaneProcess } from '../peers/carillon.ts';
import { startChromium, visit } from '../peers/chromium.ts';
import { type LabDatabase, openLabDatabase } from '../peers/lab-database.ts';
import { until } from '../peers/process.ts';

const ENDPOINTS = 10_000;
const HOUR = 3600;
const SHARES = 20;
const LOADS = 5;
const FRAMES = 240;
const FRAME_MS = 1000 / 60;
const RENDER_MS = 500;

type Api = <T>(method: string, url: string, body?: object) => Promise<T>;

export async function runPage(): Promise<void> {
  await buildDashboard();
  const dir = await mkdtemp('/tmp/carillon-prove-');
  await chmod(dir, 0o711);
  const dataDir = path.join(dir, 'data');
  const database = await openLabDatabase(dataDir, 'embedded');
  const controlPlane = await startControlPlaneProcess({ dataDir });
  const browser = await startChromium();
  try {
    const { page } = await visit(browser, controlPlane.url);
    const link = await until('the link is printed', () => /(http\S+\/set-up#\S+)/.exec(controlPlane.output())?.[1]);
    const api = await enter(page, link);
    const { id: projectId } = await api<{ id: string }>('POST', '/projects', { name: 'Large' });
    const empty = await seed(database, api, projectId, 1, 1);
    const large = await seed(database, api, projectId, ENDPOINTS, HOUR);
    const base = `/projects/${projectId}/runs`;
    const small = await loads(page, `${base}/${empty}`);
    const big = await loads(page, `${base}/${large}`);
    const still = await frames(page, `${base}/${empty}`, null);
    const list = await frames(page, `${base}/${large}`, '.rows');
    const whole = await frames(page, `${base}/${large}`, 'window');
    const rows: [string, number, number, string][] = [
      ['data to picture, median of 5', small.renderMs, big.renderMs, 'ms'],
      ['longest frame of a load', small.longestMs, big.longestMs, 'ms'],
      ['work of a load', small.taskMs, big.taskMs, 'ms'],
      ['work a frame, list scrolled', still.taskMs, list.taskMs, 'ms'],
      ['work a frame, page scrolled', still.taskMs, whole.taskMs, 'ms'],
      ['p95 between frames, list scrolled', still.p95Ms, list.p95Ms, 'ms'],
      ['p95 between frames, page scrolled', still.p95Ms, whole.p95Ms, 'ms'],
      ['rows drawn', still.rows, list.rows, ''],
    ];
    console.log(
      `${'run page'.padEnd(36)}${'empty run'.padStart(12)}${'10,000 x 1 h'.padStart(14)}${'ratio'.padStart(8)}`,
    );
    for (const [name, a, b, unit] of rows) {
      const ratio = a > 0 ? (b / a).toFixed(1) : '–';
      console.log(
        `${name.padEnd(36)}${`${a.toFixed(1)} ${unit}`.padStart(12)}${`${b.toFixed(1)} ${unit}`.padStart(14)}${ratio.padStart(8)}`,
      );
    }
    const faults = [
      ...(big.renderMs > RENDER_MS
        ? [`${big.renderMs.toFixed(0)} ms from its data to the picture, over ${RENDER_MS}`]
        : []),
      ...(list.taskMs > FRAME_MS ? ['scrolling the list takes more than a frame has'] : []),
      ...(whole.taskMs > FRAME_MS ? ['scrolling the page takes more than a frame has'] : []),
      ...(list.rows > 60 ? [`${list.rows} rows are drawn`] : []),
    ];
    if (faults.length > 0) throw new Error(faults.join('; '));
  } finally {
    await browser.close();
    await controlPlane.stop('SIGTERM', 20_000);
    await database.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function enter(page: Page, link: string): Promise<Api> {
  await page.goto(link);
  await page.getByLabel('Organization').fill('Acme');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill('a password for a proof');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  return async <T>(method: string, url: string, body?: object): Promise<T> => {
    const answer = (await page.evaluate(
      async ([method, url, body]) => {
        const response = await fetch(`/api/v1${url}`, {
          method,
          headers: { 'x-carillon-dashboard': '1', ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body }),
        });
        return response.json();
      },
      [method, url, body ? JSON.stringify(body) : ''] as const,
    )) as { data?: T };
    if (!answer.data) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
}

/** Half of the endpoints call the others over `seconds`; the id of their run. */
async function seed(
  database: LabDatabase,
  api: Api,
  projectId: string,
  endpoints: number,
  seconds: number,
): Promise<string> {
  const calls = Math.max(1, endpoints / 2);
  const [cloud] = await api<{ id: string }[]>('GET', `/projects/${projectId}/registrars`);
  const group = (name: string, role: string, callee: object) => ({
    name,
    registrarId: cloud?.id,
    callee,
    placement: { mode: 'REGION', region: 'local' },
    subPopulations: [{ name: 'all', role, endpoints: calls }],
  });
  const test = await api<{ id: string }>('POST', `/projects/${projectId}/tests`, {
    name: `${endpoints} endpoints`,
    buildup: Math.ceil(seconds / 2),
    durationSeconds: Math.ceil(seconds / 2),
    groups: [
      group('callers', 'CALLER', { mode: 'GROUP', group: 'callees' }),
      group('callees', 'CALLEE', { mode: 'RECEIVE' }),
    ],
  });
  const worker = await api<{ id: string }>('POST', '/workers', { name: `edge-${endpoints}` });
  const run = randomUUID();
  const all = endpoints === 1 ? 0 : endpoints;
  const ask = (sql: string) => database.query(sql.replaceAll('$RUN', `'${run}'::uuid`));
  await ask(`
    insert into test_runs (id, project_id, organization_id, test_id, test_name, status, endpoints, duration_seconds, buildup_seconds,
      max_execution_seconds, config, submitted_at, started_at)
    select $RUN, t.project_id, p.organization_id, t.id, t.name, 'PENDING', ${endpoints}, ${seconds}, ${Math.ceil(seconds / 2)}, 7200, t.config,
      date_trunc('second', now()) - interval '2 hours', date_trunc('second', now()) - interval '2 hours'
    from tests t join projects p on p.id = t.project_id where t.id = '${test.id}'`);
  const t0 = `(select started_at from test_runs where id = $RUN)`;
  await ask(`
    insert into sub_population_instances (run_id, id, sub_population_id, group_id, worker_id, role, endpoints, status)
    select $RUN, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '${worker.id}', 'CALLER', ${Math.ceil(all / SHARES)}, 'DONE'
    from generate_series(1, ${all === 0 ? 0 : SHARES})`);
  await ask(`
    insert into endpoints (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call, phase,
      reached, outcome, cause, cause_text, cause_status, attempted, answered, call_result, final_status, final_reason, rang, call_id,
      planned_at, closed_at, called_at, answered_at, left_at, time_to_trying_ms, time_to_ringing_ms, pdd_ms, call_setup_ms,
      time_to_first_media_ms, call_duration_ms, invite_late_ms)
    select $RUN, n, gen_random_uuid(), i.id, '${worker.id}', '${cloud?.id}', case when calls then 'CALLER' else 'CALLEE' end,
      'sip:e' || n || '@192.0.2.10:5060', calls, 7, case when bad then 2 else 5 end, case when bad then 'CALL_FAILED' else 'SUCCESS' end,
      case when bad then 'REJECTED' end, case when bad then 'Busy Here' end, case when bad then 486 end, true, not bad,
      case when bad then 'REJECTED' else 'SUCCESS' end, case when bad then 486 else 200 end, case when bad then 'Busy Here' else 'OK' end,
      true, 'call-' || n, at, at + case when bad then interval '1 s' else interval '20 min' end, at,
      case when not bad then at + make_interval(secs => setup / 1000) end, at + interval '20 min',
      setup / 4, setup / 2, setup / 2, case when not bad then setup end, 20, case when bad then 0 else 1200000 end, random()
    from (
      select n, n % 2 = 0 as calls, n % 50 = 0 as bad, ${t0} + make_interval(secs => n::float8 * ${seconds / 2} / ${Math.max(1, all)}) as at,
        40 + 400 * random() * random() as setup
      from generate_series(0, ${all} - 1) n) e
    join (select id, row_number() over () - 1 as k from sub_population_instances where run_id = $RUN) i on i.k = n % ${SHARES}`);
  await ask(`
    insert into streams (run_id, endpoint_number, stream, codec, remote, packets_sent, octets_sent, packets_received, octets_received,
      expected, lost, discarded, duplicates, reordered, ssrc_changes, plc_events, plc_ms, jitter_mean_ms, jitter_max_ms, rtt_mean_ms,
      rtt_max_ms, rtt_count, mos, r_factor, scale, feedback, nack_count, pli_count, fir_count, sends_skipped)
    select $RUN, n, 0, 'PCMU', '192.0.2.10:4000', 60000, 9600000, 59900, 9584000, 60000, 100, 0, 0, 0, 0, 3, 60, 2, 9, 20, 30, 200,
      4.4 - random(), 90, 'nb', true, 0, 0, 0, 0
    from generate_series(0, ${all} - 1) n`);
  const seconds_ = `generate_series(0, ${all === 0 ? -1 : seconds - 1}) s`;
  const shares = `(select id from sub_population_instances where run_id = $RUN) i`;
  await ask(`
    insert into rollups
    select $RUN, i.id, ${t0} + s * interval '1 s', 100, 5000, 5000, 5000, 5 + (s % 7), 0, 100, 0, 0.01, 100, 420, 4, 4.4, 8500, 80, 93,
      100, 200 + s % 50, 0, 9, 10, 20, 1, 30, 10, 0.1, 0, 0.02, 10, 5, 0, 1, 'nb' from ${shares}, ${seconds_}`);
  await ask(`
    insert into mos_counts select $RUN, i.id, ${t0} + s * interval '1 s', 'nb', 78 + b * 2, 20 from ${shares}, ${seconds_}, generate_series(0, 4) b`);
  await ask(`
    insert into noise (run_id, worker_id, at, seconds, pacing_error, slots_planned, slots_skipped, loop_delay, thread_cpu, steal,
      receive_drops, received, clock_steps, stamps, loop_delay_p99_ms, pacing_error_p99_ms)
    select $RUN, '${worker.id}', ${t0} + s * interval '1 s', 1, '{}', 50000, 0, '{}', 0.4, 0, 0, 50000, 0, 'kernel', 2 + (s % 300 = 0)::int * 20, 0.2
    from ${seconds_}`);
  await ask(`insert into sip_counts select $RUN, i.id, false, 'INVITE', x.s, x.r, 250, 0
    from (select id from sub_population_instances where run_id = $RUN) i, (values (100, 'Trying'), (180, 'Ringing'), (200, 'OK'), (486, 'Busy Here')) x (s, r)`);
  await database.query('analyze');
  await ask(`update test_runs set status = 'QUEUED' where id = $RUN`);
  await ask(`update test_runs set status = 'RUNNING' where id = $RUN`);
  const drawn = await api<Record<string, unknown>>('GET', `/projects/${projectId}/test-runs/${run}`);
  const validity = { verdict: 'VALID', reasons: [], checks: [] };
  const clusters = { failureClusters: drawn['failureClusters'], otherFailures: 0 };
  await database.query(
    `update test_runs set status = 'COMPLETED', ended_at = started_at + make_interval(secs => $2), summary = $3, call_timing = $4,
       sip_responses = $5, sip_requests = $6, validity = $7, failure_clusters = $8, progress = $9, starts = $10 where id = $1`,
    [
      run,
      seconds,
      ...[
        drawn['summary'],
        drawn['callTiming'],
        drawn['sipResponses'],
        drawn['sipRequests'],
        validity,
        clusters,
        drawn['progress'],
        drawn['starts'],
      ].map((v) => JSON.stringify(v)),
    ],
  );
  return run;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Milliseconds of the main thread since the page was made. */
async function taskMsOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return (metrics.find((m) => m.name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** When everything is drawn: every chart that there is to be, and rows where there are endpoints. */
const DRAWN = `new Promise((resolve) => {
  const look = () => {
    const isThere = document.querySelector('#endpoints') && !document.querySelector('[role=status][aria-label=Loading]') &&
      document.querySelectorAll('figure').length >= 7 && document.querySelector('.rows-line a, [aria-label="Endpoints, events and messages"] p');
    if (!isThere) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve({
      atMs: performance.now(),
      dataMs: Math.max(...performance.getEntriesByType('resource').filter((e) => e.name.includes('/api/')).map((e) => e.responseEnd)),
      longestMs: Math.max(0, ...(window.frames_ ?? [])),
    })));
  };
  look();
})`;

async function loads(page: Page, address: string): Promise<{ renderMs: number; longestMs: number; taskMs: number }> {
  await page.addInitScript(`window.frames_ = [];
    new PerformanceObserver((list) => { for (const e of list.getEntries()) window.frames_.push(e.duration); })
      .observe({ type: 'long-animation-frame', buffered: true });`);
  const seen: { renderMs: number; longestMs: number; taskMs: number }[] = [];
  for (let i = 0; i <= LOADS; i++) {
    await page.goto('about:blank');
    await page.goto(address, { waitUntil: 'commit' });
    const { atMs, dataMs, longestMs } = (await page.evaluate(DRAWN)) as {
      atMs: number;
      dataMs: number;
      longestMs: number;
    };
    // The first fills the caches of both.
    if (i > 0) seen.push({ renderMs: atMs - dataMs, longestMs, taskMs: await taskMsOf(page) });
  }
  const of = (key: 'renderMs' | 'longestMs' | 'taskMs') => median(seen.map((s) => s[key]));
  return { renderMs: of('renderMs'), longestMs: of('longestMs'), taskMs: of('taskMs') };
}

const scrolled = (what: string | null): string => `new Promise((resolve) => {
  const what = ${JSON.stringify(what)};
  const element = what === null ? null : what === 'window' ? document.scrollingElement : document.querySelector(what);
  const gaps = [];
  let rows = 0;
  let last = performance.now();
  let down = 1;
  const turn = (now) => {
    gaps.push(now - last);
    last = now;
    rows = Math.max(rows, document.querySelectorAll('.rows-line').length);
    if (gaps.length > ${FRAMES}) return resolve({ gaps: gaps.slice(1), rows });
    if (element) {
      const from = element.scrollTop;
      element.scrollTop += down * (what === 'window' ? 40 : 150);
      if (element.scrollTop === from) down = -down;
    }
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
})`;

/** Scrolls what the selector names, or nothing, by some rows a frame. */
async function frames(
  page: Page,
  address: string,
  what: string | null,
): Promise<{ taskMs: number; p95Ms: number; rows: number }> {
  await page.goto(address);
  await page.evaluate(DRAWN);
  if (what === '.rows') await page.locator('.rows').scrollIntoViewIfNeeded();
  const before = await taskMsOf(page);
  const { gaps, rows } = (await page.evaluate(scrolled(what))) as { gaps: number[]; rows: number };
  const taskMs = (await taskMsOf(page)) - before;
  const sorted = [...gaps].sort((a, b) => a - b);
  return { taskMs: taskMs / FRAMES, p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0, rows };
}
