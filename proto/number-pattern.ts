/**
 * Patterns for numbers come from others: a host's owner writes them, and the control plane tries them, too. An automaton (RE2)
 * matches them in time proportional to the number, and its size is limited before it is built. Pure.
 */
import { RE2JS } from 're2js';

export type NumberPattern = {
  /**
   * The maximum number of parts of the pattern that are compared with one character. Preparing a part takes some microseconds.
   */
  readonly parts: number;
  test(number: string): boolean;
};

const MAX_PARTS = 1000;
const REPEATED = /(\)?)\{(\d+)(?:,(\d*))?\}/g;
/** Features that RE2 lacks, or that it reads otherwise than ECMAScript. A pattern must have the same meaning in both. */
const UNLIKE: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\(\?<?[=!]/, 'it looks ahead or back, which no matcher does in a bounded time'],
  [/\\(?:[1-9]|k<)/, 'it refers back to a group, which no matcher does in a bounded time'],
  [/\(\?<|\(\?P/, 'it names a group: write (?:…)'],
  [/\(\?[^:]/, 'it has flags within: write [Aa] for both cases'],
  [/\\[^dDwWsSbBtnrfvx\W]/, 'it has an escape other than \\d \\w \\s \\b \\t \\n \\r \\f \\v \\xHH and those of signs'],
  [/\[\^?\]/, 'it has a class without characters'],
  [/\[[:.=]/, 'it has a named class: write [0-9]'],
];

/** @throws Error that states why the text is not a pattern */
export function numberPattern(text: string): NumberPattern {
  const pattern = parsePattern(text);
  if (typeof pattern === 'string') throw new Error(`${text}: ${pattern}`);
  return pattern;
}

/** Returns a pattern, or a text that states why it is not one. */
export function parsePattern(text: string): NumberPattern | string {
  try {
    new RegExp(text);
  } catch {
    return 'not a regular expression';
  }
  const unlike = UNLIKE.find(([pattern]) => pattern.test(text.replaceAll('\\\\', '')));
  if (unlike) return `not a regular expression that can be used here: ${unlike[1]}`;
  const parts = partsOf(text);
  if (parts > MAX_PARTS)
    return `a regular expression that is too large: it has up to ${parts} parts when its repetitions are written out, and at most ${MAX_PARTS} are allowed`;
  try {
    const compiled = RE2JS.compile(text);
    return { parts, test: (number) => compiled.test(number) };
  } catch (error) {
    return `not a regular expression that can be used here: ${(error as Error).message}`;
  }
}

/**
 * An upper limit of the number of parts, from the text. A repeated character counts once for each repetition; a repeated group
 * repeats everything, as if all groups were nested.
 */
function partsOf(text: string): number {
  let [sum, factor] = [text.length, 1];
  for (const [, group, least, most] of text.matchAll(REPEATED)) {
    const times = Math.max(Number(least), Number(most || 0), 1);
    if (group) factor *= times;
    else sum += times;
  }
  return sum * factor;
}
