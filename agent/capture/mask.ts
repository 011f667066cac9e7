/**
 * Takes from a message what would let its reader compute a password: digest responses of either side (RFC 7616, 3.4 and 3.5),
 * and all of any other scheme's credentials, in header fields or asked for by a URI (RFC 3261, 19.1.5); passwords of URIs (RFC 3261,
 * 19.1.1); and what would let him hear the call: keys of SDP (RFC 4568, 9.1; RFC 4567, 3.1; RFC 4566, 5.12). Lengths stay, lines too.
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

const [SPACE, QUOTE, COLON, LESS, GREATER, AT] = [0x20, 0x22, 0x3a, 0x3c, 0x3e, 0x40];

/** Without one of these, and without a password, no text is changed: most have none, and to see that costs a third of a microsecond. */
const SENSITIVE = /authorization|authentication-info|inline:/i;
const isSensitive = (text: string): boolean =>
  SENSITIVE.test(text) ||
  text.includes('key-mgmt:') ||
  text.includes('\nk=') ||
  text.includes('%3') ||
  hasPassword(text);

/** Two colons before an @, and nothing between that ends a URI: from every @ back to what ends it, no character twice. */
function hasPassword(text: string): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let colons = 0;
    for (let i = at - 1; i >= 0; i--) {
      const char = text.charCodeAt(i);
      if (char <= SPACE || char === AT || char === LESS || char === GREATER || char === QUOTE) break;
      if (char === COLON && ++colons === 2) return true;
    }
  }
  return false;
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

/** `sip:alice:secret@`: what is behind the second colon. A port looks like it until the @ that does not come. */
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
