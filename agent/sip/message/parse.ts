/**
 * Makes a SipMessage of a datagram: start line, one pass over the headers, the checks that every message must pass
 * (RFC 3261, 7 and 8.1.1; RFC 4475). Lines may end with LF only. Never throws.
 */
import { longFormOf } from './header-names.ts';
import { methodAt } from './methods.ts';
import { ownText } from './own-text.ts';
import { digits, isToken, isWord, skipSpace, trimEnd } from './scan.ts';
import { endOfLine, type Fault, initialBit, lengthBit, nextColon, SipMessage } from './sip-message.ts';

const CR = 13;
const LF = 10;
const SP = 32;
/** CSeq numbers are 32-bit unsigned (RFC 3261, 8.1.1.5). */
const MAX_CSEQ = 2 ** 32 - 1;

/** The last reason phrase of each status. */
const LAST_REASONS: string[] = [];
/** Longer reasons are not remembered. */
const MAX_REASON = 40;

const bad = (reason: string): Fault => ({ status: 400, reason });

/** The message, possibly with a fault; null if it is not a SIP message, or cannot be answered. */
export function parseMessage(text: string): SipMessage | null {
  let at = 0;
  while (at < text.length && (text.charCodeAt(at) === CR || text.charCodeAt(at) === LF)) at++;
  const lineFeed = text.indexOf('\n', at);
  if (lineFeed < 0) return null;
  const lineEnd = text.charCodeAt(lineFeed - 1) === CR ? lineFeed - 1 : lineFeed;
  const message = new SipMessage(text);
  message.headersAt = lineFeed + 1;
  const isResponse = text.charCodeAt(at + 3) === 47 && isWord(text, at, at + 3, 'sip');
  if (isResponse ? !readStatusLine(message, at, lineEnd) : !readRequestLine(message, at, lineEnd)) return null;
  readHeaders(message);
  checkFraming(message);
  checkMandatory(message);
  return message;
}

/** True for NAT keep-alives: only line ends or zero bytes (RFC 5626, 3.5.1). */
export function isKeepAlive(text: string): boolean {
  if (text.length > 16) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== CR && code !== LF && code !== 0) return false;
  }
  return true;
}

/** `SIP/2.0 180 Ringing`; the reason may be empty, and even its space may be missing. */
function readStatusLine(message: SipMessage, at: number, end: number): boolean {
  const text = message.text;
  if (!text.startsWith('/2.0 ', at + 3)) return false;
  const status = digits(text, at + 8, at + 11);
  if (status < 100 || status > 699) return false;
  if (at + 11 < end && text.charCodeAt(at + 11) !== SP) return false;
  message.status = status;
  message.reason = reasonAt(text, at + 12, end, status);
  return true;
}

/** The last reason of a status is usually the next: one string for thousands of calls that are up. */
function reasonAt(text: string, at: number, end: number, status: number): string {
  const last = LAST_REASONS[status];
  if (last !== undefined && last.length === end - at && text.startsWith(last, at)) return last;
  const reason = text.slice(at, end);
  if (reason.length > MAX_REASON) return reason;
  LAST_REASONS[status] = ownText(reason);
  return LAST_REASONS[status];
}

/**
 * `INVITE sip:1001@pbx.example SIP/2.0`, with single spaces: anything else is answered 400 (RFC 4475, 3.1.2.7 to
 * 3.1.2.9).
 */
function readRequestLine(message: SipMessage, at: number, end: number): boolean {
  const text = message.text;
  const methodEnd = text.indexOf(' ', at);
  if (methodEnd <= at || methodEnd >= end || !isToken(text, at, methodEnd)) return false;
  const lineEnd = trimEnd(text, methodEnd, end);
  const versionAt = text.lastIndexOf(' ', lineEnd - 1) + 1;
  if (versionAt <= methodEnd + 1 || !isWord(text, versionAt, versionAt + 4, 'sip/')) return false;
  message.method = methodAt(text, at, methodEnd);
  message.requestUri = text.slice(methodEnd + 1, versionAt - 1);
  if (text.slice(versionAt + 4, lineEnd) !== '2.0') {
    message.fault = { status: 505, reason: 'Version Not Supported' };
  } else if (lineEnd !== end || message.requestUri.includes(' ')) {
    message.fault = bad('Bad Request (spaces in the request line)');
  }
  return true;
}

