/**
 * Each dialog of the dashboard by keys alone: Enter opens it, the focus moves into it, Tab reaches everything in it and leaves it
 * never, Escape closes it, the focus returns, and Enter sends its form. Dialogs are found on the pages of the pictures, by the
 * buttons that say that they open one; a dialog of the sources that none of them opens fails the test.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { until } from '../../peers/process.ts';
import type { Chapter } from './lab.ts';
import { readAnswers } from './pictures/answers.ts';
import { PICTURED } from './pictures/pictured.ts';
import { openStage } from './pictures/stage.ts';

const CONTROL_PLANE = path.resolve(import.meta.dirname, '../../../control-plane');

/** What no page of the pictures opens, and where it is proved. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'Add a passkey': 'the chapter of passkeys: pictures are taken without https',
  'Keyboard shortcuts': '`shortcuts.ts`',
  'The second factor is set up': 'the chapter of the second factor',
  'New recovery codes': 'the chapter of the second factor',
  'message && messageText(message)': 'as that of the ladder; `run.ts` opens it',
};
/** What is asked next, after the form with this title is sent, and whether the form is below it. */
const FOLLOWS: Readonly<Record<string, readonly [next: RegExp, isBelow: boolean]>> = {
  'Enroll an agent': [/^Start the agent/, false],
  'New API key': [/^Confirm that it is you$/, true],
};

/** Of titles that are wholly made of data. */
const DATA: Readonly<Record<string, string>> = {
  'member.name': 'Grace',
  'worker.name': 'berlin-1',
  "chosen ? messageText(chosen.message) : ''": 'INVITE.*',
};

type Row = Readonly<Record<string, unknown>>;
type Recorded = Readonly<Record<string, unknown>>;
const made = (data: unknown, status = 201) => ({ status, json: { data, meta: { requestId: '1' } } });
const listed = (rows: readonly Row[]) => ({
  json: {
    data: rows,
    meta: { requestId: '1', pagination: { page: 1, perPage: 25, total: rows.length, totalPages: 1 } },
  },
});
const rowsOf = (recorded: Recorded, key: string) => (recorded[key] as { data: Row[] }).data;

/** What the recorded answers have none of. */
const ANSWERS: readonly (readonly [
  RegExp,
  (recorded: Recorded) => { readonly status?: number; readonly json: unknown },
])[] = [
  [
    /^GET .*\/members\?page=1$/,
    (recorded) => {
      const members = rowsOf(recorded, '/members?page=1');
      return listed([...members, { ...members[0], id: '2', name: 'Grace', role: 'VIEWER' }]);
    },
  ],
  [
    /^GET .*\/deliveries\?page=1$/,
    () =>
      listed([{ id: '1', createdAt: '2026-11-28T20:00:00Z', event: 'run.ended', status: 'DELIVERED', attempts: 1 }]),
  ],
  [
    /^POST .*\/workers$/,
    (recorded) =>
      made({
        ...rowsOf(recorded, '/workers?page=1')[0],
        ...{
          joinToken: 'token',
          joinTokenExpiresAt: '2026-12-31T20:00:00Z',
          listening: { host: '127.0.0.1', port: 80 },
        },
      }),
  ],
  [/^POST .*\/second-factor$/, () => made({ secret: 'ABCDEFGH', url: 'otpauth://totp/Carillon?secret=ABCDEFGH' })],
  [
    /^POST .*\/api-keys$/,
    () => ({
      status: 403,
      json: { error: { code: 'PROOF_REQUIRED', message: 'Confirm', details: [] }, meta: { requestId: '1' } },
    }),
  ],
];

