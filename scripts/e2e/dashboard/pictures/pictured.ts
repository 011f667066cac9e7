/** The pages of which there is a picture: each address, and those that look otherwise with other data. */
import { addressOf, nameOfPage, PAGES } from '../pages.ts';

export type Pictured = {
  readonly address: (ids: Readonly<Record<string, string>>) => string;
  /** A text of the finished page. */
  readonly ready: string | RegExp;
  readonly isInside: boolean;
};

const inside = (address: Pictured['address'], ready: string | RegExp): Pictured => ({ address, ready, isInside: true });
const RUN = '/projects/$projectId/runs/$runId';
const ofFailed = (ids: Readonly<Record<string, string>>) => ({
  ...ids,
  runId: ids['failedRunId'] ?? '',
  endpointId: ids['failedEndpointId'] ?? '',
});

const OTHERS: Readonly<Record<string, Pictured>> = {
  'log-in': { address: () => '/log-in', ready: 'Password', isInside: false },
  'project-compare-two': inside(
    (ids) => `${addressOf('/projects/$projectId/compare', ids)}?runs=${ids['runId']},${ids['failedRunId']}`,
    'Difference',
  ),
  'project-run-failed': inside((ids) => addressOf(RUN, ofFailed(ids)), 'Failures'),
  'project-run-failed-endpoint': inside((ids) => addressOf(`${RUN}/endpoints/$endpointId`, ofFailed(ids)), /INVITE/),
};

/** By the name of its file. */
export const PICTURED: Readonly<Record<string, Pictured>> = {
  ...Object.fromEntries(
    Object.entries(PAGES).flatMap(([route, ready]) =>
      ready === null ? [] : [[nameOfPage(route), inside((ids) => addressOf(route, ids), ready)]],
    ),
  ),
  ...OTHERS,
};
