/** What a part of a page says: parts of a page get their data one after another. */
import type { Locator } from 'playwright-core';
import type { Test } from 'tap';
import { until } from '../../peers/process.ts';

/** Waits until the text of `place` matches; if it never does, the assertion shows what it says by then. */
export async function shows(t: Test, place: Locator, expected: RegExp, message?: string): Promise<void> {
  let text = '';
  const matches = async (): Promise<boolean> => {
    // A part that is drawn again may be there twice, or not at all.
    text = await place.innerText().catch(String);
    return expected.test(text);
  };
  await until('the page says it', matches).catch(() => undefined);
  t.match(text, expected, message ?? String(expected));
}
