/** `name-addr` and `addr-spec`: values of From, To, Contact, Route and Record-Route (RFC 3261, 20.10 and 25.1). */
import { ownText } from './own-text.ts';
import { LastFew, rememberLast } from './remember-last.ts';
import { isToken, parameter, parametersOf, skipQuoted, skipSpace, trimEnd, unfold } from './scan.ts';

export type NameAddress = {
  readonly uri: string;
  /** Header parameters with their leading semicolon, '' if there are none. */
  readonly parameters: string;
};

const TAG = ';tag=';
/** An unquoted display name is a row of tokens; bytes above ASCII are let pass, they are common (RFC 4475, 3.1.1.6, 3.1.2.15). */
const DISPLAY_NAME = /^[A-Za-z0-9\-.!%*_+`'~ \t\r\n\x80-\xff]*$/;
/** `;name`, `;name=value`, `;name="value"`, with space anywhere between. */
const PARAMETERS =
  /^(?:\s*;\s*[A-Za-z0-9\-.!%*_+`'~]+(?:\s*=\s*(?:[A-Za-z0-9\-.!%*_+`'~[\]:]+|"(?:[^"\\]|\\.)*"))?)*\s*$/s;

const isUriText = (uri: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]+$/.test(uri);

/** One member of a list, or null if it breaks the grammar. */
export function parseNameAddress(text: string): NameAddress | null {
  const uri = uriOfAddress(text);
  if (uri === null) return null;
  const end = trimEnd(text, 0, text.length);
  return { uri, parameters: text.slice(parametersOf(text, skipSpace(text, 0, end), end), end) };
}

/** The last few addresses: a peer's From and To differ only in the tags, so that the part before is recognized in place. */
const LATEST = new LastFew({ address: '', uri: '' });

/** Like `uriOfAddress`, for the part of a message from `at` to before `end`, which may be folded. */
export function uriAt(text: string, at: number, end: number): string | null {
  for (const { address, uri } of LATEST.values)
    if (uri !== '' && text.startsWith(address, at) && isUsualRest(text, at + address.length, end)) return uri;
  const value = unfold(text.slice(at, end));
  const uri = uriOfAddress(value);
  const parametersAt = parametersOf(text, at, end);
  const isFolded = value.length !== end - at;
  if (uri !== null && !isFolded && isUsualRest(text, parametersAt, end))
    LATEST.add({ address: ownText(text.slice(at, parametersAt)), uri });
  return uri;
}

/** Only its URI, which is the usual need; null likewise. */
export function uriOfAddress(text: string): string | null {
  const end = trimEnd(text, 0, text.length);
  const at = skipSpace(text, 0, end);
  const parametersAt = parametersOf(text, at, end);
  if (!isUsualRest(text, parametersAt, end) && !PARAMETERS.test(text.slice(parametersAt, end))) return null;
  return uriOf(text.slice(at, parametersAt));
}

/** No parameter, or only a tag. */
const isUsualRest = (text: string, at: number, end: number): boolean =>
  at === end || (text.startsWith(TAG, at) && isToken(text, at + TAG.length, end));

/** The URI of an address without its parameters; null: invalid. A peer has few, each in many messages. */
const uriOf = rememberLast((text): string | null => {
  let at = 0;
  if (text[0] === '"') {
    at = skipQuoted(text, 0, text.length);
    if (at < 0) return null;
    at = skipSpace(text, at, text.length);
    if (text[at] !== '<') return null;
  }
  const end = trimEnd(text, at, text.length);
  const open = text.indexOf('<', at);
  if (open >= 0) {
    if (at === 0 && !DISPLAY_NAME.test(text.slice(0, open))) return null;
    const uri = text.slice(open + 1, end - 1);
    return isUriText(uri) && text[end - 1] === '>' ? ownText(uri) : null;
  }
  // If there were no angle brackets, a question mark or comma in the URI would be read as part of the header (20.10).
  const uri = text.slice(at, end);
  return isUriText(uri) && !/[?,"<>]/.test(uri) ? ownText(uri) : null;
});

/** Value of a header parameter, null if absent. */
export const addressParameter = (address: NameAddress, name: string): string | null =>
  parameter(address.parameters, 0, address.parameters.length, name);
