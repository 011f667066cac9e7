/** The pages of which there is a picture: each address, and those that look otherwise with other data. */
import path from 'node:path';
import { SHORTCUTS } from '../../../../control-plane/dashboard/show/basics/shortcuts.ts';
import { OF_FEATURES, type Pictured } from '../of-features.ts';
import { addressOf, nameOfPage, PAGES } from '../pages.ts';

const inside = (address: Pictured['address'], ready: string | RegExp): Pictured => ({ address, ready, isInside: true });
const RUN = '/projects/$projectId/runs/$runId';
const ofFailed = (ids: Readonly<Record<string, string>>) => ({
  ...ids,
  runId: ids['failedRunId'] ?? '',
  endpointId: ids['failedEndpointId'] ?? '',
});

/** What covers a page. */
const over = (address: string, ready: Pictured['ready'], open: NonNullable<Pictured['open']>): Pictured => ({
  ...inside((ids) => addressOf(address, ids), ready),
  open,
});
const FOUND: Pictured['open'] = async (page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('front');
  await page
    .getByRole('option', { name: /Front door/ })
    .first()
    .waitFor();
  await page.getByRole('status', { name: 'Searching' }).waitFor({ state: 'detached' });
};

const OTHERS: Readonly<Record<string, Pictured>> = {
  'log-in': { address: () => '/log-in', ready: 'Password', isInside: false },
  'project-run-failed': inside((ids) => addressOf(RUN, ofFailed(ids)), 'Failures'),
  'project-run-failed-endpoint': inside((ids) => addressOf(`${RUN}/endpoints/$endpointId`, ofFailed(ids)), /INVITE/),
  palette: over('/', 'Agents online', FOUND),
  enroll: over('/workers', 'berlin-1', async (page) => {
    await page.getByRole('button', { name: 'Enroll an agent' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('hamburg-1');
    await page.getByRole('button', { name: 'Create join token' }).click();
    await page.getByRole('timer').waitFor();
  }),
  shortcuts: over('/projects/$projectId', 'Recent runs', async (page) => {
    await page.keyboard.press(SHORTCUTS.list);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  }),
};

const ofPages = (pages: typeof PAGES): Record<string, Pictured> =>
  Object.fromEntries(
    Object.entries(pages).flatMap(([route, ready]) =>
      ready === null ? [] : [[nameOfPage(route), inside((ids) => addressOf(route, ids), ready)]],
    ),
  );

/** By the name of its file. */
export const PICTURED: Readonly<Record<string, Pictured>> = {
  ...ofPages(PAGES),
  ...OTHERS,
  ...Object.assign({}, ...OF_FEATURES.map(({ pictured }) => pictured)),
};

/** Pictures of a feature's pages are in its folder. */
export function fileOf(name: string): string {
  const feature = OF_FEATURES.find(({ pages = {}, pictured = {} }) => name in pictured || name in ofPages(pages));
  return path.join(feature ? path.join(feature.folder, 'pictures') : import.meta.dirname, `${name}.png`);
}
