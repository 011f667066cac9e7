/** SIP and tel URIs (RFC 3261, 19.1; RFC 3966; IPv6 references as RFC 5118 wants them). */
import { rememberLast } from './remember-last.ts';
import { digits } from './scan.ts';

export type SipUri = {
  readonly scheme: 'sip' | 'sips' | 'tel';
  /** Unescaped once; '' if absent. For a tel URI, the number. */
  readonly user: string;
  /** The host as written, IPv6 without its brackets; '' in a tel URI. */
  readonly host: string;
  /** 0: not given. */
  readonly port: number;
  /** `;transport=udp;lr`, '' if there are none. */
  readonly parameters: string;
  /** What follows `?`, without it. */
  readonly headers: string;
};

/** A URI that is not usable: its scheme is foreign to us (416), or it is malformed (400). */
export type UriFault = 'SCHEME' | 'SYNTAX';

const URI_CHARACTERS = /^[\x21-\x7e]+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const HOSTNAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\.?$/;
/** Generous within the brackets: RFC 3261's grammar itself allowed three colons (RFC 5118, 4.10). */
const IPV6 = /^[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*$/;
const NUMBER = /^\+?[0-9A-Fa-f*#.()-]+$/;

/** Parses a whole text: no angle brackets, no space. */
export const parseUri: (text: string) => SipUri | UriFault = rememberLast(readUri);

function readUri(text: string): SipUri | UriFault {
  const colon = text.indexOf(':');
  if (colon <= 0 || !SCHEME.test(text.slice(0, colon))) return 'SYNTAX';
  const scheme = text.slice(0, colon).toLowerCase();
  if (scheme !== 'sip' && scheme !== 'sips' && scheme !== 'tel') return 'SCHEME';
  if (!URI_CHARACTERS.test(text) || /[<>"]/.test(text)) return 'SYNTAX';
  const rest = text.slice(colon + 1);
  if (scheme === 'tel') return parseTel(rest);
  const at = rest.indexOf('@');
  if (at === 0) return 'SYNTAX';
  const userInfo = at < 0 ? '' : rest.slice(0, at);
  const password = userInfo.indexOf(':');
  const user = resolveEscapes(password < 0 ? userInfo : userInfo.slice(0, password));
  const behind = rest.slice(at + 1);
  const question = behind.indexOf('?');
  const headers = question < 0 ? '' : behind.slice(question + 1);
  const target = question < 0 ? behind : behind.slice(0, question);
  const semicolon = target.indexOf(';');
  const parameters = semicolon < 0 ? '' : target.slice(semicolon);
  const hostPort = parseHostPort(semicolon < 0 ? target : target.slice(0, semicolon));
  if (hostPort === null || user === null || /;;|;$/.test(parameters)) return 'SYNTAX';
  return { scheme, user, host: hostPort.host, port: hostPort.port, parameters, headers };
}

function parseTel(rest: string): SipUri | UriFault {
  const semicolon = rest.indexOf(';');
  const user = semicolon < 0 ? rest : rest.slice(0, semicolon);
  if (!NUMBER.test(user)) return 'SYNTAX';
  return {
    scheme: 'tel',
    user,
    host: '',
    port: 0,
    parameters: semicolon < 0 ? '' : rest.slice(semicolon),
    headers: '',
  };
}

export type HostPort = { readonly host: string; readonly port: number };

/** `host[:port]`, IPv6 in brackets; port 0 if absent, null if invalid. */
export const parseHostPort: (text: string) => HostPort | null = rememberLast(readHostPort);

function readHostPort(text: string): HostPort | null {
  let host: string;
  let rest: string;
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    host = text.slice(1, close);
    if (close < 0 || !IPV6.test(host)) return null;
    rest = text.slice(close + 1);
  } else {
    const colon = text.indexOf(':');
    host = colon < 0 ? text : text.slice(0, colon);
    if (!HOSTNAME.test(host)) return null;
    rest = colon < 0 ? '' : text.slice(colon);
  }
  if (rest === '') return { host, port: 0 };
  const port = rest.startsWith(':') ? digits(rest, 1, rest.length) : -1;
  return port < 1 || port > 65_535 ? null : { host, port };
}

/** Resolves %HH once (RFC 4475, 3.1.1.3); null for an invalid escape. */
function resolveEscapes(text: string): string | null {
  if (!text.includes('%')) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return null;
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A user part with what the grammar does not allow there escaped (RFC 3261, 25.1: user-unreserved). */
export const escapeUser = (user: string): string =>
  /^[A-Za-z0-9\-_.!~*'()&=+$,;?/]*$/.test(user)
    ? user
    : user.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/g, (char) =>
        [...Buffer.from(char, 'latin1')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
      );

/** `[::1]:5060`, `192.0.2.1:5060`. */
export const hostPortText = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
