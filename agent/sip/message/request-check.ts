/**
 * Detailed validation of a request that starts something: malformed or unsupported requests get the response of RFC
 * 4475 and RFC 3261, 8.2. Retransmissions never get here, so regular expressions are acceptable.
 */
import { ACCEPTED_BODIES, SUPPORTED_BODY } from './build.ts';
import { ALLOWED_METHODS, isAllowedMethod, isKnownMethod } from './methods.ts';
import { uriAt, uriOfAddress } from './name-address.ts';
import { rememberLast } from './remember-last.ts';
import { digits, membersOf, unfold } from './scan.ts';
import type { Fault, SipMessage } from './sip-message.ts';
import { parseUri } from './uri.ts';
import { parseVia, type Via } from './via.ts';

/** A refusal with explanatory header lines, each ended by CRLF. */
export type RequestFault = Fault & { readonly headers: string };

const MAX_FORWARDS = 255;
const ALLOW = `Allow: ${ALLOWED_METHODS}\r\n`;

const refuse = (status: number, reason: string, headers = ''): RequestFault => ({ status, reason, headers });

/**
 * Is the message well-formed where a user agent server reads it? `via` is the topmost, `supportedOptions`: option tags it may be
 * required to know, `ourUri`: a Request-URI that we have given and need not read.
 */
export function checkRequest(
  message: SipMessage,
  via: Via,
  supportedOptions: ReadonlySet<string>,
  ourUri?: string,
): RequestFault | null {
  const fault = message.fault;
  if (fault !== null) return refuse(fault.status, fault.reason);
  return checkUri(message, ourUri) ?? checkSyntax(message, via) ?? checkSupport(message, supportedOptions);
}

function checkUri(message: SipMessage, ourUri: string | undefined): RequestFault | null {
  if (message.requestUri === ourUri) return null;
  const uri = parseUri(message.requestUri);
  if (uri === 'SCHEME') return refuse(416, 'Unsupported URI Scheme');
  if (uri === 'SYNTAX') return refuse(400, 'Bad Request (Request-URI)');
  if (uri.headers !== '') return refuse(400, 'Bad Request (headers in the Request-URI)');
  return null;
}

function checkSyntax(message: SipMessage, via: Via): RequestFault | null {
  if (!everyVia(message, via)) return refuse(400, 'Bad Request (Via)');
  const { text, fromAt, fromEnd, toAt, toEnd } = message;
  if (uriAt(text, fromAt, fromEnd) === null) return refuse(400, 'Bad Request (From)');
  if (uriAt(text, toAt, toEnd) === null) return refuse(400, 'Bad Request (To)');
  if (!everyContact(message)) return refuse(400, 'Bad Request (Contact)');
  if (message.maxForwardsEnd !== 0) {
    const hops = digits(message.text, message.maxForwardsAt, message.maxForwardsEnd);
    if (hops < 0 || hops > MAX_FORWARDS) return refuse(400, 'Bad Request (Max-Forwards)');
  }
  return null;
}

/** Empty members are an error here (RFC 4475, 3.1.2.1), so the list is not taken apart with `headerMembers`. */
function everyVia(message: SipMessage, via: Via): boolean {
  if (!message.hasSeveralVias && !message.via.includes(',')) return via.wellFormed;
  return message
    .headerLines('via')
    .every((line) => !/(?:^|,)\s*(?:,|$)/.test(line) && membersOf(line).every((via) => parseVia(via)?.wellFormed));
}

function everyContact(message: SipMessage): boolean {
  if (message.contactEnd === 0) return true;
  if (message.hasSeveralContacts) return message.headerLines('contact').every(isContactList);
  return isContactList(message.text.slice(message.contactAt, message.contactEnd));
}

const isContactList = rememberLast((value) =>
  membersOf(unfold(value)).every((contact) => contact === '*' || uriOfAddress(contact) !== null),
);

function checkSupport(message: SipMessage, supportedOptions: ReadonlySet<string>): RequestFault | null {
  const method = message.method;
  if (!isKnownMethod(method)) return refuse(501, 'Not Implemented', ALLOW);
  if (!isAllowedMethod(method)) return refuse(405, 'Method Not Allowed', ALLOW);
  if (method === 'CANCEL' || method === 'ACK') return null;
  // It replaces a call, so it can only be one itself (RFC 3891, 3).
  if (method !== 'INVITE' && message.header('replaces') !== null) return refuse(400, 'Bad Request (Replaces)');
  const required = message.headerMembers('require');
  if (required.length > 0) {
    const foreign = required.filter((option) => !supportedOptions.has(option.toLowerCase()));
    if (foreign.length > 0) return refuse(420, 'Bad Extension', `Unsupported: ${foreign.join(', ')}\r\n`);
  }
  return checkBody(message, method);
}

function checkBody(message: SipMessage, method: string): RequestFault | null {
  if (method !== 'INVITE' && method !== 'UPDATE') return null;
  if (message.body !== '') {
    const encoding = message.header('content-encoding');
    if (encoding !== null && encoding.toLowerCase() !== 'identity') {
      return refuse(415, 'Unsupported Media Type', 'Accept-Encoding: identity\r\n');
    }
    if (message.typeEnd === 0) return refuse(400, 'Bad Request (a body without Content-Type)');
    const fault = message.isPlainSdp ? null : message.readBody().fault;
    if (fault === 'SYNTAX') return refuse(400, 'Bad Request (the parts of the body cannot be read)');
    if (fault !== null) return refuse(415, 'Unsupported Media Type', `Accept: ${ACCEPTED_BODIES}\r\n`);
  }
  const accept = message.headerMembers('accept');
  return accept.length === 0 || accept.some(acceptsOurs) ? null : refuse(406, 'Not Acceptable');
}

const mediaType = rememberLast((value) => (value.split(';')[0] as string).replace(/\s/g, '').toLowerCase());

function acceptsOurs(member: string): boolean {
  const type = mediaType(member);
  return type === SUPPORTED_BODY || type === 'application/*' || type === '*/*';
}
