/**
 * When a page is ready, as its user sees it: its text is there, nothing says that it is busy, no request is under way but the ones
 * that never end, and each chart in the view has been drawn. And what the browser has loaded and drawn for it.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';

export type PageCost = {
  /** From the click, or the address, until it was ready. */
  readonly readyMs: number;
  /** Processor time of the browser's page until it was ready. */
  readonly browserMs: number;
} & Loaded;
type Loaded = {
  /** To the API. */
  readonly requests: number;
  /** As transferred, with compression. */
  readonly scriptBytes: number;
  readonly dataBytes: number;
  readonly nodes: number;
};

/** It has to stay ready for so long: between two answers a page is ready for a moment. */
const STAYS_MS = 300;

/** In the page: counts requests under way, and tells when the page has become ready. */
const WATCH = `(() => {
  let underWay = 0;
  const ask = window.fetch;
  window.fetch = (...given) => {
    const isEndless = new Headers(given[1]?.headers).get('accept') === 'text/event-stream';
    if (!isEndless) underWay++;
    return ask(...given).finally(() => { if (!isEndless) setTimeout(() => underWay--, 0); });
  };
  const isDrawn = (canvas) => {
    if (canvas.width === 0) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value) => value > 0);
  };
  const drawn = new WeakSet();
  const isReady = (pattern) => {
    const main = document.querySelector('main');
    if (underWay > 0 || !main || main.querySelector('[aria-label=Loading], .mantine-Loader-root, h1[data-left]')) return false;
    if (!new RegExp(pattern).test(main.innerText)) return false;
    for (const chart of document.querySelectorAll('.chart')) {
      const { top, bottom } = chart.getBoundingClientRect();
      if (top > innerHeight || bottom < 0) continue;
      const canvas = chart.querySelector('canvas');
      if (!canvas) return false;
      if (drawn.has(canvas)) continue;
      if (!isDrawn(canvas)) return false;
      drawn.add(canvas);
    }
    return true;
  };
  window.carillonReady = (pattern) => new Promise((resolve) => {
    let since = null;
    const look = () => {
      const now = performance.now();
      if (!isReady(pattern)) since = null;
      else if (since === null) since = now;
      else if (now - since >= ${STAYS_MS}) return resolve(since);
      requestAnimationFrame(look);
    };
    look();
  });
})()`;

export const watchPages = (context: BrowserContext): Promise<void> =>
  context.addInitScript(WATCH).then(() => undefined);

const LOADED = `(since) => {
  const all = performance.getEntriesByType('resource').filter((one) => one.startTime >= since);
  const sum = (of) => of.reduce((n, one) => n + one.transferSize, 0);
  const data = all.filter((one) => one.name.includes('/api/v1/'));
  return {
    requests: data.length,
    scriptBytes: sum(all.filter((one) => /\\.js$/.test(new URL(one.name).pathname))),
    dataBytes: sum(data),
    nodes: document.querySelectorAll('*').length,
  };
}`;

/** Seconds for which the processes of all pages of this browser had a processor. */
async function pagesSeconds(page: Page): Promise<number> {
  const session = await (page.context().browser() as Browser).newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Another page of the dashboard, as by a link; when it was asked for, ms of the page's own clock. */
const leave = (address: string): string => `(() => {
  performance.clearResourceTimings();
  const heading = document.querySelector('h1');
  if (heading) heading.dataset.left = '';
  const now = performance.now();
  history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'));
  return now;
})()`;

/** `text`: a regular expression that the main part of the finished page meets. `cold`: by its address, in a browser that knows nothing. */
export async function openPage(page: Page, address: string, text: string, cold: boolean): Promise<PageCost> {
  const before = await pagesSeconds(page);
  if (cold) await page.goto(address, { waitUntil: 'commit' });
  const since = cold ? 0 : ((await page.evaluate(leave(address))) as number);
  const readyMs = ((await page.evaluate(`carillonReady(${JSON.stringify(text)})`)) as number) - since;
  const browserMs = ((await pagesSeconds(page)) - before) * 1000;
  return { readyMs, browserMs, ...((await page.evaluate(`(${LOADED})(${since})`)) as Loaded) };
}
