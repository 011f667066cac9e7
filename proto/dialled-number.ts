/** Finds the number that a URI dials, however it is written, and whether a policy allows it. Pure. */
import { type NumberPattern, numberPattern } from './number-pattern.ts';

/** Escaped escapes are decoded, too, up to this depth. No honest URI nests more. */
const MAX_ESCAPES = 5;
/**
 * A feature code withholds the caller's number and the like, and what follows is dialled (GSM 02.30, 4.5; North America's *67).
 */
const FEATURE_CODE = /^(?:[*#]{1,2}\d{2,3}[*#]|\*\d{2})+/;
/** The rest after a prefix for an outside line belongs to an extension if it has at most two digits, or only zeros (9000). */
const INSIDE = /^(?:.{0,2}|0+)$/s;
const KEYS = ['', '', 'abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];

/**
 * The user part of a SIP URI, or a tel URI, as a phone would dial it: unescaped, in ASCII digits, without parameters, visible or
 * invisible separators, and + (RFC 3966, 5.1.1). It is '' if the URI has none.
 */
export const dialledNumber = (uri: string): string => numberOf(usersOf(uri)[0] ?? '');

const numberOf = (user: string): string => plain(user.replace(/[;:?].*$/s, '')).replace(/^\++|#$/g, '');

/**
 * Every number that a router may read in the URI. The call is refused if any of them is refused. The set is empty if the URI has
 * no number. `outsidePrefixes` are prefixes for an outside line, after which a PBX dials the rest.
 */
function spellings(uri: string, outsidePrefixes: readonly string[] = []): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (one: string): void => {
    if (one === '' || all.has(one)) return;
    all.add(one);
    for (const prefix of ['00', '011']) if (one.startsWith(prefix)) add(one.slice(prefix.length));
    for (const prefix of outsidePrefixes) {
      const rest = one.startsWith(prefix) ? one.slice(prefix.length) : '';
      if (!INSIDE.test(rest)) add(rest);
    }
    add(one.replace(FEATURE_CODE, '').replace(/^\++/, ''));
    // Vanity numbers have letters, as in 1-900-CALL-NOW. A text with few digits is a name.
    if (/^\d{4,}[a-z]/i.test(one)) add(one.replace(/[a-z]/gi, (letter) => String(keyOf(letter))));
  };
  const context = contextOf(uri);
  for (const number of usersOf(uri).map(numberOf)) {
    add(number);
    if (context !== '' && number !== '') add(context + number);
  }
  return all;
}

/** The digits of `phone-context=+49`; '' if the context is a domain (RFC 3966, 5.1.5). */
function contextOf(uri: string): string {
  const named = /;phone-context=([^;?@>]*)/i.exec(decoded(uri))?.[1] ?? '';
  const context = plain(named);
  return /^\+\d+$/.test(context) ? context.slice(1) : '';
}

/** The part before the first @ of the authority, and the part before the last one, which some peers use; or all of a tel URI. */
function usersOf(uri: string): string[] {
  const bare = uri.trim().replace(/^<|>$/g, '');
  const tel = /^tel:([^;?]*)/is.exec(decoded(bare))?.[1];
  if (tel !== undefined) return [tel];
  const rest = /^sips?:(.*)$/is.exec(bare)?.[1] ?? '';
  const ends = new Set([rest.indexOf('@'), rest.lastIndexOf('@')]);
  return [...ends].filter((end) => end > 0).map((end) => decoded(rest.slice(0, end)));
}

export type NumberRules = {
  /** Regular expressions for the number that is dialled (number-pattern.ts). */
  readonly refusedNumbers: readonly string[];
  /** Null: all numbers that are not refused. */
  readonly allowedNumbers: readonly string[] | null;
  readonly outsideLinePrefixes: readonly string[];
};

/** Whether the number of this URI may be dialled, in every possible reading. A URI without a number is allowed. */
export function numberPredicate(rules: NumberRules): (uri: string) => boolean {
  const judge = numberJudge({
    refused: rules.refusedNumbers.map(numberPattern),
    allowed: rules.allowedNumbers?.map(numberPattern) ?? null,
    outsideLinePrefixes: rules.outsideLinePrefixes,
  });
  return (uri) => judge(uri, { parts: Number.POSITIVE_INFINITY }) !== false;
}

const MAX_PATTERN = 60;

/**
 * The rule that refuses the number of this URI, and the reading that it refuses, for the URI's operator; '': no rule refuses it.
 */
export function numberObstacle(rules: NumberRules, uri: string): string {
  const plainly = spellings(uri);
  for (const text of rules.refusedNumbers) {
    const pattern = numberPattern(text);
    const read = [...spellings(uri, rules.outsideLinePrefixes)].find((one) => pattern.test(one));
    if (read === undefined) continue;
    const shown = text.length > MAX_PATTERN ? `${text.slice(0, MAX_PATTERN)}…` : text;
    const reading = plainly.has(read) ? read : `${read} after a prefix for an outside line (outsideLinePrefixes)`;
    return `refusedNumbers has ${shown}, and it reads ${reading}`;
  }
  return numberPredicate(rules)(uri) ? '' : 'allowedNumbers has no pattern for it';
}

export type NumberPatterns = {
  readonly refused: readonly NumberPattern[];
  readonly allowed: readonly NumberPattern[] | null;
  readonly outsideLinePrefixes: readonly string[];
};

/** What may still be spent on matching patterns. The unit is one part of a pattern that is compared with one character. */
export type PatternBudget = { parts: number };

/** The same decision as `numberPredicate`; null: the budget is not sufficient. */
export function numberJudge(rules: NumberPatterns): (uri: string, budget: PatternBudget) => boolean | null {
  const { refused, allowed, outsideLinePrefixes } = rules;
  const parts = [...refused, ...(allowed ?? [])].reduce((sum, one) => sum + one.parts, outsideLinePrefixes.length);
  return (uri, budget) => {
    if (budget.parts <= 0) return null;
    const outside = [...spellings(uri, outsideLinePrefixes)];
    budget.parts -= parts * outside.reduce((sum, { length }) => sum + length, 0);
    if (budget.parts < 0) return null;
    if (outside.some((one) => refused.some((pattern) => pattern.test(one)))) return false;
    const all = [...spellings(uri)];
    return allowed === null || all.length === 0 || all.some((one) => allowed.some((pattern) => pattern.test(one)));
  };
}

/**
 * Converts compatibility forms to plain ones (full width, superscript, circled) and digits of all scripts to ASCII, and
 * removes characters that are not dialled.
 */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digit)
    .replace(/[^\p{L}\p{N}+*#%]/gu, '');
}

/** Unicode keeps the ten digits of a script together, in their order (The Unicode Standard, 4.6). */
function digit(character: string): string {
  const at = character.codePointAt(0) as number;
  if (at < 128) return character;
  let first = at;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((at - first) % 10);
}

const keyOf = (letter: string): number => KEYS.findIndex((letters) => letters.includes(letter.toLowerCase()));

/** The text without escapes. UTF-8 bytes are decoded, because messages have one character per byte. */
function decoded(text: string): string {
  let now = text;
  for (let i = 0; i < MAX_ESCAPES; i++) {
    const next = fromUtf8(now.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))));
    if (next === now) break;
    now = next;
  }
  return now;
}

function fromUtf8(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return text;
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? text : read;
}
