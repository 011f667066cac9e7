/** Every page, in light and in dark: axe-core finds no serious barrier. */
import { barriers } from '../../peers/chromium.ts';
import type { Chapter } from './lab.ts';

export const everyPage: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const pages: [string, string | RegExp][] = [
    ['/', 'Projects'],
    [lab.projectUrl, 'Last runs'],
    [`${lab.projectUrl}/tests`, /Calls/],
    [`${lab.projectUrl}/tests/new`, 'What it will be'],
    [`${lab.projectUrl}/runs`, /Completed/],
    [lab.runUrl, 'SIP responses'],
    [`${lab.projectUrl}/registrars`, 'built in'],
    [`${lab.projectUrl}/media`, 'No media file yet'],
    [`${lab.projectUrl}/probes`, 'No probe yet'],
    [`${lab.projectUrl}/settings`, 'Delete this project'],
    ['/workers', 'berlin-1'],
    ['/members', 'ada@acme.example'],
    ['/api-keys', 'pipeline'],
    ['/audit-log', 'create project'],
    ['/account', 'Where you are logged in'],
  ];
  for (const [address, text] of pages) {
    await page.goto(address);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.getByText(text).first().waitFor();
      t.same(await barriers(page), [], `${address.replace(lab.projectUrl, '…')}, ${colorScheme}`);
    }
  }
};
