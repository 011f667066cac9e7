/** What the palette finds: entries by words, and what a text asks for among calls. Pure. */

const KINDS = ['Pages', 'Projects', 'Tests', 'Runs', 'Probes', 'Calls', 'Documentation'] as const;
export type PaletteEntry = {
  readonly kind: (typeof KINDS)[number];
  readonly label: string;
  /** What tells it from others of the same name. */
  readonly detail: string;
  /** An address of the dashboard, or of the documentation. */
  readonly to: string;
  /** It was found by the server, so it matches. */
  readonly isFound?: true;
};

const MAX_OF_A_KIND = 6;

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Lower is better; null: some word is nowhere. A label that begins with the text precedes one that has it within. */
function rankOf({ label, detail, isFound }: PaletteEntry, text: string): number | null {
  if (isFound) return 0;
  const [name, all] = [label.toLowerCase(), `${label} ${detail}`.toLowerCase()];
  const words = wordsOf(text);
  if (!words.every((word) => all.includes(word))) return null;
  if (name.startsWith(words.join(' '))) return 0;
  if (words.every((word) => ` ${name}`.includes(` ${word}`))) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

/** In the order of kinds, the best ones of each. Without a text: the pages and projects. */
export function foundEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const isEmpty = wordsOf(text).length === 0;
  return KINDS.flatMap((kind) =>
    isEmpty && kind !== 'Pages' && kind !== 'Projects'
      ? []
      : entries
          .filter((entry) => entry.kind === kind)
          .map((entry) => ({ entry, rank: rankOf(entry, text) }))
          .filter((one): one is { entry: PaletteEntry; rank: number } => one.rank !== null)
          .toSorted((a, b) => a.rank - b.rank)
          .slice(0, isEmpty ? 20 : MAX_OF_A_KIND)
          .map(({ entry }) => entry),
  );
}

/** The text as the number that was called: `+49 (30) 1234-5`, with three digits at least; null: it is none. */
export const numberIn = (text: string): string | null => {
  const number = text.trim().replaceAll(/[\s()/.-]/g, '');
  return /^\+?[\d*#]{3,30}$/.test(number) ? number : null;
};

/** The text as a whole Call-ID; null: nobody would look for this one. */
export const callIdIn = (text: string): string | null => {
  const callId = text.trim();
  return /^[^\s\p{Cc}]{6,1000}$/u.test(callId) && /[\d@]/.test(callId) ? callId : null;
};

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;
/** The text as the id of a run; null: it is none. */
export const idIn = (text: string): string | null => (UUID.test(text.trim()) ? text.trim().toLowerCase() : null);
