/**
 * Patterns over numbers are foreign: a host's owner writes them, and the control plane tries them, too. They are matched
 * by an automaton (RE2), in time proportional to the number, and the automaton's size is limited before it is built. Pure.
 */
import { RE2JS } from 're2js';

export type NumberPattern = {
  /** At most this many parts of the pattern are looked at for a character, and some microseconds each to prepare it. */
  readonly parts: number;
  test(number: string): boolean;
};

const MOST_PARTS = 1000;
const REPEATED = /(\)?)\{(\d+)(?:,(\d*))?\}/g;
/** What RE2 has not, and what it reads otherwise than ECMAScript: in both, a pattern must mean the same. */
const UNLIKE: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\(\?<?[=!]/, 'it looks ahead or back, which no matcher does in a bounded time'],
  [/\\(?:[1-9]|k<)/, 'it refers back to a group, which no matcher does in a bounded time'],
  [/\(\?<|\(\?P/, 'it names a group: write (?:…)'],
  [/\(\?[^:]/, 'it has flags within: write [Aa] for both cases'],
  [/\\[^dDwWsSbBtnrfvx\W]/, 'it has an escape other than \\d \\w \\s \\b \\t \\n \\r \\f \\v \\xHH and those of signs'],
  [/\[\^?\]/, 'it has a class without characters'],
  [/\[[:.=]/, 'it has a named class: write [0-9]'],
];

/** @throws Error that says why it is not one */
export function numberPattern(text: string): NumberPattern {
  const pattern = parsePattern(text);
  if (typeof pattern === 'string') throw new Error(`${text}: ${pattern}`);
  return pattern;
}

/** A text: why it is not one. */
export function parsePattern(text: string): NumberPattern | string {
  try {
    new RegExp(text);
  } catch {
    return 'not a regular expression';
  }
  const unlike = UNLIKE.find(([pattern]) => pattern.test(text.replaceAll('\\\\', '')));
  if (unlike) return `not a regular expression that can be used here: ${unlike[1]}`;
  const parts = partsOf(text);
  if (parts > MOST_PARTS)
    return `a regular expression that is too large: it has up to ${parts} parts when its repetitions are written out, and at most ${MOST_PARTS} are allowed`;
  try {
    const compiled = RE2JS.compile(text);
    return { parts, test: (number) => compiled.test(number) };
  } catch (error) {
    return `not a regular expression that can be used here: ${(error as Error).message}`;
  }
}

/**
 * An upper limit, by its text: a repeated character counts as often as it is repeated; a repeated group repeats
 * everything, as if all groups were nested.
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