function readHeaders(message: SipMessage): void {
  const text = message.text;
  const stop = text.length;
  let colon = -1;
  for (let at = message.headersAt; at < stop; ) {
    const first = text.charCodeAt(at);
    if (first === LF || (first === CR && text.charCodeAt(at + 1) === LF)) {
      message.bodyAt = at + (first === LF ? 1 : 2);
      message.bodyEnd = stop;
      return;
    }
    const lineFeed = endOfLine(text, at, stop);
    const head = usualHead(text, at, first);
    if (head !== '' && text.charCodeAt(at + head.length) > SP) {
      readValue(message, head, at + head.length, valueEnd(text, at, lineFeed));
    } else {
      if (colon < at) colon = nextColon(text, at);
      if (colon >= lineFeed) message.fault ??= bad('Bad Request (a header line without a colon)');
      else readHeader(message, first | 0x20, at, colon, lineFeed);
    }
    at = lineFeed + 1;
  }
  message.fault ??= bad('Bad Request (no empty line after the headers)');
}

/** A value's end, which is a CR before the line feed and no space before that as a rule. */
function valueEnd(text: string, from: number, lineFeed: number): number {
  const isUsual = text.charCodeAt(lineFeed - 1) === CR && text.charCodeAt(lineFeed - 2) > SP;
  return isUsual ? lineFeed - 1 : trimEnd(text, from, lineFeed);
}

/**
 * The usual spelling of a header that every message has: recognized at once, without a search for its colon. '' for
 * others.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a switch on one letter, read for every header of every message
function usualHead(text: string, at: number, first: number): '' | Head {
  switch (first) {
    case 86: // V
      return text.startsWith('Via: ', at) ? 'Via: ' : '';
    case 70: // F
      return text.startsWith('From: ', at) ? 'From: ' : '';
    case 84: // T
      return text.startsWith('To: ', at) ? 'To: ' : '';
    case 67: // C
      switch (text.charCodeAt(at + 1)) {
        case 97: // a
          return text.startsWith('Call-ID: ', at) ? 'Call-ID: ' : '';
        case 83: // S
          return text.startsWith('CSeq: ', at) ? 'CSeq: ' : '';
      }
      if (text.charCodeAt(at + 4) === 97) return text.startsWith('Contact: ', at) ? 'Contact: ' : '';
      if (text.charCodeAt(at + 8) === 84) return text.startsWith('Content-Type: ', at) ? 'Content-Type: ' : '';
      return text.startsWith('Content-Length: ', at) ? 'Content-Length: ' : '';
  }
  return '';
}

type Head = 'Via: ' | 'From: ' | 'To: ' | 'Call-ID: ' | 'CSeq: ' | 'Contact: ' | 'Content-Type: ' | 'Content-Length: ';

function readValue(message: SipMessage, head: Head, from: number, end: number): void {
  switch (head) {
    case 'Via: ':
      readVia(message, from, end);
      break;
    case 'From: ':
      readFrom(message, from, end);
      break;
    case 'To: ':
      readTo(message, from, end);
      break;
    case 'Call-ID: ':
      readCallId(message, from, end);
      break;
    case 'CSeq: ':
      readSequence(message, from, end);
      break;
    case 'Contact: ':
      readContact(message, from, end);
      break;
    case 'Content-Type: ':
      readType(message, from, end);
      break;
    case 'Content-Length: ':
      readLength(message, from, end);
      break;
  }
}

/** Stores the positions of the headers that every message has; others are searched on demand. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a switch on length and letters, read for every header of every message
function readHeader(message: SipMessage, first: number, at: number, colon: number, lineFeed: number): void {
  const text = message.text;
  const nameEnd = text.charCodeAt(colon - 1) > SP ? colon : trimEnd(text, at, colon);
  const length = nameEnd - at;
  const from =
    text.charCodeAt(colon + 1) === SP && text.charCodeAt(colon + 2) > SP
      ? colon + 2
      : skipSpace(text, colon + 1, lineFeed);
  const end = trimEnd(text, from, lineFeed);
  message.initials |= initialBit(first);
  message.lengths |= lengthBit(length);
  if (length === 1) noteLongForm(message, longFormOf(first));
  switch (first) {
    case 118: // v
      if (length !== 1 && !isWord(text, at, nameEnd, 'via')) break;
      readVia(message, from, end);
      break;
    case 102: // f
      if (length !== 1 && !isWord(text, at, nameEnd, 'from')) break;
      readFrom(message, from, end);
      break;
    case 116: // t
      if (length !== 1 && !isWord(text, at, nameEnd, 'to')) break;
      readTo(message, from, end);
      break;
    case 105: // i
      if (length === 1) readCallId(message, from, end);
      break;
    case 109: // m
      if (length === 1) readContact(message, from, end);
      else if (isWord(text, at, nameEnd, 'max-forwards')) {
        if (message.maxForwardsEnd !== 0) repeated(message, 'Max-Forwards');
        message.maxForwardsAt = from;
        message.maxForwardsEnd = end;
      }
      break;
    case 108: // l
      if (length === 1) readLength(message, from, end);
      break;
    case 99: // c
      if (length === 1) readType(message, from, end);
      else if (length === 4 && isWord(text, at, nameEnd, 'cseq')) readSequence(message, from, end);
      else if (length === 7) {
        if (isWord(text, at, nameEnd, 'call-id')) readCallId(message, from, end);
        else if (isWord(text, at, nameEnd, 'contact')) readContact(message, from, end);
      } else if (length === 12 && isWord(text, at, nameEnd, 'content-type')) readType(message, from, end);
      else if (length === 14 && isWord(text, at, nameEnd, 'content-length')) readLength(message, from, end);
      break;
    case 114: // r
      if (length === 12 && isWord(text, at, nameEnd, 'record-route')) message.hasRecordRoute = true;
      break;
  }
}

/** Queries by name also find the compact form. */
function noteLongForm(message: SipMessage, name: string): void {
  if (name === '') return;
  message.initials |= initialBit(name.charCodeAt(0));
  message.lengths |= lengthBit(name.length);
}

