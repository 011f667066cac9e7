/**
 * Masks everything from which a reader could compute a password: digest responses of either side (RFC 7616, 3.4 and
 * 3.5) and all credentials of other schemes, in header fields or in URI headers (RFC 3261, 19.1.5), and passwords of
 * URIs (RFC 3261, 19.1.1). Also masks SDP keys, with which the call could be decrypted (RFC 4568, 9.1; RFC 4567, 3.1;
 * RFC 4566, 5.12). Lengths and line breaks do not change.
 */

/** A header with credentials, including its folded lines. */
const HEADER = /^((?:Proxy-)?(?:Authorization|Authentication-Info)[ \t]*:)((?:[^\r\n]+|\r?\n[ \t])*)/gim;
/** The scheme of Authorization, before the credentials. */
const SCHEME = /^(\s*)(\S+)(\s+)/;
const SECRET = /\b((?:response|rspauth)\s*=\s*"?)((?<=")(?:[^"\\]|\\[\s\S])*|[^\s,"]+)/gi;
/** The key and salt, up to a lifetime, an MKI or the next key. */
const INLINE = /(\binline:)([^\s|;]+)/gi;
const KEY_LINE = /(?<![^\r\n])(a=key-mgmt:\S*|k=[^:\r\n]*:)([^\r\n]*)/gim;
const QUERY_CREDENTIALS = /([?&](?:Proxy-)?Authorization=)([^\s&>"]+)/gi;
/** The user information, up to every possible end, so that no text is scanned twice. */
const USER_INFORMATION = /sips?:[^\s@<>"]*@?|:\/\/[^\s@<>"/]*@?|sips?%3a(?:[^\s@<>"&%]|%(?!40))*(?:%40)?/gi;

/** Delimiters of a possible password: colons, and characters that end a URI. */
const COLON = 0x3a;
const SPACE = 0x20;
const STOPS = Uint8Array.from({ length: 256 }, (_, code) =>
  code <= SPACE || '"<>@:'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** The words are in one or two expressions: V8 uses a skip search for each, and a short word makes its skips shorter. */
const WORDS = /authorization|authentication-info|key-mgmt:/i;
const INLINE_WORD = /inline:/i;

/**
 * Without one of these words and without a password the text stays unchanged, which is the usual case. `k=` instead of
 * the line that starts with it: the search looks for the first letter, and line feeds are frequent. The text is in wire
 * form, one character per byte; `bytes` is the same text, which is faster to scan byte by byte.
 */
export const isSensitive = (text: string, bytes: Uint8Array = Buffer.from(text, 'latin1')): boolean =>
  text.includes('k=') || text.includes('%3') || WORDS.test(text) || INLINE_WORD.test(text) || hasPassword(text, bytes);

/**
 * Two colons before an @, without a URI delimiter between: scans from every @ back to a delimiter, no character twice.
 */
function hasPassword(text: string, bytes: Uint8Array): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const colon = beforePlain(bytes, at);
    if (colon < 0 || bytes[colon] !== COLON) continue;
    const other = beforePlain(bytes, colon);
    if (other >= 0 && bytes[other] === COLON) return true;
  }
  return false;
}

/** The position of the last colon or delimiter before `at`; -1: neither precedes it. */
function beforePlain(bytes: Uint8Array, at: number): number {
  let i = at - 1;
  while (i >= 0 && STOPS[bytes[i] as number] === 0) i--;
  return i;
}

const stars = (secret: string): string => secret.replace(/\S/g, '*');
const masked = (_all: string, head: string, secret: string): string => head + stars(secret);

export const maskCredentials = (text: string): string =>
  isSensitive(text)
    ? text
        .replace(HEADER, (_all, name: string, value: string) => name + maskValue(value, !/info[ \t]*:$/i.test(name)))
        .replace(INLINE, masked)
        .replace(KEY_LINE, masked)
        .replace(QUERY_CREDENTIALS, masked)
        .replace(USER_INFORMATION, maskPassword)
    : text;

/** In `sip:alice:secret@`, masks the text after the second colon. A port looks the same until the @, which is missing. */
function maskPassword(all: string): string {
  const [colon, at] = /^sips?%/i.test(all) ? (['%3a', '%40'] as const) : ([':', '@'] as const);
  if (!all.endsWith(at)) return all;
  const lower = all.toLowerCase();
  const user = lower.indexOf(colon) + colon.length;
  const password = lower.indexOf(colon, user);
  if (password < 0) return all;
  const from = password + colon.length;
  return all.slice(0, from) + stars(all.slice(from, -at.length)) + at;
}

function maskValue(value: string, hasScheme: boolean): string {
  const scheme = hasScheme ? SCHEME.exec(value) : null;
  if (hasScheme && scheme?.[2]?.toLowerCase() !== 'digest') {
    const from = scheme ? scheme[0].length : 0;
    return value.slice(0, from) + stars(value.slice(from));
  }
  return value.replace(SECRET, masked);
}
