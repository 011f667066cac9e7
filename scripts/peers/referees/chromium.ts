/** Debian's Chromium, driven by Playwright: pages as users see them, and counts of what a page must never do. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { until } from '../process.ts';
import { makePatient } from './patient-browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to other hosts, breaches of the content security policy, errors that scripts did not catch. */
  readonly faults: string[];
};

/**
 * `args`: of its command line, beside the usual ones; `program`: one that starts it in another place. No action on its pages ends
 * because of a clock.
 */
export async function startChromium(
  args: readonly string[] = [],
  program = '/usr/bin/chromium-headless-shell',
): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...args],
    timeout: 0,
  });
  makePatient(browser);
  return browser;
}

/** A separate browser profile: no cookie of any other. */
export async function visit(browser: Browser, url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: 1360, height: 900 },
    permissions: ['clipboard-write'],
  });
  const page = await context.newPage();
  const faults: string[] = [];
  // Set by hostile texts of tests if they are ever executed.
  await context.exposeFunction('carillonHasRun', (what: unknown) => faults.push(`a stranger's script ran: ${what}`));
  await context.addInitScript(
    `Object.defineProperty(window, '__xss', { set: (what) => window.carillonHasRun(String(what)), configurable: false })`,
  );
  const { host } = new URL(url);
  context.on('request', (request) => {
    const to = new URL(request.url());
    if (!['data:', 'blob:'].includes(to.protocol) && to.host !== host) faults.push(`asked ${to.href}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, faults };
}

/** To another page of the dashboard as by a link: the application is not loaded again. Resolves when the heading of the page is another. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `document.querySelector('h1').dataset.left = ''; history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.locator('h1[data-left]').waitFor({ state: 'detached' });
}

/** A pixel whose colours differ by more than this belongs to a line or an area: axes, grid and texts are grey. */
const COLOURED = 60;
const LINES = `[...document.querySelectorAll('.chart')].map((chart) => {
  const name = chart.getAttribute('aria-label').split(/ over time| by |,/)[0];
  const canvas = chart.querySelector('canvas');
  if (!canvas) return [name, 0];
  const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const columns = new Set();
  for (let i = 0; i < data.length; i += 4) {
    const colours = [data[i], data[i + 1], data[i + 2]];
    if (data[i + 3] > 0 && Math.max(...colours) - Math.min(...colours) > ${COLOURED}) columns.add((i / 4) % width);
  }
  return [name, columns.size];
})`;

/** The charts of the page by name, and in how many columns of pixels each one has something that is not grey. */
const drawnColumns = async (page: Page): Promise<(readonly [name: string, columns: number])[]> =>
  (await page.evaluate(LINES)) as (readonly [string, number])[];

/** Waits until each of the page's charts shows something, also where nobody scrolls to. @throws Error that names those which show nothing */
export async function chartsAreDrawn(page: Page): Promise<number> {
  let charts: (readonly [string, number])[] = [];
  const all = async (): Promise<boolean> => {
    charts = await drawnColumns(page);
    return charts.length > 0 && charts.every(([, columns]) => columns > 0);
  };
  await until('each chart shows something', all).catch(() => {
    throw new Error(`Empty: ${charts.filter(([, columns]) => columns === 0).map(([name]) => name)}`);
  });
  return charts.length;
}

const SETTLED = `Promise.allSettled(
  document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished),
).then(() => undefined)`;

const IS_DARK = "matchMedia('(prefers-color-scheme: dark)').matches";

const FOUND = `({ violations }) => violations.map(({ id, nodes }) => ({
  id,
  nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
}))`;
/** An open menu is drawn at the end of the page, outside of its landmarks. */
const HAS_OPEN_MENU = `document.querySelector('[data-portal] :is([role=menu], [role=listbox], [role=tooltip])') !== null`;

/** What axe-core finds on the current page, by all rules (target sizes of WCAG 2.2, too) or the named ones: rule and first place. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  // An element that is fading in does not have its final colours yet.
  await page.evaluate(SETTLED);
  const region = { enabled: !(await page.evaluate(HAS_OPEN_MENU)) };
  const all = { rules: { 'target-size': { enabled: true }, region } };
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : all) };
  const run = `axe.run(document, ${JSON.stringify(options)}).then(${FOUND})`;
  const found = (await page.evaluate(run)) as { id: string; nodes: { html: string; failureSummary: string }[] }[];
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.length} x ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary.slice(0, 300)}`,
  );
}

/**
 * The same in light and in dark, on which only colours depend; which one, rule and first place. It begins with the current one
 * and leaves the page in the other, since each change renders the whole page again.
 */
export async function barriersInBoth(page: Page): Promise<string[]> {
  const [now, then] = (await page.evaluate(IS_DARK)) ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const first = await barriers(page);
  await page.emulateMedia({ colorScheme: then });
  const second = await barriers(page, ['color-contrast']);
  return [...first.map((line) => `${now}: ${line}`), ...second.map((line) => `${then}: ${line}`)];
}
