/**
 * Texts of agents and far ends are shown to people, in logs and on terminals: no control characters (a line feed, an
 * escape sequence), no direction controls (Unicode TR 36), and limited in length.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Each such character becomes U+FFFD. */
export const plainText = (text: string, most: number): string => text.slice(0, most).replace(UNSEEN, '\uFFFD');
