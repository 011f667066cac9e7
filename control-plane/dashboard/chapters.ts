/** The chapter of the documentation that explains a page, by the page's address. Pure. */

/** `page`: an address or its beginning, with `$` for a part that varies. `chapter`: below /docs. */
export type Chapter = readonly [page: `/${string}`, chapter: string];

const PROJECT = '/projects/$';

/** Those of features are theirs (feature.ts). */
export const CHAPTERS: readonly Chapter[] = [
  ['/', 'guide/get-started'],
  ['/projects', 'guide/concepts'],
  [`${PROJECT}/tests`, 'guide/tests'],
  [`${PROJECT}/runs`, 'guide/trust'],
  [`${PROJECT}/runs/$/endpoints`, 'guide/troubleshooting'],
  [`${PROJECT}/calls`, 'guide/troubleshooting'],
  [`${PROJECT}/failed-calls`, 'guide/troubleshooting'],
  [`${PROJECT}/probes`, 'guide/probes'],
  [`${PROJECT}/probes/maintenance`, 'guide/probes#maintenance-windows'],
  [`${PROJECT}/probes/$/incidents`, 'guide/probes#incidents'],
  [`${PROJECT}/registrars`, 'guide/accounts'],
  [`${PROJECT}/media`, 'guide/media'],
  [`${PROJECT}/webhooks`, 'guide/probes#webhooks'],
  [`${PROJECT}/settings`, 'guide/concepts#the-objects'],
  ['/workers', 'guide/agents'],
  ['/members', 'guide/security#accounts'],
  ['/api-keys', 'guide/api#keys'],
  ['/audit-log', 'guide/security'],
  ['/organization', 'guide/concepts#the-objects'],
  ['/account', 'guide/security#accounts'],
];

const partsOf = (address: string): string[] => address.split('/').filter((part) => part !== '');

/** @param pathname an address of the dashboard; the longest beginning among `chapters` decides */
export function chapterOf(pathname: string, chapters: readonly Chapter[]): string {
  const parts = partsOf(pathname);
  const isBeginning = (page: string): boolean =>
    partsOf(page).every((part, i) => part === parts[i] || (part === '$' && parts[i] !== undefined));
  const length = ([page]: Chapter): number => partsOf(page).length;
  const found = chapters.filter(([page]) => isBeginning(page)).sort((a, b) => length(b) - length(a));
  return `/docs/${found[0]?.[1] ?? ''}`;
}
