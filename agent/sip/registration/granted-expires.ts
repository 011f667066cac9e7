/** The interval granted by a registrar, and the refresh time (RFC 3261, 10.2.4 and 10.3, step 8). */
import { addressParameter, parseNameAddress } from '../message/name-address.ts';
import { digits, membersOf, unfold } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';

/** A proxy or clock may take a few seconds of a binding's life: refresh this long before its end, at the least. */
const SAFETY_SECONDS = 5;
const NONE: string[] = [];
const LESS = 60;
const EXPIRES = '>;expires=';
const MAX_SECONDS = 2 ** 32 - 1;
const LATEST_FRACTION = 0.9;
/** The part of the latest delay over which refreshes are spread. */
const SPREAD = 1 / 6;

/**
 * Seconds granted by a 2xx: for our own Contact among all listed bindings, otherwise Expires, otherwise the requested
 * value.
 */
export function grantedSeconds(response: SipMessage, contactUri: string, askedSeconds: number): number {
  const plain = plainSeconds(response, contactUri);
  if (plain >= 0) return Math.min(plain, MAX_SECONDS);
  const header = secondsOf(response.header('expires'));
  for (const member of contactsOf(response)) {
    const binding = parseNameAddress(member);
    if (binding !== null && sameBinding(binding.uri, contactUri)) {
      return secondsOf(addressParameter(binding, 'expires')) ?? header ?? askedSeconds;
    }
  }
  return header ?? askedSeconds;
}

/** For a single binding in the usual spelling: `<sip:…>;expires=3600`; -1: another form. */
function plainSeconds({ text, contactAt, contactEnd, hasSeveralContacts }: SipMessage, contactUri: string): number {
  const uriAt = contactAt + 1;
  const behind = uriAt + contactUri.length;
  const isOurs = contactEnd > 0 && text.charCodeAt(contactAt) === LESS && text.startsWith(contactUri, uriAt);
  if (!isOurs || hasSeveralContacts || !text.startsWith(EXPIRES, behind)) return -1;
  return digits(text, behind + EXPIRES.length, contactEnd);
}

/** Most registrars list one binding, in one line that the parser has found already. */
function contactsOf(response: SipMessage): readonly string[] {
  if (response.contactEnd === 0) return NONE;
  if (response.hasSeveralContacts) return response.headerMembers('contact');
  return membersOf(unfold(response.text.slice(response.contactAt, response.contactEnd)));
}

/** Min-Expires of a 423, null without a usable one. */
export const minimumSeconds = (response: SipMessage): number | null => secondsOf(response.header('min-expires'));

/**
 * Milliseconds from the grant to the refresh: evenly random, at any interval, so that many simultaneous registrations do not
 * refresh together. `random`: 0 to 1.
 */
export function refreshDelayMs(grantedSeconds: number, random: number): number {
  const latest = Math.max(
    grantedSeconds / 2,
    Math.min(grantedSeconds * LATEST_FRACTION, grantedSeconds - SAFETY_SECONDS),
  );
  return latest * (1 - SPREAD * random) * 1000;
}

/** User, host and port identify our bindings; registrars drop or add parameters. */
function sameBinding(a: string, b: string): boolean {
  if (a === b) return true;
  const left = parseUri(a);
  const right = parseUri(b);
  if (typeof left === 'string' || typeof right === 'string') return false;
  const sameHost = left.host.toLowerCase() === right.host.toLowerCase();
  return left.user === right.user && sameHost && (left.port || 5060) === (right.port || 5060);
}

function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  const seconds = digits(text, 0, text.length);
  return seconds < 0 ? null : Math.min(seconds, MAX_SECONDS);
}
