/** The folded parts of a form. */
import type { Page } from 'playwright-core';

const headings = (page: Page, isOpen: boolean) => page.locator(`.fold button[aria-expanded="${isOpen}"]`);

async function each(page: Page, isOpen: boolean): Promise<void> {
  await page.getByRole('heading', { name: 'Pass or fail' }).waitFor();
  for (let left = await headings(page, !isOpen).count(); left > 0; left = await headings(page, !isOpen).count())
    await headings(page, !isOpen).first().click();
}

/** Opens those that are folded. Others come with another target. */
export const unfold = (page: Page): Promise<void> => each(page, true);

export const fold = (page: Page): Promise<void> => each(page, false);
