/**
 * Pages as pictures of them are taken: from recorded answers, at the time of these, with letters of one font, and without what
 * only looks as the machine does. Nothing in a picture depends on a run or a host.
 */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { startChromium } from '../../../peers/referees/chromium.ts';
import type { Pictured } from '../of-features.ts';
import { readAnswers, replayAnswers } from './answers.ts';
import type { SeenDifference } from './blocks.ts';

export const LOOKS = [
  { size: 'wide', scheme: 'light', width: 1360, height: 900 },
  { size: 'wide', scheme: 'dark', width: 1360, height: 900 },
  { size: 'narrow', scheme: 'light', width: 390, height: 844 },
  { size: 'narrow', scheme: 'dark', width: 390, height: 844 },
] as const;
export type PictureLook = (typeof LOOKS)[number];

/** Letters of one font, which jsdoc brings: no machine's own decide where lines break. */
const FONTS = path.join(
  path.dirname(createRequire(import.meta.url).resolve('jsdoc/package.json')),
  'templates/default/static/fonts',
);
const face = (file: string, weights: string): string => {
  const bytes = readFileSync(path.join(FONTS, file)).toString('base64');
  return `@font-face { font-family: Pictured; font-weight: ${weights}; src: url(data:font/woff;base64,${bytes}) }`;
};
export const LETTERS = `${face('OpenSans-Regular-webfont.woff', '100 549')} ${face('OpenSans-Bold-webfont.woff', '550 900')}
  *, *::before, *::after { font-family: Pictured !important; animation: none !important; transition: none !important; }`;
/**
 * Lines of charts have a check of their own, and texts in a canvas have the machine's font. In a picture of the whole page, buttons
 * that stay in view would cover what is behind them.
 */
const STYLE = `${LETTERS}
  .chart .u-wrap { background: #888; } .chart canvas, audio { visibility: hidden; }
  .form-buttons { position: static !important; }`;
const styled = (text: string): string => `addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  style.textContent = ${JSON.stringify(text)};
  document.head.append(style);
});`;

const HOST = 'carillon.example';
/** The search of the documentation finds the same, whatever the documentation says by now. */
const ASK_DOCS = `export const ask = async () =>
  [{ id: '/docs/guide/probes#schedule', title: 'Probes and alerting', heading: 'Schedule' }]`;

export type Stage = {
  readonly page: Page;
  /** A page of the same browser, for the arithmetic. */
  readonly drawer: Page;
  show(one: Pictured): Promise<void>;
  shoot(look: PictureLook): Promise<Buffer>;
  /** What went wrong since the last call. */
  faults(): string[];
};

/** `url`: of a control plane, for the files of the dashboard. `style`: what pages look like beside their own style. */
export async function openStage(t: Test, url: string, style = STYLE): Promise<Stage> {
  const { now, ids, inside, outside } = readAnswers();
  // Pages show their own address.
  const address = `--host-resolver-rules=MAP ${HOST}:80 ${new URL(url).host}`;
  // As alike on every machine as can be asked for.
  const browser = await startChromium(['--font-render-hinting=none', '--disable-lcd-text', address]);
  t.teardown(() => browser.close());
  const context = await browser.newContext({
    ...{ baseURL: `http://${HOST}`, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce', viewport: LOOKS[0] },
    // For the style; what the policy forbids has checks of its own.
    bypassCSP: true,
  });
  const faults = new Set<string>();
  let answers = inside;
  let isCovered = false;
  const answered = <T>(address: string): T => (inside[address] as { readonly data: T }).data;
  await replayAnswers(
    context,
    () => answers,
    (what) => faults.add(`${what} was not recorded`),
  );
  await context.route('**/docs/ask.js', (route) => route.fulfill({ contentType: 'text/javascript', body: ASK_DOCS }));
  await context.addInitScript(styled(style));
  await context.clock.setFixedTime(new Date(now));
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.add(`threw ${error.message}`));
  return {
    page,
    drawer: await (await browser.newContext()).newPage(),
    async show({ address, ready, isInside, open, document }) {
      answers = isInside ? inside : outside;
      isCovered = open !== undefined;
      if (document) {
        const body = document(ids, answered);
        await page.route(`**${address(ids)}`, (route) => route.fulfill({ contentType: 'text/html', body }));
      }
      await look(page, LOOKS[0]);
      await page.goto(address(ids));
      await page.getByText(ready).first().waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await open?.(page);
    },
    async shoot(one) {
      await look(page, one);
      await page.evaluate(DRAWN);
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
        faults.add(`${one.size}: wider than the screen`);
      for (const text of await page.evaluate<string[]>(CUT)) faults.add(`${one.size}: ${text} is cut`);
      return page.screenshot({ fullPage: !isCovered, animations: 'disabled', caret: 'hide' });
    },
    faults() {
      const all = [...faults];
      faults.clear();
      return all;
    },
  };
}

async function look(page: Page, { width, height, scheme }: PictureLook): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height });
}

/** Fonts are there, and charts are drawn a frame after the size has changed. */
const DRAWN = `document.fonts.ready.then(() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))))`;

/** Texts that end in dots, and that no title has in full. */
const CUT = `[...document.querySelectorAll('main *')]
  .filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 1 && one.closest('[title]') === null)
  .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis' && !one.matches('input'))
  .map((one) => one.textContent)`;

/** The smallest part of the page with a name that is there. */
const PLACE = `([x, y]) => {
  const parts = [...document.querySelectorAll('section, figure, nav, header, table, [role=img]')].map((part) => {
    const box = part.getBoundingClientRect();
    const [left, top] = [box.left + scrollX, box.top + scrollY];
    const isThere = x >= left && x <= left + box.width && y >= top && y <= top + box.height;
    const name = part.getAttribute('aria-label') ?? part.querySelector('h1, h2, h3, figcaption, caption')?.textContent;
    return { size: box.width * box.height, name: isThere ? name : null };
  });
  return parts.filter(({ name }) => name).sort((a, b) => a.size - b.size)[0]?.name ?? 'the page';
}`;

const KEPT = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/pictures');

/** A whole picture, for people; its file. */
export async function kept(what: string, png: Buffer): Promise<string> {
  await mkdir(KEPT, { recursive: true });
  const file = path.join(KEPT, `${what.replaceAll(/\W+/g, '-')}.png`);
  await writeFile(file, png);
  return file;
}

/** While the page is shown as in `png`. */
export async function described(page: Page, what: string, d: SeenDifference, png: Buffer): Promise<string> {
  const file = await kept(what, png);
  const place = await page.evaluate<string>(`(${PLACE})([${d.worst.x}, ${d.worst.y}])`);
  const box = `${d.left} to ${d.right} px from the left, ${d.top} to ${d.bottom} px from the top`;
  return `${what}: ${d.blocks} blocks differ, ${box}, most in "${place.slice(0, 60)}"; see ${file}`;
}
