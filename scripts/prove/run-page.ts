/**
 * A run of 10,000 endpoints and an hour on its page in Chromium: from the last byte of its data to the first complete picture,
 * and the cost of a frame while its list and the page are scrolled; compared with an empty page, and the same page of a run
 * without endpoints. Work and frames are from Chromium's trace.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildDashboard } from '../build-dashboard.ts';
import { startControlPlaneProcess } from '../peers/lab/carillon.ts';
import { openLabDatabase } from '../peers/lab/database.ts';
import { until } from '../peers/process.ts';
import { startChromium, visit } from '../peers/referees/chromium.ts';
import { type RunPageApi, seedRun } from './run-page-data.ts';
import { MARKS, traced } from './trace.ts';

const ENDPOINTS = 10_000;
const HOUR = 3600;
const LOADS = 5;
const FRAMES = 240;
const FRAME_MS = 1000 / 60;
const RENDER_MS = 500;
/** Relative to an empty page: how much slower frames may be. */
const MOST_RATIO = 1.1;
const MOST_ROWS = 60;

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
    const addressOf = async (endpoints: number, seconds: number) =>
      `/projects/${projectId}/runs/${await seedRun(database, api, projectId, endpoints, seconds)}`;
    const empty = await addressOf(1, 1);
    const large = await addressOf(ENDPOINTS, HOUR);
    judge(await measure(browser, page, empty, large));
  } finally {
    await browser.close();
    await controlPlane.stop();
    await database.close();
    await rm(dir, { recursive: true, force: true });
  }
}

type Figures = {
  readonly emptyLoad: Load;
  readonly largeLoad: Load;
  readonly nothing: Scroll;
  readonly emptyPage: Scroll;
  readonly list: Scroll;
  readonly wholePage: Scroll;
};

const measure = async (browser: Browser, page: Page, empty: string, large: string): Promise<Figures> => ({
  emptyLoad: await loads(browser, page, empty),
  largeLoad: await loads(browser, page, large),
  nothing: await scrolls(browser, page, null, 'window'),
  emptyPage: await scrolls(browser, page, empty, 'window'),
  list: await scrolls(browser, page, large, '.rows'),
  wholePage: await scrolls(browser, page, large, 'window'),
});

/** Prints the table. @throws Error if the claim does not hold */
function judge({ emptyLoad, largeLoad, nothing, emptyPage, list, wholePage }: Figures): void {
  const ms = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} ms`);
  const row = (name: string, ...cells: string[]) => console.log(`| ${[name, ...cells].join(' | ')} |`);
  row('a load, median of 5', 'a run without endpoints', '10,000 endpoints, 1 h', 'ratio');
  row('---', '---', '---', '---');
  const loadRow = (name: string, key: keyof Load) =>
    row(name, ms(emptyLoad[key]), ms(largeLoad[key]), (largeLoad[key] / emptyLoad[key]).toFixed(1));
  loadRow('from the last byte of its data to the picture', 'renderMs');
  loadRow('from the address to the picture', 'wholeMs');
  loadRow('work of the main thread, from the address on', 'workMs');
  loadRow('longest task', 'longestTaskMs');
  console.log('');
  const columns = [nothing, emptyPage, list, wholePage];
  row(
    `scrolled for ${FRAMES} frames`,
    'nothing on it',
    'a run without endpoints',
    '10,000: its list',
    '10,000: the page',
  );
  row('---', '---', '---', '---', '---');
  const scrollRow = (name: string, key: keyof Scroll, say: (value: number) => string) =>
    row(name, ...columns.map((c) => say(c[key])));
  scrollRow(
    'frames drawn a second',
    'framesPerSecond',
    (v) => `${v.toFixed(1)} (${(v / nothing.framesPerSecond).toFixed(2)})`,
  );
  scrollRow('p95 between frames', 'p95Ms', (v) => `${ms(v)} (${(v / nothing.p95Ms).toFixed(2)})`);
  scrollRow('work of the main thread a frame', 'workMs', (v) => `${ms(v)} (${(v / nothing.workMs).toFixed(1)})`);
  scrollRow('layouts a frame', 'layouts', (v) => v.toFixed(2));
  scrollRow('rows drawn at once', 'rows', String);
  const faults = [
    ...(largeLoad.renderMs > RENDER_MS
      ? [`${largeLoad.renderMs.toFixed(0)} ms from its data to the picture, over ${RENDER_MS}`]
      : []),
    ...[list, wholePage].flatMap((s, i) => {
      const what = i === 0 ? 'the list' : 'the page';
      return [
        ...(s.workMs > FRAME_MS ? [`${what}: a frame's work takes ${ms(s.workMs)}, more than a frame has`] : []),
        ...(s.framesPerSecond * MOST_RATIO < nothing.framesPerSecond
          ? [
              `${what}: ${s.framesPerSecond.toFixed(1)} frames a second, ${nothing.framesPerSecond.toFixed(1)} with nothing on it`,
            ]
          : []),
      ];
    }),
    ...(list.rows > MOST_ROWS ? [`${list.rows} rows are drawn`] : []),
  ];
  if (faults.length > 0) throw new Error(faults.join('; '));
}

