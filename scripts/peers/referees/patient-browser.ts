/**
 * Actions and waits of Playwright that are as patient as `until`: none of them ends because of a clock. If one makes no progress
 * for a minute of idle processors, its browser profile is closed: it fails, and says what it waited for and why.
 */
import type { Browser, BrowserContext } from 'playwright-core';
import { IdlePatience } from '../patience.ts';
import { lastWordsOfAll } from '../process.ts';

const LOOK_MS = 500;
const waiting = new Set<{
  readonly since: number;
  readonly patience: IdlePatience;
  readonly context: BrowserContext;
}>();

setInterval(() => {
  for (const one of waiting) {
    if (!one.patience.isOver) continue;
    waiting.delete(one);
    const seconds = ((performance.now() - one.since) / 1000).toFixed(0);
    // Playwright adds this to the error of each action, and what that waited for.
    const reason = [`this has not come for ${seconds} s`, ...lastWordsOfAll()].join('\n');
    void one.context.close({ reason }).catch(() => undefined);
  }
}, LOOK_MS).unref();

/** Every profile that this browser opens. */
export function makePatient(browser: Browser): void {
  browser.on('context', (context) => {
    context.setDefaultTimeout(0);
    watch(context, (one) => one);
    context.on('page', (page) => {
      watch(page, (one) => one.context());
      watch(page.locator('html'), (one) => one.page().context());
    });
  });
}

const watched = new WeakSet<object>();

/** Methods of all objects like this one, once: Playwright has no place for a signal that ends every action. */
function watch<One extends object>(example: One, contextOf: (one: One) => BrowserContext): void {
  const prototype = Object.getPrototypeOf(example) as object;
  if (watched.has(prototype)) return;
  watched.add(prototype);
  for (const [name, described] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const act: unknown = described.value;
    if (typeof act !== 'function' || /^(constructor|close|_.*)$/.test(name)) continue;
    const value = function (this: One, ...args: unknown[]): unknown {
      const result: unknown = act.apply(this, args);
      return result instanceof Promise ? attend(result, contextOf(this)) : result;
    };
    Object.defineProperty(prototype, name, { ...described, value });
  }
}

async function attend(action: Promise<unknown>, context: BrowserContext): Promise<unknown> {
  const one = { since: performance.now(), patience: new IdlePatience(), context };
  waiting.add(one);
  try {
    return await action;
  } catch (error) {
    // tap shows the first line of ours: that of the test.
    if (error instanceof Error) error.stack = error.stack?.replaceAll(/\n.*patient-browser\.ts.*/g, '') ?? '';
    throw error;
  } finally {
    waiting.delete(one);
  }
}
