/** The way that a registrar wants a user agent's other requests to go (RFC 3608). */
import { parseNameAddress } from '../message/name-address.ts';
import { ownText } from '../message/own-text.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';

/** Route values in order; none if the response has none, or an unusable one: a partial route is useless. */
export function serviceRoute(registered: SipMessage): string[] {
  const routes = registered.headerMembers('service-route');
  const usable = routes.every((route) => {
    const address = parseNameAddress(route);
    return address !== null && route.includes('<') && typeof parseUri(address.uri) !== 'string';
  });
  return usable ? routes.map(ownText) : [];
}
