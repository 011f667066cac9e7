/**
 * Pages of a large installation in a browser: how soon each is ready, how much it costs, loads and draws. Each is opened cold, by
 * its address in a browser that knows nothing, first and again after the control plane was started; then warm, from another page.
 */
import type { Browser } from 'playwright-core';
import { buildDashboard } from '../../build-dashboard.ts';
import { askAs, type LabAsk } from '../../e2e/dashboard/lab-data.ts';
import type { Lab } from '../../peers/lab/lab.ts';
import { startChromium, type Visit, visit } from '../../peers/referees/chromium.ts';
import { cpuOf } from '../installation.ts';
import { n, type ResultTable } from '../table.ts';
import { makeUse, SIZES } from './large-data.ts';
import { type LargeLab, LIVE_TEST, OWNER, withLargeInstallation } from './large-installation.ts';
import { openPage, type PageCost, watchPages } from './page-ready.ts';

const MAX_MS = 1000;
/** People who look after a fleet open one of these after another, so they are ready sooner. */
const MAX_QUICK_MS = 300;
const IS_QUICK = new Set(['workers', 'workers of a region', 'a worker by its name']);
/** Of the first load of a page. A run has all that is known of it, and in progress a form for its load: these must not grow. */
const MAX_SCRIPT_KB = 200;
const MAX_SCRIPT_OF_RUN_KB = 220;
const MAX_SCRIPT_OF_LIVE_RUN_KB = 240;
const maxScriptKb = (name: string): number =>
  name === 'a run in progress'
    ? MAX_SCRIPT_OF_LIVE_RUN_KB
    : name.startsWith('the run,')
      ? MAX_SCRIPT_OF_RUN_KB
      : MAX_SCRIPT_KB;
/** The best of them counts. The first read since the control plane was started is one. */
const VISITS = 3;
const PLANS = ['FREE', 'STARTER', 'UNLIMITED'];

/** The live page is measured when each endpoint of its run has made so many calls on average. */
const LIVE_CALLS_EACH = 2;

/** The pages by name: the address, and a text of the finished page. `alone`: it is no page of the dashboard, and always opened cold. */
type Pages = Readonly<Record<string, readonly [address: string, text: string, alone?: 'alone']>>;

async function pagesOf({ lab, runId, baseId }: LargeLab, ask: LabAsk): Promise<Pages> {
  const at = `/projects/${lab.projectId}`;
  const run = `${at}/runs/${runId}`;
  const here = { projectId: lab.projectId, testRunId: runId };
  const first = async (path: string) => (await ask<{ id: string }[]>('GET', `${at}${path}`))[0]?.id ?? '';
  const call = await first(`/test-runs/${runId}/calls?outcome=SUCCESS&per_page=1`);
  const endpoint = await first(`/test-runs/${runId}/endpoints?per_page=1`);
  const probe = await first('/probes?per_page=1');
  const test = lab.testId('after-release');
  const report = await ask<{ path: string }>('POST', `${at}/test-runs/${runId}/share-links`, { expiresInDays: 1 });
  const heard = await lab.call('listTestRunCalls', { ...here, outcome: 'SUCCESS', order: 'worst', per_page: 1 });
  const last = await lab.call('listTestRunCalls', {
    ...here,
    outcome: 'SUCCESS',
    order: 'worst',
    per_page: 1,
    page: heard.pagination.total,
  });
  return {
    home: ['/', 'Agents online'],
    project: [at, 'Recent runs'],
    runs: [`${at}/runs`, 'calls? good'],
    'runs, page 300': [`${at}/runs?page=300`, 'calls? good'],
    'runs of a test': [`${at}/runs?test=${test}`, 'calls? good'],
    'the run, its calls': [run, 'SIP responses'],
    'the run, failed calls': [`${run}?outcome=CALL_FAILED`, 'SIP responses'],
    'the run, endpoints': [`${run}?list=endpoints`, 'SIP responses'],
    'the run, events': [`${run}?list=events`, 'SIP responses'],
    'the run, messages': [`${run}?list=messages`, 'SIP responses'],
    'the run, calls to a number': [`${run}?number=callee`, 'SIP responses'],
    'the last of its good calls': [
      `${run}/endpoints/${last.rows[0]?.id}?outcome=SUCCESS&at=${heard.pagination.total - 1}`,
      'INVITE',
    ],
    'its report': [report.path, 'evening-load', 'alone'],
    'a call': [`${run}/endpoints/${call}`, 'INVITE'],
    'calls of an endpoint': [`${run}/endpoints/${endpoint}/calls`, '\\d calls'],
    'calls of all runs': [`${at}/calls`, '\\d calls'],
    'calls by number': [`${at}/calls?number=callee`, '\\d calls'],
    'calls of all runs, page 4000': [`${at}/calls?page=4000`, '\\d calls'],
    'failed calls of all runs': [`${at}/calls?outcome=CALL_FAILED`, '\\d calls'],
    comparison: [`${at}/compare?runs=${baseId},${runId}`, 'Figures'],
    probes: [`${at}/probes`, 'Front door'],
    'a probe': [`${at}/probes/${probe}`, 'Run now'],
    executions: [`${at}/probes/${probe}/executions`, 'Healthy|Unhealthy|Degraded'],
    'the status page': [`${at}/status-page`, 'Probes shown'],
    workers: ['/workers', 'agent-1'],
    'workers of a region': ['/workers?region=local&state=OFFLINE', '\\d workers'],
    'a worker by its name': ['/workers?search=edge-999', 'edge-999'],
    customers: ['/customers', 'runs this installation'],
    'use of customers': ['/customers/usage', 'Download CSV'],
    'audit log': ['/audit-log', 'Who'],
  };
}

