/**
 * Pages without data: each says in a sentence or two what it is for, and has one button for the first step: that of the page, or
 * that which must precede it, an agent or a test.
 */
import type { Chapter } from './lab.ts';
import { addressOf, nameOfPage, PAGES } from './pages.ts';
import { readAnswers } from './pictures/answers.ts';
import { openStage } from './pictures/stage.ts';

/** Pages of lists that are never empty, or begin with a form, and pages that are no list. */
const OTHERS: Readonly<Record<string, string>> = {
  '/': 'figures; without a project it has its own welcome',
  '/projects/$projectId': 'the three first steps',
  '/projects/$projectId/tests/new': 'a form',
  '/projects/$projectId/probes/new': 'a form',
  '/projects/$projectId/settings': 'a form',
  '/projects/$projectId/mail': 'begins with the form of recipients',
  '/members': 'its reader is one',
  '/audit-log': 'the log-in is an entry',
  '/organization': 'no list',
  '/account': 'no list',
  '/customers': 'the own organization is one',
  '/customers/usage': 'nothing but runs fills it',
  '/usage': 'nothing but runs fills it',
};

const HAVING: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  'an agent': ['/workers'],
  'an agent and a test': ['/workers', '/tests'],
};

export const empty: Chapter = async (t, lab) => {
  const stage = await openStage(t, lab.controlPlane.url);
  const { page } = stage;
  const { ids, inside } = readAnswers();
  let kept: readonly string[] = [];
  await page.route(/api\/v1/, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const at = pathname.replace('/api/v1', '');
    const { data } = (inside[at + search] ?? { data: [] }) as { data: { isCloud?: boolean }[] };
    if (at === '/projects' || kept.some((list) => at.endsWith(list)) || !Array.isArray(data)) return route.fallback();
    const rows = data.filter(({ isCloud }) => isCloud);
    const pagination = { page: 1, perPage: 25, total: rows.length, totalPages: 1 };
    return route.fulfill({ json: { data: rows, meta: { requestId: '1', pagination, nextCursor: null } } });
  });
  for (const [having, lists] of Object.entries(HAVING))
    await t.test(`with ${having}`, async (t) => {
      kept = lists;
      for (const route of Object.keys(PAGES)) {
        const isOther = route in OTHERS || PAGES[route] === null || /\$(?!projectId)/.test(route);
        if (isOther || lists.includes(route.replace('/projects/$projectId', ''))) continue;
        await page.goto(addressOf(route, ids));
        const state = page.locator('main .empty');
        await state.first().waitFor();
        const said = (await state.locator('p').last().textContent()) ?? '';
        const sentences = said.match(/[.!?](\s|$)/g)?.length ?? 0;
        t.ok(sentences >= 1 && sentences <= 2, `${nameOfPage(route)}: ${said}`);
        const steps = await state.locator('a[href], button').allTextContents();
        t.equal(steps.length, 1, `${nameOfPage(route)}: one first step, ${steps}`);
      }
    });
  stage.faults();
};
