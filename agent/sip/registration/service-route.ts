/** The way that a registrar wants a user agent's other requests to go (RFC 3608). */
import { parseNameAddress } from '../message/name-address.ts';
import { ownText } from '../message/own-text.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';

/** Route values in order; none where the response names none, or one that cannot be used: a part of a way leads nowhere. */
export function serviceRoute(registered: SipMessage): string[] {
  const routes = registered.headerMembers('service-route');
  const usable = routes.every((route) => {
    const address = parseNameAddress(route);
    return address !== null && route.includes('<') && typeof parseUri(address.uri) !== 'string';
  });
  return usable ? routes.map(ownText) : [];
}
