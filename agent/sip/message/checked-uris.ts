/** URIs among the options of a user agent: checked when it is made, so that no request fails later because of one. */
import { parseNameAddress } from './name-address.ts';
import { rememberLast } from './remember-last.ts';
import { parseUri } from './uri.ts';
import { headerText } from './wire-text.ts';

/** The same for thousands of user agents. */
export const checkedRegistrar = rememberLast((uri) => (uri === '' ? uri : checkedUri(uri, 'registrar')));
export const readRegistrar = rememberLast(parseUri);

/** The URI as wire text. Throws if it is not a SIP URI. `what`: its name in the error. */
export function checkedUri(text: string, what: string): string {
  const wire = headerText(text);
  const isUri = PLAIN_USER.test(wire) ? isUriOfHost(wire.slice(wire.indexOf('@') + 1)) : isSipUri(wire);
  if (!isUri) throw new Error(`the ${what} "${text}" is not a SIP URI: write it as sip:user@host`);
  return wire;
}

const isSipUri = (text: string): boolean => typeof parseUri(text) !== 'string';
/** Those of a load differ only in the user. */
const PLAIN_USER = /^sip:[A-Za-z0-9_.~-]+@/;
const isUriOfHost = rememberLast((host) => isSipUri(`sip:user@${host}`));

/** A member of a Route header as wire text. Throws if it is not one. */
export function checkedRoute(route: string): string {
  const address = parseNameAddress(route);
  if (address === null || typeof parseUri(address.uri) === 'string' || !route.includes('<')) {
    throw new Error(`the route "${route}" cannot be used: write it as <sip:proxy.example;lr>`);
  }
  return headerText(route);
}
