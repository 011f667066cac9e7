/** Checks the options of a user agent before they are used. */
import { parseNameAddress } from '../message/name-address.ts';
import { parseUri } from '../message/uri.ts';
import { headerText } from '../message/wire-text.ts';

/** As wire text. Throws if it is not a SIP URI. */
export function checkedUri(text: string, what: string): string {
  const wire = headerText(text);
  if (typeof parseUri(wire) === 'string')
    throw new Error(`the ${what} "${text}" is not a SIP URI: write it as sip:user@host`);
  return wire;
}

/** A route of the preloaded set, as wire text. Throws where it cannot be used. */
export function checkedRoute(route: string): string {
  const address = parseNameAddress(route);
  if (address === null || typeof parseUri(address.uri) === 'string' || !route.includes('<')) {
    throw new Error(`the route "${route}" cannot be used: write it as <sip:proxy.example;lr>`);
  }
  return headerText(route);
}
