/**
 * Splits a stream into messages (RFC 3261, 7.5 and 18.3): headers up to an empty line, then Content-Length bytes; the
 * header is required. The result is independent of segmentation. Lines may end with LF, as in datagrams.
 */
import { digits, isWord, skipSpace, trimEnd } from '../message/scan.ts';

/** Limits of header section and body, far above real messages. */
export const MAX_HEADER_BYTES = 64 << 10;
export const MAX_BODY_BYTES = 64 << 10;

const LF = 10;
const CR = 13;
const SP = 32;
const HT = 9;
const ABSENT = -1;

export interface FrameReader {
  /** A whole message. */
  onMessage(text: string): void;
  /** CRLF CRLF between messages: a keep-alive's ping (RFC 5626, 4.4.1). */
  onPing(): void;
  /** The stream cannot be parsed further: `head` is the available part of the message, for an answer if possible. */
  onFault(reason: string, head: string): void;
}

export class Framer {
  readonly #reader: FrameReader;
  #text = '';
  /** Start of the line that is looked at next; 0 between messages. */
  #lineAt = 0;
  #lengthSeen = ABSENT;
  /** End of the message, once its header section is complete. */
  #end = ABSENT;
  #inLength = false;
  #emptyLines = 0;
  #broken = false;

  constructor(reader: FrameReader) {
    this.#reader = reader;
  }

  /** Bytes of an incomplete message. */
  get pendingBytes(): number {
    return this.#text.length;
  }

  /** Accepts data; reports every complete message. */
  push(chunk: string): void {
    if (this.#broken) return;
    this.#text = this.#text === '' ? chunk : this.#text + chunk;
    let at = 0;
    for (;;) {
      if (this.#lineAt === at && this.#end === ABSENT) {
        at = this.#skipLineEnds(at);
        this.#lineAt = at;
      }
      if (this.#end === ABSENT) this.#readHeaders(at);
      if (this.#broken) return;
      if (this.#end === ABSENT || this.#end > this.#text.length) break;
      const message = this.#text.slice(at, this.#end);
      at = this.#end;
      this.#lineAt = at;
      this.#end = ABSENT;
      this.#lengthSeen = ABSENT;
      this.#inLength = false;
      this.#reader.onMessage(message);
      if (this.#broken) return;
    }
    if (at === 0) return;
    this.#text = this.#text.slice(at);
    this.#lineAt -= at;
    if (this.#end !== ABSENT) this.#end -= at;
  }

  /** No more data are needed: the connection is closed. */
  stop(): void {
    this.#broken = true;
    this.#text = '';
  }

  #skipLineEnds(from: number): number {
    const text = this.#text;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LF) {
        this.#emptyLines++;
        if (this.#emptyLines % 2 === 0) this.#reader.onPing();
      } else if (code !== CR) {
        this.#emptyLines = 0;
        return at;
      }
      if (this.#broken) return at;
    }
    return at;
  }

  /** Reads complete lines; a partial line waits for the rest. */
  #readHeaders(start: number): void {
    const text = this.#text;
    while (this.#lineAt < text.length) {
      const lineFeed = text.indexOf('\n', this.#lineAt);
      if ((lineFeed < 0 ? text.length : lineFeed) - start > MAX_HEADER_BYTES) {
        this.#fault(`more than ${MAX_HEADER_BYTES} bytes of headers`, start);
        return;
      }
      if (lineFeed < 0) return;
      const first = text.charCodeAt(this.#lineAt);
      if (first === LF || (first === CR && this.#lineAt + 1 === lineFeed)) {
        this.#close(start, lineFeed + 1);
        return;
      }
      if (first === SP || first === HT) {
        // A folded Content-Length is ambiguous, and only sent as an attack.
        if (this.#inLength) {
          this.#fault('Content-Length spans several lines', start);
          return;
        }
      } else {
        this.#inLength = false;
        const letter = first | 0x20;
        if ((letter === 99 || letter === 108) && !this.#readLength(this.#lineAt, lineFeed, start)) return;
      }
      this.#lineAt = lineFeed + 1;
    }
  }

  /** A line that starts with `c` or `l`; false: the stream cannot be parsed further. */
  #readLength(at: number, lineFeed: number, start: number): boolean {
    const text = this.#text;
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon > lineFeed) return true;
    const nameEnd = trimEnd(text, at, colon);
    const isLength = nameEnd - at === 1 ? isWord(text, at, nameEnd, 'l') : isWord(text, at, nameEnd, 'content-length');
    if (!isLength) return true;
    this.#inLength = true;
    const from = skipSpace(text, colon + 1, lineFeed);
    const length = digits(text, from, trimEnd(text, from, lineFeed));
    if (length < 0) this.#fault('Content-Length is not a number', start);
    else if (length > MAX_BODY_BYTES) this.#fault(`a body of more than ${MAX_BODY_BYTES} bytes`, start);
    else if (this.#lengthSeen !== ABSENT && this.#lengthSeen !== length)
      this.#fault('two different Content-Lengths', start);
    else this.#lengthSeen = length;
    return !this.#broken;
  }

  #close(start: number, bodyAt: number): void {
    if (this.#lengthSeen === ABSENT) {
      this.#lineAt = bodyAt;
      this.#fault('no Content-Length', start);
      return;
    }
    this.#end = bodyAt + this.#lengthSeen;
  }

  #fault(reason: string, start: number): void {
    const head = this.#text.slice(start, this.#lineAt);
    this.stop();
    this.#reader.onFault(reason, head);
  }
}