type Cost = PageCost & { readonly controlPlaneMs: number; readonly postgresMs: number };

/** The processor time of all that a page needs: on one idle processor it is ready that soon. */
const cpuMs = ({ browserMs, controlPlaneMs, postgresMs }: Cost): number => browserMs + controlPlaneMs + postgresMs;

export const largePages = async (): Promise<ResultTable> => {
  await buildDashboard();
  const browser = await startChromium();
  try {
    return await withLargeInstallation((large) => measure(large, browser));
  } finally {
    await browser.close();
  }
};

async function measure(large: LargeLab, browser: Browser): Promise<ResultTable> {
  const { lab } = large;
  const { page, context } = await visit(browser, lab.controlPlane.url);
  await page.goto('/log-in');
  const ask = askAs(page);
  await ask('POST', '/entrance/log-in', OWNER);
  for (let i = 1; i <= SIZES.customers; i++) {
    const plan = PLANS[i % PLANS.length];
    await ask('POST', '/customers', { name: `Customer ${i}`, plan, email: `owner@customer-${i}.example` });
  }
  await makeUse(lab);
  const pages = await pagesOf(large, ask);
  const cookies = await context.cookies();
  await context.close();
  await lab.query('vacuum analyze');
  await lab.controlPlane.stop();
  await lab.startControlPlane();
  const open = async (address: string, text: string, cold: boolean): Promise<Cost> => {
    const guest = await visit(browser, lab.controlPlane.url);
    await guest.context.addCookies(cookies);
    await watchPages(guest.context);
    if (!cold) await openPage(guest.page, '/members', 'Owner', true);
    const before = await cpuOf(lab);
    const cost = await openPage(guest.page, address, text, cold);
    const after = await cpuOf(lab);
    await closed(guest);
    const spent = (what: 'controlPlane' | 'postgres') => Math.max(0, after[what] - before[what]) * 1000;
    return { ...cost, controlPlaneMs: spent('controlPlane'), postgresMs: spent('postgres') };
  };
  const rows: string[][] = [];
  const faults: string[] = [];
  const take = async (name: string, [address, text, alone]: Pages[string]) => {
    const first = await open(address, text, true);
    const cold = await best(() => open(address, text, true));
    const warm = await best(() => open(address, text, alone !== undefined));
    // A busy host makes a page late; what it costs decides then.
    for (const [how, one, max] of [
      ['first', first, MAX_MS],
      ['cold', cold, MAX_MS],
      ['warm', warm, IS_QUICK.has(name) ? MAX_QUICK_MS : MAX_MS],
    ] as const)
      if (one.readyMs > max && cpuMs(one) > max)
        faults.push(`${name}, ${how}: ready after ${n(one.readyMs)} ms, ${n(cpuMs(one))} ms of CPU`);
    const scriptKb = first.scriptBytes / 1000;
    if (scriptKb > maxScriptKb(name)) faults.push(`${name}: the first load has ${n(scriptKb)} kB of script`);
    const each = (of: (cost: Cost) => number): string => [first, cold, warm].map((one) => n(of(one))).join(', ');
    rows.push([
      ...[name, each((c) => c.readyMs), each(cpuMs), each((c) => c.browserMs), each((c) => c.controlPlaneMs)],
      ...[each((c) => c.postgresMs), each((c) => c.scriptBytes / 1000), each((c) => c.dataBytes / 1000)],
      ...[each((c) => c.requests), n(warm.nodes)],
    ]);
    console.log(rows.at(-1)?.join(' | '));
  };
  for (const [name, page] of Object.entries(pages)) await take(name, page);
  const live = await liveRun(lab);
  await take('a run in progress', [`/projects/${lab.projectId}/runs/${live}`, 'Running[^]*calls']);
  await lab.call('cancelTestRun', { projectId: lab.projectId, testRunId: live });
  return { heads: HEADS, rows, faults };
}

/** The visit that was ready soonest. */
async function best(look: () => Promise<Cost>): Promise<Cost> {
  const visits: Cost[] = [];
  for (let i = 0; i < VISITS; i++) visits.push(await look());
  return visits.reduce((soonest, one) => (one.readyMs < soonest.readyMs ? one : soonest));
}

/** A run of as many endpoints as the large one, by signalling only; its id, once each has called. */
const liveRun = (lab: Lab): Promise<string> =>
  lab.startRun(
    LIVE_TEST,
    'each endpoint has called',
    ({ progress }) => progress.callsStarted >= LIVE_CALLS_EACH * SIZES.endpoints,
  );

async function closed({ context, faults }: Visit): Promise<void> {
  await context.close();
  if (faults.length > 0) throw new Error(faults.join('; '));
}

const HEADS = [
  ...[
    'page',
    'ready after ms: first, cold, warm',
    'ms of CPU: first, cold, warm',
    'of the browser',
    'of the control plane',
  ],
  ...['of PostgreSQL', 'kB of script: first, cold, warm', 'kB of data', 'requests', 'elements'],
];
