/**
 * A received message: its text and the positions that transactions need. Parsing makes one pass over the header lines
 * and copies no text; values are read on demand. The body is not examined here (request-check.ts does, for requests
 * that start something).
 */
import { type ReadBody, readBody } from './body-parts.ts';
import { SUPPORTED_BODY } from './build.ts';
import { compactFormOf } from './header-names.ts';
import {
  endOfMember,
  isToken,
  isWord,
  membersOf,
  parameter,
  parametersOf,
  skipSpace,
  trimEnd,
  unfold,
} from './scan.ts';

/** Headers in nearly every message: lookups of other headers must not search because of them. */
const ALWAYS: ReadonlySet<string> = new Set([
  'via',
  'from',
  'to',
  'call-id',
  'cseq',
  'contact',
  'content-type',
  'content-length',
]);
const TAG = ';tag=';
const NONE: readonly string[] = [];

/** The fault of a message, and the response to a request with it. */
export type Fault = { readonly status: number; readonly reason: string };

export class SipMessage {
  readonly text: string;
  /** The method; of a response, the one in its CSeq. */
  method = '';
  requestUri = '';
  /** 0 for a request. */
  status = 0;
  reason = '';
  cseq = -1;
  /** The fault that allows only an error response; null: none so far. */
  fault: Fault | null = null;

  // Positions of values; an end of 0 means that the header is absent. Of repeated headers, the first.
  viaAt = 0;
  viaEnd = 0;
  fromAt = 0;
  fromEnd = 0;
  toAt = 0;
  toEnd = 0;
  callIdAt = 0;
  callIdEnd = 0;
  cseqAt = 0;
  cseqEnd = 0;
  contactAt = 0;
  contactEnd = 0;
  typeAt = 0;
  typeEnd = 0;
  lengthAt = 0;
  lengthEnd = 0;
  maxForwardsAt = 0;
  maxForwardsEnd = 0;
  hasRecordRoute = false;
  hasSeveralVias = false;
  hasSeveralContacts = false;
  /**
   * One bit for each initial letter and each length of header names, with compact forms as their full names, except
   * those in ALWAYS. Most lookups end here.
   */
  initials = 0;
  lengths = 0;
  headersAt = 0;
  /** Position after the empty line; 0: there is none. */
  bodyAt = 0;
  bodyEnd = 0;

