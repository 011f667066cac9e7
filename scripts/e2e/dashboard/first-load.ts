/** How much JavaScript a browser loads before it shows an address for the first time. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';

const ASSETS = path.resolve(import.meta.dirname, '../../../control-plane/dashboard/dist/assets');
const MAX_KILOBYTES = 200;
/** These still have more: forms with fields of every kind, and a run with all that is known of it. They must not grow. */
const MAX_OF_LARGE: readonly (readonly [address: RegExp, kilobytes: number])[] = [
  [/\/tests\/[^/]+$/, 235],
  [/\/probes\/(new|[^/]+\/change)$/, 220],
  [/\/runs\/[^/]+$/, 220],
];

/** Of a page with an empty cache. The sizes are those with gzip, which a browser without HTTPS gets; brotli is smaller. */
export async function firstLoad(t: Test, page: Page, address: string, shown: string | RegExp): Promise<void> {
  const scripts = new Set<string>();
  page.on('request', (r) => /\/assets\/.*\.js$/.test(r.url()) && scripts.add(path.basename(r.url())));
  await page.goto(address);
  await page.getByText(shown).first().waitFor();
  await page.locator('main [aria-label=Loading]').first().waitFor({ state: 'detached' });
  const kilobytes = [...scripts].reduce((n, name) => n + statSync(path.join(ASSETS, `${name}.gz`)).size, 0) / 1000;
  const [, most = MAX_KILOBYTES] = MAX_OF_LARGE.find(([large]) => large.test(address)) ?? [];
  t.comment(`${address}: ${kilobytes.toFixed(1)} kB of JavaScript in ${scripts.size} files, by gzip`);
  t.ok(scripts.size > 2 && kilobytes < most, `first load of ${address}: ${kilobytes.toFixed(1)} kB`);
}
