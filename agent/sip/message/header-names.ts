/** Header names in lower case with their compact forms (RFC 3261, 7.3.3 and the IANA registry). */

export const COMPACT_FORMS = {
  'accept-contact': 'a',
  'allow-events': 'u',
  'call-id': 'i',
  contact: 'm',
  'content-encoding': 'e',
  'content-length': 'l',
  'content-type': 'c',
  event: 'o',
  from: 'f',
  identity: 'y',
  'refer-to': 'r',
  'referred-by': 'b',
  'reject-contact': 'j',
  'request-disposition': 'd',
  'session-expires': 'x',
  subject: 's',
  supported: 'k',
  to: 't',
  via: 'v',
} as const;

const BY_NAME: Readonly<Record<string, string>> = COMPACT_FORMS;
const BY_LETTER: ReadonlyMap<number, string> = new Map(
  Object.entries(COMPACT_FORMS).map(([name, letter]) => [letter.charCodeAt(0), name]),
);

/** The one-letter form of a header name in lower case, '' if it has none. */
export const compactFormOf = (name: string): string => BY_NAME[name] ?? '';

/** The header name of a compact form (one letter), '' if it is none. */
export const longFormOf = (letter: number): string => BY_LETTER.get(letter) ?? '';