export const dialogs: Chapter = async (t, lab) => {
  const stage = await openStage(t, lab.controlPlane.url);
  const { page } = stage;
  await page.route(/api\/v1/, async (route) => {
    const [, answer] =
      ANSWERS.find(([asked]) => asked.test(`${route.request().method()} ${route.request().url()}`)) ?? [];
    await (answer === undefined ? route.fallback() : route.fulfill(answer(readAnswers().inside)));
  });
  const opened = new Set<string>();
  for (const [name, pictured] of Object.entries(PICTURED)) {
    // A dialog that a picture shows is opened on its page.
    if (!pictured.isInside || pictured.open || pictured.document) continue;
    await stage.show(pictured);
    // The frame is the same on every page.
    const within = name === 'home' ? OPENERS : `main ${OPENERS}`;
    const openers = await namesOf(page.locator(within));
    for (const [at, opener] of openers.entries()) {
      // One of many rows stands for all.
      if (openers.indexOf(opener) < at) continue;
      await t.test(`${name}: ${opener}`, async (t) => {
        await stage.show(pictured);
        for (const title of await byKeys(t, page, page.locator(within).nth(at))) opened.add(title);
      });
    }
  }
  stage.faults();
  const titles = [...opened];
  t.same(
    titlesInSources().filter(
      (title) => !(title in ELSEWHERE) && !titles.some((one) => new RegExp(`^${DATA[title] ?? title}$`).test(one)),
    ),
    [],
    'each dialog of the sources was opened',
  );
};

const OPENERS = '[aria-haspopup=dialog]:visible:enabled';
/** The dialog above all others. */
const TOP = "[...document.querySelectorAll('[role=dialog]')].at(-1)";

/** One of many rows, and one message of a ladder, stands for all. */
const namesOf = async (openers: Locator): Promise<string[]> =>
  Promise.all(
    (await openers.all()).map(async (one) => {
      const name = (await one.getAttribute('aria-label')) ?? (await one.textContent()) ?? '';
      return (await one.getAttribute('class'))?.includes('ladder') ? 'a message' : name.replaceAll(/\d+/g, '#');
    }),
  );

/** The titles of what was opened. */
async function byKeys(t: Test, page: Page, opener: Locator): Promise<readonly string[]> {
  const dialog = page.getByRole('dialog').last();
  const open = async (): Promise<void> => {
    await opener.focus();
    await page.evaluate('window.before = document.activeElement');
    await page.keyboard.press('Enter');
    await settled(page, dialog);
  };
  await open();
  const title = await titleOf(page);
  await isRound(t, page);
  await escapes(page, dialog);
  await until('the focus is where it was', () => page.evaluate('document.activeElement === before'));
  await open();
  await sends(t, page, dialog);
  const then = FOLLOWS[title];
  if (then === undefined) return [title];
  const [name, isBelow] = then;
  const next = page.getByRole('dialog', { name });
  await settled(page, next);
  const titles = [title, await titleOf(page)];
  await isRound(t, page);
  if (isBelow) {
    await page.evaluate(BUSY);
    await page.keyboard.press('Escape');
    await next.waitFor({ state: 'detached' });
    await settled(page, page.getByRole('dialog', { name: title }));
  } else {
    await escapes(page, next);
    await until('the focus is on the page', () => page.evaluate('document.activeElement !== document.body'));
  }
  return titles;
}

/** A form below may still wait for its answer: then its buttons cannot have the focus. */
const BUSY = `for (const one of [...document.querySelectorAll('[role=dialog]')].slice(0, -1))
  for (const button of one.querySelectorAll('button')) button.disabled = true`;

/** An open list in it takes the first one. */
const escapes = (page: Page, dialog: Locator): Promise<unknown> =>
  until('Escape closes it', async () => {
    if ((await dialog.count()) === 0) return true;
    await page.keyboard.press('Escape');
    return false;
  });

const titleOf = (page: Page): Promise<string> =>
  page.evaluate(`((one) =>
    one.getAttribute('aria-label') ?? document.getElementById(one.getAttribute('aria-labelledby'))?.textContent ?? ''
  )(${TOP})`);

const isInside = (page: Page): Promise<boolean> => page.evaluate(`${TOP}?.contains(document.activeElement) ?? false`);

