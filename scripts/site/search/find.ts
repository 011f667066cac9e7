/** The sections of the pages that answer a question, the best first, each with the words around what was found. */
import MiniSearch, { type Options, type SearchResult } from 'minisearch';

/** A heading of a page and the text below it. `id`: its address. */
export type PageSection = {
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
};
/** A part of a snippet: what was asked for, or the words around it. */
export type Piece = { readonly text: string; readonly isFound: boolean };
export type Found = Omit<PageSection, 'text'> & { readonly snippet: readonly Piece[] };

/** Words of questions, which nearly every section has; letters by themselves, too. */
const IGNORED = new Set(
  'an and are as at be by can do does for from get has have how if in is it me my of on or our should than that the there this to us we what when where which why will with you your'.split(
    ' ',
  ),
);
/** How much a room of the pages weighs. A page that helps with a task comes before one that explains a decision. */
const ROOMS: readonly (readonly [prefix: string, weight: number])[] = [
  ['/docs/tutorials/', 2],
  ['/docs/guide/', 2],
  ['/docs/reference/', 0.7],
  ['/docs/decisions', 0.3],
  ['/docs/architecture', 0.3],
  ['/docs/benchmarks', 0.5],
  ['/docs/pbx-cases', 0.5],
];

const weightOf = (id: string): number => ROOMS.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 1;

function processTerm(word: string): string | null {
  const term = word.toLowerCase();
  return IGNORED.has(term) || /^[a-z]$/.test(term) ? null : term;
}

const OPTIONS: Options<PageSection> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'text'],
  processTerm,
  searchOptions: {
    prefix: (word) => word.length > 2,
    boost: { title: 4, heading: 3 },
    boostDocument: (id) => weightOf(String(id)),
  },
};

export function indexOf(entries: readonly PageSection[]): string {
  const index = new MiniSearch<PageSection>(OPTIONS);
  index.addAll(entries);
  return JSON.stringify(index);
}

/** @param json by `indexOf` */
export const readIndex = (json: string): MiniSearch<PageSection> => MiniSearch.loadJSON<PageSection>(json, OPTIONS);

const MAX_OF_A_PAGE = 2;

/** How much more a section weighs that has every word of the question in its heading. */
const HEADED = 3;

/** The parts of a question that are searched. */
const termsOf = (words: string): string[] =>
  MiniSearch.getDefault('tokenize')(words).flatMap((word: string) => processTerm(word) ?? []);

/** A heading that has the whole question answers it better than a page with some of its words in many places. */
function weigh({ score, match }: SearchResult, terms: readonly string[]): number {
  const found = Object.entries(match);
  const isInHeading = (term: string): boolean =>
    found.some(([word, fields]) => word.startsWith(term) && fields.includes('heading'));
  return terms.every(isInHeading) ? score * HEADED : score;
}

/** At most `limit` sections, few of each page; none where the words say nothing. */
export function find(index: MiniSearch<PageSection>, words: string, limit: number): Found[] {
  const ofPage = new Map<string, number>();
  const isWanted = (id: string): boolean => {
    const page = id.replace(/#.*/, '');
    ofPage.set(page, (ofPage.get(page) ?? 0) + 1);
    return (ofPage.get(page) ?? 0) <= MAX_OF_A_PAGE;
  };
  // A word that no page has may be misspelt; one that a page has is meant as it is.
  const isUnknown = (word: string): boolean => index.search(word, { fuzzy: false }).length === 0;
  const terms = termsOf(words);
  return index
    .search(words, { fuzzy: (word) => (word.length > 4 && isUnknown(word) ? 0.2 : false) })
    .toSorted((a, b) => weigh(b, terms) - weigh(a, terms))
    .filter(({ id }) => isWanted(String(id)))
    .slice(0, limit)
    .map(({ id, title, heading, text, terms }) => ({ id, title, heading, snippet: snippetOf(text, terms) }));
}

/** Characters before the first word that was found, and in all. */
const LEAD = 40;
const LENGTH = 140;

/** The part of `text` with the most of the `terms`, which are in lower case. */
export function snippetOf(text: string, terms: readonly string[]): Piece[] {
  const plain = text.replace(/\s+/g, ' ').trim();
  const lower = plain.toLowerCase();
  const places = terms.flatMap((term) => [...placesOf(lower, term)]).sort((a, b) => a.at - b.at);
  const within = (start: number) => places.filter(({ at, length }) => at >= start && at + length <= start + LENGTH);
  const starts = [0, ...places.map(({ at }) => wordStart(plain, at - LEAD))];
  const start = starts.reduce((best, one) => (kindsOf(within(one)) > kindsOf(within(best)) ? one : best));
  const pieces: Piece[] = [];
  let from = start;
  const take = (to: number, isFound: boolean): void => {
    if (to > from) pieces.push({ text: plain.slice(from, to), isFound });
    from = Math.max(from, to);
  };
  for (const { at, length } of within(start)) {
    take(at, false);
    take(at + length, true);
  }
  take(start + LENGTH < plain.length ? Math.max(from, plain.lastIndexOf(' ', start + LENGTH)) : plain.length, false);
  return [
    ...(start > 0 ? [{ text: '… ', isFound: false }] : []),
    ...pieces,
    ...(from < plain.length ? [{ text: ' …', isFound: false }] : []),
  ];
}

type Place = { readonly at: number; readonly length: number };

const kindsOf = (places: readonly (Place & { readonly term: string })[]): number =>
  new Set(places.map(({ term }) => term)).size;

/** The places where a word begins with `term`. */
function* placesOf(lower: string, term: string): Iterable<Place & { readonly term: string }> {
  for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + term.length))
    if (!/[\p{L}\p{N}]/u.test(lower[at - 1] ?? ' ')) yield { at, length: term.length, term };
}

/** The begin of the word at `at`, or of the text. */
const wordStart = (text: string, at: number): number => (at <= 0 ? 0 : text.indexOf(' ', at) + 1);
