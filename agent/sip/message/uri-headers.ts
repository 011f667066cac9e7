/**
 * Header fields of a SIP URI (`sip:carol@example.net?Replaces=…`, RFC 3261, 19.1.5), as in a Refer-To. The URI comes
 * from an untrusted peer. Headers about identity, capabilities, routing or charging are never accepted from it; only
 * these are, and custom ones (X-…).
 */
import { rememberLast } from './remember-last.ts';
import { parseUri, type SipUri } from './uri.ts';
import { headerText } from './wire-text.ts';

const TAKEN: ReadonlyMap<string, string> = new Map(
  ['Replaces', 'Subject', 'Priority', 'In-Reply-To'].map((name) => [name.toLowerCase(), name]),
);
/** It identifies calls: an untrusted value could name another call. */
const OURS = 'x-carillon-call';
/** Only what the other header needs (RFC 5589, 7.1). */
const REQUIRED = 'replaces';
const OF_TESTERS = /^x-[a-z0-9-]{1,60}$/;
const MAX_FIELDS = 16;
const MAX_VALUE = 1024;

export type UriHeaders = {
  /** The URI without them: what goes into Request-URI and To. */
  readonly uri: string;
  /** Header lines, each ended by CRLF. */
  readonly lines: string;
};

/** A requested call target: the URI, or why it is invalid, and its headers. */
export const readTarget = rememberLast((targetUri) => {
  const text = headerText(targetUri);
  const uri = parseUri(text);
  const asked = typeof uri === 'string' ? null : uriHeaders(text, uri);
  return asked === null ? { uri: 'SYNTAX' as const, asked: { uri: text, lines: '' } } : { uri, asked };
});

/** Null: they cannot be read, or would break out of their line; the URI as a whole is invalid then. */
export function uriHeaders(text: string, uri: SipUri): UriHeaders | null {
  if (uri.headers === '') return { uri: text, lines: '' };
  const fields = uri.headers.split('&');
  if (fields.length > MAX_FIELDS) return null;
  let lines = '';
  for (const field of fields) {
    const equals = field.indexOf('=');
    const name = unescaped(field.slice(0, Math.max(0, equals)));
    const value = unescaped(field.slice(equals + 1));
    if (equals <= 0 || name === null || value === null || value.length > MAX_VALUE) return null;
    const lower = name.toLowerCase();
    const taken = TAKEN.get(lower) ?? (OF_TESTERS.test(lower) && lower !== OURS ? name : null);
    if (lower === 'require' && value.trim().toLowerCase() === REQUIRED) lines += `Require: ${REQUIRED}\r\n`;
    else if (taken !== null) lines += `${taken}: ${value.trim()}\r\n`;
  }
  // The user part may have a ?, too.
  return { uri: text.slice(0, -1 - uri.headers.length), lines };
}

/** Null: an invalid escape, or a character not allowed in a header line. */
function unescaped(text: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return null;
  const value = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that are looked for
  return /[\x00-\x08\x0a-\x1f\x7f]/.test(value) ? null : value;
}
