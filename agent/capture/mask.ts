/**
 * Takes from a message what would let its reader compute a password: digest responses of either side (RFC 7616, 3.4 and 3.5),
 * and all of any other scheme's credentials, in header fields or asked for by a URI (RFC 3261, 19.1.5); passwords of URIs (RFC 3261,
 * 19.1.1); and what would let them hear the call: keys of SDP (RFC 4568, 9.1; RFC 4567, 3.1; RFC 4566, 5.12). Lengths stay, lines
 * too.
 */

/** A header with credentials, its folded lines included. */
const HEADER = /^((?:Proxy-)?(?:Authorization|Authentication-Info)[ \t]*:)((?:[^\r\n]+|\r?\n[ \t])*)/gim;
/** Authorization: scheme, then credentials. */
const SCHEME = /^(\s*)(\S+)(\s+)/;
const SECRET = /\b((?:response|rspauth)\s*=\s*"?)((?<=")(?:[^"\\]|\\[\s\S])*|[^\s,"]+)/gi;
/** Key and salt: up to a lifetime, an MKI or the next key. */
const INLINE = /(\binline:)([^\s|;]+)/gi;
const KEY_LINE = /^(a=key-mgmt:\S*|k=[^:\r\n]*:)([^\r\n]*)/gim;
const ASKED = /([?&](?:Proxy-)?Authorization=)([^\s&>"]+)/gi;
/** Up to the end of the user information, and of all that could have been: so no text is gone through twice. */
const USER_INFORMATION = /sips?:[^\s@<>"]*@?|:\/\/[^\s@<>"/]*@?|sips?%3a(?:[^\s@<>"&%]|%(?!40))*(?:%40)?/gi;

/** What a password is looked for between: colons, and what ends a URI. */
const COLON = 0x3a;
const STOPS = new Uint8Array(256).fill(1, 0, 0x21);
for (const stop of '"<>@:') STOPS[stop.charCodeAt(0)] = 1;

/** Words of one expression, or of two: V8 looks for each of them by leaps, which a short word among them makes shorter. */
const WORDS = /authorization|authentication-info|key-mgmt:/i;
const INLINE_WORD = /inline:/i;

/**
 * Without one of these words, and without a password, no text is changed, nor any part of one: most have none. `k=` rather than the line
 * that begins with it: the search is for its first letter, and line feeds are many. The text is as it was on the wire, one character a
 * byte; `bytes`: the same, which are looked at sooner one by one than characters.
 */
export const isSensitive = (text: string, bytes: Uint8Array = Buffer.from(text, 'latin1')): boolean =>
  text.includes('k=') || text.includes('%3') || WORDS.test(text) || INLINE_WORD.test(text) || hasPassword(text, bytes);

/** Two colons before an @, and nothing between that ends a URI: from every @ back to what ends it, no character twice. */
function hasPassword(text: string, bytes: Uint8Array): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const colon = beforePlain(bytes, at);
    if (colon < 0 || bytes[colon] !== COLON) continue;
    const other = beforePlain(bytes, colon);
    if (other >= 0 && bytes[other] === COLON) return true;
  }
  return false;
}

/** Where the last colon, or what ends a URI, stands before `at`; -1 nowhere. */
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
        .replace(ASKED, masked)
        .replace(USER_INFORMATION, maskPassword)
    : text;

/** `sip:alice:secret@`: what follows the second colon. A port looks like it until the @ that does not come. */
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
