/** Chromium's own trace of a page up to a mark: the work of its main thread, and the drawn frames. */
import type { Browser, Page } from 'playwright-core';

type TraceEvent = {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
};

export type Traced<T> = {
  readonly value: T;
  /** Of tasks on the main thread between the marks. */
  readonly workMs: number;
  readonly longestTaskMs: number;
  readonly layouts: number;
  /** Between one drawn frame and the next. */
  readonly frameGapsMs: readonly number[];
};

const CATEGORIES = [
  '-*',
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'blink.user_timing',
];
const FROM = 'carillon-from';
const TO = 'carillon-to';

/** Scripts with which a page sets the marks; without the first, everything from the beginning of the trace counts. */
export const MARKS = { from: `performance.mark('${FROM}')`, to: `performance.mark('${TO}')` } as const;

/** @throws Error if `act` left no last mark on the page */
export async function traced<T>(browser: Browser, page: Page, act: () => Promise<T>): Promise<Traced<T>> {
  await browser.startTracing(page, { categories: CATEGORIES });
  const value = await act().catch(async (error) => {
    await browser.stopTracing();
    throw error;
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const to = traceEvents.findLast((e) => e.name === TO);
  if (!to) throw new Error("The trace lacks the page's last mark.");
  const fromTs = traceEvents.find((e) => e.name === FROM)?.ts ?? 0;
  const within = traceEvents.filter((e) => e.pid === to.pid && e.ts >= fromTs && e.ts <= to.ts);
  const main = within.filter((e) => e.tid === to.tid);
  const tasks = main.filter((e) => e.name.endsWith('RunTask') && e.dur !== undefined).map((e) => (e.dur ?? 0) / 1000);
  const drawn = within.filter((e) => e.name === 'DrawFrame').map((e) => e.ts / 1000);
  return {
    value,
    workMs: tasks.reduce((sum, ms) => sum + ms, 0),
    longestTaskMs: Math.max(0, ...tasks),
    layouts: main.filter((e) => e.name === 'Layout').length,
    frameGapsMs: drawn.slice(1).map((ms, i) => ms - (drawn[i] ?? ms)),
  };
}
