/** The chapter of the documentation that explains a page, by the page's address. Pure. */

/** Chapters, below /docs, by an address or its beginning, with `$` for a part that varies. */
export type Chapters = Readonly<Record<`/${string}`, string>>;

/** Those of features are theirs (feature.ts). */
export const CHAPTERS: Chapters = {
  '/': 'guide/get-started',
  '/projects': 'guide/concepts',
  '/projects/$/tests': 'guide/tests',
  '/projects/$/runs': 'guide/trust',
  '/projects/$/runs/$/endpoints': 'guide/troubleshooting',
  '/projects/$/calls': 'guide/troubleshooting',
  '/projects/$/probes': 'guide/probes',
  '/projects/$/probes/maintenance': 'guide/probes#maintenance-windows',
  '/projects/$/probes/$/incidents': 'guide/probes#incidents',
  '/projects/$/registrars': 'guide/accounts',
  '/projects/$/media': 'guide/media',
  '/projects/$/webhooks': 'guide/probes#webhooks',
  '/projects/$/settings': 'guide/concepts#the-objects',
  '/workers': 'guide/agents',
  '/members': 'guide/security#accounts',
  '/api-keys': 'guide/api#keys',
  '/audit-log': 'guide/security',
  '/organization': 'guide/concepts#the-objects',
  '/account': 'guide/security#accounts',
};

const partsOf = (address: string): string[] => address.split('/').filter((part) => part !== '');

/** @param pathname an address of the dashboard; the longest beginning among `chapters` decides */
export function chapterOf(pathname: string, chapters: Chapters): string {
  const parts = partsOf(pathname);
  const isBeginning = (page: string): boolean =>
    partsOf(page).every((part, i) => part === parts[i] || (part === '$' && parts[i] !== undefined));
  const found = Object.keys(chapters)
    .filter(isBeginning)
    .sort((a, b) => partsOf(b).length - partsOf(a).length);
  return `/docs/${chapters[found[0] as `/${string}`] ?? ''}`;
}
