/** Each shortcut of the table does what the dialog says; not in a field, and not when letters are switched off. */
import type { Page } from 'playwright-core';
import { SHORTCUTS } from '../../../control-plane/dashboard/show/basics/shortcuts.ts';
import { until } from '../../peers/process.ts';
import type { Chapter } from './lab.ts';
import { PICTURED } from './pictures/pictured.ts';
import { openStage } from './pictures/stage.ts';

export const shortcuts: Chapter = async (t, lab) => {
  const stage = await openStage(t, lab.controlPlane.url);
  const { page } = stage;
  const show = (name: string) => stage.show(PICTURED[name] as (typeof PICTURED)[string]);
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const palette = page.getByRole('dialog', { name: 'Find anything' });

  await t.test('the list is the table', async (t) => {
    await show('project');
    await page.keyboard.press(SHORTCUTS.list);
    await list.waitFor();
    const keys = await list.locator('kbd').allTextContents();
    const arrows: Readonly<Record<string, string>> = { '←': 'ArrowLeft', '→': 'ArrowRight' };
    t.same(
      keys.map((key) => arrows[key] ?? key),
      Object.values(SHORTCUTS).flatMap((one) => one.split(/(?<=.)[ +]/)),
    );
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });

  await t.test('from the menu of the user, and back to it', async () => {
    const person = page.getByRole('button', { name: 'Ada: account' });
    await person.press('Enter');
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await until('the focus is on the page', () => page.evaluate('document.activeElement !== document.body'));
  });

  for (const name of ['home', 'workers', 'tests', 'runs', 'probes', 'calls'] as const)
    await t.test(name, async (t) => {
      await show('project');
      const { pathname } = new URL(page.url());
      await type(page, SHORTCUTS[name]);
      const to = { home: '/', workers: '/workers' }[name as string] ?? `${pathname}/${name}`;
      await page.waitForURL((url) => url.pathname === to);
      t.equal(new URL(page.url()).pathname, to);
    });

  await t.test('a field gets its letters, and an open dialog keeps its page', async (t) => {
    await show('project');
    const { pathname } = new URL(page.url());
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').pressSequentially('?gh');
    t.equal(await palette.getByRole('combobox').inputValue(), '?gh');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    t.equal(new URL(page.url()).pathname, pathname);
    t.equal(await list.count(), 0);
  });

  await t.test('without letters', async (t) => {
    await page.keyboard.press(SHORTCUTS.list);
    await list.getByRole('switch', { name: /letters/ }).press('Space');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    const { pathname } = new URL(page.url());
    await page.keyboard.press(SHORTCUTS.list);
    await type(page, SHORTCUTS.home);
    // A later key that does something.
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    t.same([new URL(page.url()).pathname, await list.count()], [pathname, 0]);
  });
  stage.faults();
};

async function type(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key);
}