/** RFC 4475, 3.3.8: a single-value header occurs twice. */
function repeated(message: SipMessage, name: string): void {
  message.fault ??= bad(`Bad Request (${name} occurs twice)`);
}

function readVia(message: SipMessage, from: number, end: number): void {
  if (message.viaEnd !== 0) {
    message.hasSeveralVias = true;
    return;
  }
  message.viaAt = from;
  message.viaEnd = end;
}

function readFrom(message: SipMessage, from: number, end: number): void {
  if (message.fromEnd !== 0) repeated(message, 'From');
  message.fromAt = from;
  message.fromEnd = end;
}

function readTo(message: SipMessage, from: number, end: number): void {
  if (message.toEnd !== 0) repeated(message, 'To');
  message.toAt = from;
  message.toEnd = end;
}

function readSequence(message: SipMessage, from: number, end: number): void {
  if (message.cseqEnd !== 0) repeated(message, 'CSeq');
  message.cseqAt = from;
  message.cseqEnd = end;
}

function readCallId(message: SipMessage, from: number, end: number): void {
  if (message.callIdEnd !== 0) repeated(message, 'Call-ID');
  message.callIdAt = from;
  message.callIdEnd = end;
}

function readContact(message: SipMessage, from: number, end: number): void {
  if (message.contactEnd !== 0) {
    message.hasSeveralContacts = true;
    return;
  }
  message.contactAt = from;
  message.contactEnd = end;
}

function readType(message: SipMessage, from: number, end: number): void {
  if (message.typeEnd !== 0) return;
  message.typeAt = from;
  message.typeEnd = end;
}

function readLength(message: SipMessage, from: number, end: number): void {
  if (message.lengthEnd !== 0) repeated(message, 'Content-Length');
  message.lengthAt = from;
  message.lengthEnd = end;
}

/** Content-Length may be absent over UDP; bytes after the body are ignored (RFC 3261, 18.3). */
function checkFraming(message: SipMessage): void {
  if (message.lengthEnd === 0) return;
  const length = digits(message.text, message.lengthAt, message.lengthEnd);
  if (length < 0) message.fault ??= bad('Bad Request (Content-Length is not a number)');
  else if (message.bodyAt + length > message.text.length)
    message.fault ??= bad('Bad Request (body shorter than Content-Length)');
  else message.bodyEnd = message.bodyAt + length;
}

/** RFC 3261, 8.1.1: the headers required for matching. */
function checkMandatory(message: SipMessage): void {
  if (message.viaEnd <= message.viaAt) message.fault ??= bad('Bad Request (no Via)');
  if (message.callIdEnd <= message.callIdAt) message.fault ??= bad('Bad Request (no Call-ID)');
  if (message.fromEnd <= message.fromAt) message.fault ??= bad('Bad Request (no From)');
  if (message.toEnd <= message.toAt) message.fault ??= bad('Bad Request (no To)');
  readCseq(message);
}

function readCseq(message: SipMessage): void {
  const text = message.text;
  let at = message.cseqAt;
  const end = message.cseqEnd;
  while (at < end && text.charCodeAt(at) > SP) at++;
  const number = digits(text, message.cseqAt, at);
  if (number < 0 || number > MAX_CSEQ) {
    message.fault ??= bad('Bad Request (CSeq is missing or out of range)');
    return;
  }
  message.cseq = number;
  const methodFrom = skipSpace(text, at, end);
  if (message.status !== 0) {
    const method = methodAt(text, methodFrom, end);
    message.method = method;
    const isUsual = method === 'INVITE' || method === 'BYE' || method === 'REGISTER';
    if (!isUsual && !isToken(text, methodFrom, end)) message.fault ??= bad('CSeq without a method');
  } else if (message.method.length !== end - methodFrom || !text.startsWith(message.method, methodFrom)) {
    message.fault ??= bad('Bad Request (CSeq names another method)');
  }
}
