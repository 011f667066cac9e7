/** The pages of which there is a picture: each address, and those that look otherwise with other data. */
import path from 'node:path';
import { OF_FEATURES, type Pictured } from '../of-features.ts';
import { addressOf, nameOfPage, PAGES } from '../pages.ts';

const inside = (address: Pictured['address'], ready: string | RegExp): Pictured => ({ address, ready, isInside: true });
const RUN = '/projects/$projectId/runs/$runId';
const ofFailed = (ids: Readonly<Record<string, string>>) => ({
  ...ids,
  runId: ids['failedRunId'] ?? '',
  endpointId: ids['failedEndpointId'] ?? '',
});

const OTHERS: Readonly<Record<string, Pictured>> = {
  'log-in': { address: () => '/log-in', ready: 'Password', isInside: false },
  'project-run-failed': inside((ids) => addressOf(RUN, ofFailed(ids)), 'Failures'),
  'project-run-failed-endpoint': inside((ids) => addressOf(`${RUN}/endpoints/$endpointId`, ofFailed(ids)), /INVITE/),
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
