/**
 * Takes from a message what would let its reader compute a password: digest responses of either side (RFC 7616, 3.4 and 3.5),
 * and all of any other scheme's credentials; and what would let him hear the call: SRTP keys of SDP (RFC 4568, 9.1). Lengths
 * stay, lines too.
 */

/** A header with credentials, its folded lines included. */
const HEADER = /^((?:Proxy-)?(?:Authorization|Authentication-Info)[ \t]*:)((?:[^\r\n]+|\r?\n[ \t])*)/gim;
/** Authorization: scheme, then credentials. */
const SCHEME = /^(\s*)(\S+)(\s+)/;
const SECRET = /\b((?:response|rspauth)\s*=\s*"?)((?<=")(?:[^"\\]|\\[\s\S])*|[^\s,"]+)/gi;
/** Key and salt: up to a lifetime, an MKI or the next key. */
const INLINE = /(\binline:)([^\s|;]+)/gi;

/** Without one of these no text is changed: most messages have none, and looking for that is a quarter of the work. */
const SENSITIVE = /authorization|authentication-info|inline:/i;

const stars = (secret: string): string => secret.replace(/\S/g, '*');

export const maskCredentials = (text: string): string =>
  SENSITIVE.test(text)
    ? text
        .replace(HEADER, (_all, name: string, value: string) => name + maskValue(value, !/info[ \t]*:$/i.test(name)))
        .replace(INLINE, (_all, head: string, key: string) => head + stars(key))
    : text;

function maskValue(value: string, hasScheme: boolean): string {
  const scheme = hasScheme ? SCHEME.exec(value) : null;
  if (hasScheme && scheme?.[2]?.toLowerCase() !== 'digest') {
    const from = scheme ? scheme[0].length : 0;
    return value.slice(0, from) + stars(value.slice(from));
  }
  return value.replace(SECRET, (_all, head: string, secret: string) => head + stars(secret));
}
