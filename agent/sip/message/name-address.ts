/** name-addr and addr-spec: what From, To, Contact, Route and Record-Route hold (RFC 3261, 20.10 and 25.1). */
import { parameter, parametersOf, skipQuoted, skipSpace, trimEnd } from './scan.ts';

export type NameAddress = {
  readonly uri: string;
  /** Header parameters with their leading semicolon, '' if there are none. */
  readonly parameters: string;
};

/** An unquoted display name is a row of tokens; bytes above ASCII are let pass, they are common (RFC 4475, 3.1.1.6, 3.1.2.15). */
const DISPLAY_NAME = /^[A-Za-z0-9\-.!%*_+`'~ \t\r\n\x80-\xff]*$/;
/** `;name`, `;name=value`, `;name="value"`, with space anywhere between. */
const PARAMETERS =
  /^(?:\s*;\s*[A-Za-z0-9\-.!%*_+`'~]+(?:\s*=\s*(?:[A-Za-z0-9\-.!%*_+`'~[\]:]+|"(?:[^"\\]|\\.)*"))?)*\s*$/s;

/** One member of a list, or null if it breaks the grammar. */
export function parseNameAddress(text: string): NameAddress | null {
  const end = trimEnd(text, 0, text.length);
  let at = skipSpace(text, 0, end);
  const start = at;
  if (text.charCodeAt(at) === 34) {
    at = skipQuoted(text, at, end);
    if (at < 0) return null;
    at = skipSpace(text, at, end);
    if (text.charCodeAt(at) !== 60) return null;
  }
  const open = text.indexOf('<', at);
  const parametersAt = parametersOf(text, at, end);
  const parameters = text.slice(parametersAt, end);
  if (!PARAMETERS.test(parameters)) return null;
  if (open >= 0 && open < parametersAt) {
    if (at === start && !DISPLAY_NAME.test(text.slice(at, open))) return null;
    const uri = text.slice(open + 1, parametersAt - 1);
    return isUriText(uri) && text.charCodeAt(parametersAt - 1) === 62 ? { uri, parameters } : null;
  }
  // Without angle brackets a question mark or comma in the URI would be read as belonging to the header (20.10).
  const uri = text.slice(at, trimEnd(text, at, parametersAt));
  return isUriText(uri) && !/[?,"<>]/.test(uri) ? { uri, parameters } : null;
}

const isUriText = (uri: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]+$/.test(uri);

/** Value of a header parameter, null if absent. */
export const addressParameter = (address: NameAddress, name: string): string | null =>
  parameter(address.parameters, 0, address.parameters.length, name);