async function settled(page: Page, dialog: Locator): Promise<void> {
  await dialog.waitFor();
  await until('the focus is in the dialog', () => isInside(page));
  await dialog.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

const isRound = (t: Test, page: Page): Promise<unknown> =>
  // Some parts come a moment later.
  until('Tab reaches all of it', async () => (await unreached(t, page)).length === 0);

/** Until an element has the focus that had it before. A field for a date is several stops. */
const IS_NEXT = `(() => {
  const { activeElement } = document;
  const isNext = !reached.has(activeElement) || (activeElement === last && last.matches('[type^=date], [type=time]'));
  reached.add(last = activeElement);
  return isNext;
})()`;

/** A round by Tab: what the user could not come to. It stays inside, back as well. */
async function unreached(t: Test, page: Page): Promise<string[]> {
  await page.evaluate('window.reached = new Set(); window.last = null');
  while (await page.evaluate(IS_NEXT)) {
    await page.keyboard.press('Tab');
    if (!(await isInside(page))) t.fail('Tab left it');
  }
  await page.keyboard.press('Shift+Tab');
  t.ok(await isInside(page), 'Tab and Shift+Tab stay inside');
  return page.evaluate(`[...${TOP}.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')]
    .filter((part) => part.tabIndex >= 0 && part.checkVisibility({ visibilityProperty: true }))
    .filter((part) => !part.matches(':disabled, [type=radio]') && !reached.has(part))
    .map((part) => part.outerHTML.slice(0, 120))`);
}

/** Enter in the first line of text sends a form that something can be sent of, or shows what is missing in it. */
async function sends(t: Test, page: Page, dialog: Locator): Promise<void> {
  const form = dialog.locator('form:not(:has([type=submit]:disabled))');
  const line = form
    .locator('input:not([type=checkbox], [type=radio], [type=file], [type=hidden], [aria-haspopup])')
    .first();
  if ((await line.count()) === 0) return;
  await page.evaluate(`window.sent = 0;
    for (const event of ['submit', 'invalid']) addEventListener(event, () => sent++, { capture: true, once: true })`);
  for (const field of await form.locator('[required]:not([aria-haspopup])').all())
    if ((await field.inputValue()) === '') await field.fill('something');
  await line.focus();
  await page.keyboard.press('Enter');
  await until('Enter sends the form', () => page.evaluate('sent > 0'));
  t.pass('Enter sends the form');
}

/** The title of each dialog, as a pattern: of a text with data in it, of one among several. */
function titlesInSources(): string[] {
  const files = globSync(['dashboard/**/*.tsx', 'features/*/dashboard/*.tsx'], { cwd: CONTROL_PLANE });
  return files
    .filter((file) => !file.includes('node_modules'))
    .flatMap((file) => titlesIn(readFileSync(path.join(CONTROL_PLANE, file), 'utf8')));
}

function titlesIn(text: string): string[] {
  return [...text.matchAll(/<(?:Modal|Drawer|ShownOnce|Modal\.Content)\s/g)].flatMap(({ index }) => {
    const [, plain, rest = ''] = /(?:title|aria-label)=(?:"([^"]*)"|\{(.*))/s.exec(text.slice(index)) ?? [];
    if (plain !== undefined) return [escaped(plain)];
    const expression = rest.slice(0, endOf(rest));
    const said = [...expression.matchAll(/'([^']+)'|`([^`]+)`/g)].map(([, text, template = '']) =>
      text === undefined
        ? template
            .split(/\$\{[^}]*\}/)
            .map(escaped)
            .join('.+')
        : escaped(text),
    );
    // A component's own: its users say it.
    if (expression === 'title') return [];
    return said.length === 0 || expression in DATA ? [expression] : said;
  });
}

const escaped = (text: string): string => text.replaceAll(/[.?*+()[\]{}|^$\\]/g, String.raw`\$&`);

/** Where the brace that is open at the beginning ends. */
function endOf(text: string): number {
  let depth = 1;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}' && --depth === 0) return i;
  }
  return text.length;
}