async function enter(page: Page, link: string): Promise<RunPageApi> {
  await page.goto(link);
  await page.getByLabel('Organization').fill('Acme');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill('a password for a proof');
  await page.getByRole('button', { name: 'Create account' }).click();
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

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** When everything is drawn: every expected chart, and rows if there are endpoints. */
const DRAWN = `new Promise((resolve) => {
  const look = () => {
    const isThere = document.querySelector('#endpoints') && !document.querySelector('[role=status][aria-label=Loading]') &&
      document.querySelectorAll('figure').length >= 7 && document.querySelector('.rows-line a, [aria-label="Endpoints, events and messages"] p');
    if (!isThere) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => {
      ${MARKS.to};
      resolve({
        atMs: performance.now(),
        dataMs: Math.max(...performance.getEntriesByType('resource').filter((e) => e.name.includes('/api/')).map((e) => e.responseEnd)),
      });
    }));
  };
  look();
})`;

type Load = {
  readonly renderMs: number;
  readonly wholeMs: number;
  readonly workMs: number;
  readonly longestTaskMs: number;
};

async function loads(browser: Browser, page: Page, address: string): Promise<Load> {
  const seen: Load[] = [];
  for (let i = 0; i <= LOADS; i++) {
    await page.goto('about:blank');
    const { value, workMs, longestTaskMs } = await traced(browser, page, async () => {
      await page.goto(address, { waitUntil: 'commit' });
      return (await page.evaluate(DRAWN)) as { atMs: number; dataMs: number };
    });
    // The first fills the caches of both.
    if (i > 0) seen.push({ renderMs: value.atMs - value.dataMs, wholeMs: value.atMs, workMs, longestTaskMs });
  }
  const of = (key: keyof Load) => median(seen.map((s) => s[key]));
  return { renderMs: of('renderMs'), wholeMs: of('wholeMs'), workMs: of('workMs'), longestTaskMs: of('longestTaskMs') };
}

/** Up and down by some rows a frame; the highest number of rows. */
const scrolled = (what: string): string => `new Promise((resolve) => {
  const element = ${what === 'window' ? 'document.scrollingElement' : `document.querySelector('${what}')`};
  let [n, rows, down] = [0, 0, 1];
  const turn = () => {
    rows = Math.max(rows, document.querySelectorAll('.rows-line').length);
    if (n++ === ${FRAMES}) {
      ${MARKS.to};
      return resolve(rows);
    }
    const from = element.scrollTop;
    element.scrollTop += down * ${what === 'window' ? 40 : 150};
    if (element.scrollTop === from) down = -down;
    requestAnimationFrame(turn);
  };
  ${MARKS.from};
  requestAnimationFrame(turn);
})`;

type Scroll = {
  readonly framesPerSecond: number;
  readonly p95Ms: number;
  readonly workMs: number;
  readonly layouts: number;
  readonly rows: number;
};

/** `address` null: an empty page. */
async function scrolls(browser: Browser, page: Page, address: string | null, what: string): Promise<Scroll> {
  if (address === null) {
    await page.goto('about:blank');
    await page.setContent('<!doctype html><div style="height: 100000px"></div>');
  } else {
    await page.goto(address);
    await page.evaluate(DRAWN);
    if (what !== 'window') await page.locator(what).scrollIntoViewIfNeeded();
  }
  const { value, workMs, layouts, frameGapsMs } = await traced(browser, page, () => page.evaluate(scrolled(what)));
  const sorted = [...frameGapsMs].sort((a, b) => a - b);
  const wholeMs = frameGapsMs.reduce((sum, ms) => sum + ms, 0);
  return {
    framesPerSecond: (frameGapsMs.length * 1000) / wholeMs,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    workMs: workMs / FRAMES,
    layouts: layouts / FRAMES,
    rows: value as number,
  };
}