  /** The key by which forks of a request are merged, computed on demand (transaction/arrival.ts). */
  mergeKey: string | null = null;
  mergeHash = 0;
  #knownFromTag: string | null = null;
  #knownToTag: string | null = null;
  #knownFrom: string | null = null;
  #knownTo: string | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get isRequest(): boolean {
    return this.status === 0;
  }

  get callId(): string {
    return this.text.slice(this.callIdAt, this.callIdEnd);
  }

  /** '' if absent. */
  get body(): string {
    return this.bodyEnd > this.bodyAt ? this.text.slice(this.bodyAt, this.bodyEnd) : '';
  }

  /** The session description in the body; '' if there is none. */
  get sdp(): string {
    const { body } = this;
    return body === '' || this.isPlainSdp ? body : this.readBody().sdp;
  }

  /** The parts of a body that is not simply a session description. */
  readBody(): ReadBody {
    return readBody(this.body, this.contentType || SUPPORTED_BODY, this.header('content-disposition'));
  }

  /** A body without a type is what the sender of the request supports. */
  get isPlainSdp(): boolean {
    if (this.#mayHave('content-disposition') && this.header('content-disposition') !== null) return false;
    return this.typeEnd === 0 || isWord(this.text, this.typeAt, this.typeEnd, SUPPORTED_BODY);
  }

  /** The `branch` of the topmost Via, '' if absent (RFC 3261, 8.1.1.7). */
  get branch(): string {
    return parameter(this.text, this.viaAt, endOfMember(this.text, this.viaAt, this.viaEnd), 'branch') ?? '';
  }

  /** '' if absent. */
  get fromTag(): string {
    this.#knownFromTag ??= tagOf(this.text, this.fromAt, this.fromEnd);
    return this.#knownFromTag;
  }

  /** '' if absent. */
  get toTag(): string {
    this.#knownToTag ??= this.#readToTag();
    return this.#knownToTag;
  }

  #readToTag(): string {
    return tagOf(this.text, this.toAt, this.toEnd);
  }

  /** The value of Content-Type, '' if absent. */
  get contentType(): string {
    return unfold(this.text.slice(this.typeAt, this.typeEnd));
  }

  get cseqText(): string {
    return unfold(this.text.slice(this.cseqAt, this.cseqEnd));
  }

  /** The value of the first Via header. */
  get via(): string {
    return unfold(this.text.slice(this.viaAt, this.viaEnd));
  }

  get from(): string {
    this.#knownFrom ??= unfold(this.text.slice(this.fromAt, this.fromEnd));
    return this.#knownFrom;
  }

  get to(): string {
    this.#knownTo ??= unfold(this.text.slice(this.toAt, this.toEnd));
    return this.#knownTo;
  }

  /** First value of the header (name in lower case, long form), unfolded; null if it is absent. */
  header(name: string): string | null {
    return this.#scanHeaders(name, null);
  }

  /** The values of all headers of the name, unfolded, in order. */
  headerLines(name: string): readonly string[] {
    if (!this.#mayHave(name)) return NONE;
    const lines: string[] = [];
    this.#scanHeaders(name, lines);
    return lines;
  }

  /** The members of a comma list, over all headers of the name, in order. */
  headerMembers(name: string): readonly string[] {
    const lines = this.headerLines(name);
    if (lines.length === 0) return NONE;
    if (lines.length === 1) return membersOf(lines[0] as string);
    return lines.flatMap(membersOf);
  }

  #mayHave(name: string): boolean {
    const initial = initialBit(name.charCodeAt(0));
    if ((initial & this.initials) !== 0 && (lengthBit(name.length) & this.lengths) !== 0) return true;
    return (initial & INITIALS_OF_ALWAYS) !== 0 && ALWAYS.has(name);
  }

  #scanHeaders(name: string, all: string[] | null): string | null {
    if (!this.#mayHave(name)) return null;
    const text = this.text;
    const compact = compactFormOf(name);
    const stop = this.bodyAt === 0 ? text.length : this.bodyAt;
    let colon = -1;
    for (let at = this.headersAt; at < stop; ) {
      const end = endOfLine(text, at, stop);
      if (colon < at) colon = nextColon(text, at);
      if (colon < end) {
        const nameEnd = trimEnd(text, at, colon);
        if (isWord(text, at, nameEnd, name) || (compact !== '' && isWord(text, at, nameEnd, compact))) {
          const valueAt = skipSpace(text, colon + 1, end);
          const value = unfold(text.slice(valueAt, trimEnd(text, valueAt, end)));
          if (all === null) return value;
          all.push(value);
        }
      }
      at = end + 1;
    }
    return null;
  }
}

/** The tag of a From or To, which usually has no other parameter; '' if absent. */
function tagOf(text: string, at: number, end: number): string {
  const from = parametersOf(text, at, end);
  const valueAt = from + TAG.length;
  const isUsual = valueAt < end && text.startsWith(TAG, from) && isToken(text, valueAt, end);
  return isUsual ? text.slice(valueAt, end) : (parameter(text, from, end, 'tag') ?? '');
}

/**
 * Position of the line feed that ends the header at `at`, including folded lines; `stop` if there is none before it.
 */
export function endOfLine(text: string, at: number, stop: number): number {
  let end = text.indexOf('\n', at);
  while (end >= 0 && end + 1 < stop && isFold(text, end + 1)) end = text.indexOf('\n', end + 1);
  return end < 0 || end >= stop ? stop : end;
}

/** The bit of a letter, ignoring case; other characters share the bits of letters, which is harmless. */
export const initialBit = (code: number): number => 1 << (code & 31);
export const lengthBit = (length: number): number => 1 << (length & 31);

const INITIALS_OF_ALWAYS = [...ALWAYS].reduce((bits, name) => bits | initialBit(name.charCodeAt(0)), 0);

/**
 * Position of the next colon, at any distance; the text's length if there is none. One search serves all lines before
 * it.
 */
export function nextColon(text: string, at: number): number {
  const colon = text.indexOf(':', at);
  return colon < 0 ? text.length : colon;
}

function isFold(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || code === 9;
}
