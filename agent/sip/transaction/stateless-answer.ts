/**
 * Final responses without a transaction (RFC 3261, 8.2.7): no state, no retransmission; the ACK is recognized by the
 * tag, which is equal for every copy of the request. They are not traced. A datagram's source may be forged: responses
 * are hardly larger than the request, and limited per second.
 */
import { bodyText, responseText } from '../message/build.ts';
import { hashOf } from '../text-table.ts';
import { NOBODY, type SendQueue } from '../transport/send-queue.ts';
import type { Arrival } from './arrival.ts';
import { callAndSequence, responseTarget, viaToTo } from './response-head.ts';

/** To one source. */
export const ANSWERS_A_SECOND = 100;
/** The octets by which an answer may be larger than its request: it adds `received`, a port and a tag (docs/decisions.md, Answers to strangers). */
export const SLACK_OCTETS = 72;
/** Sources share a count where their hashes agree. */
const COUNTS = 1024;

/** `headers`: whole lines. */
export type Contents = { readonly headers: string; readonly body?: string; readonly contentType?: string };

const NOTHING: Contents = { headers: '' };

export class StatelessAnswers {
  readonly #sendQueue: SendQueue;
  readonly #counts = new Uint16Array(COUNTS);
  #second = 0;

  constructor(sendQueue: SendQueue) {
    this.#sendQueue = sendQueue;
  }

  /** Sends it with the first of `contents` that makes it no larger than the request, or with none. False: it was withheld. */
  send(arrival: Arrival, status: number, reason: string, ...contents: readonly Contents[]): boolean {
    const { request, via, source, atMs } = arrival;
    const { callId, method } = request;
    const text = source.transport === 'UDP' ? this.#fitting(arrival, status, reason, contents) : null;
    if (source.transport === 'UDP' && (text === null || !this.#mayAnswer(source.address, atMs))) return false;
    const flow = { owner: NOBODY, callId, target: responseTarget(via, source) };
    const whole = text ?? written(arrival, status, reason, contents[0] ?? NOTHING);
    this.#sendQueue.sendResponse(flow, method, { status, reason, text: whole }, false);
    return true;
  }

  #fitting(arrival: Arrival, status: number, reason: string, contents: readonly Contents[]): string | null {
    const most = arrival.request.text.length;
    for (const one of contents) {
      const text = written(arrival, status, reason, one);
      if (text.length <= most) return text;
    }
    for (const phrase of [reason, reason.split(' (', 1)[0] as string, '']) {
      const bare = compact(written(arrival, status, phrase, NOTHING));
      if (bare.length <= most + SLACK_OCTETS) return bare;
    }
    return null;
  }

  #mayAnswer(address: string, atMs: number): boolean {
    const second = Math.floor(atMs / 1000);
    if (second !== this.#second) this.#counts.fill(0);
    this.#second = second;
    const slot = (hashOf(address) >>> 0) % COUNTS;
    if (this.#counts[slot]! >= ANSWERS_A_SECOND) return false;
    this.#counts[slot]! += 1;
    return true;
  }
}

function written({ request, via, source, hash }: Arrival, status: number, reason: string, contents: Contents): string {
  // A request of an unknown dialog has a tag.
  const tag = request.toTag === '' ? `;tag=${statelessTag(hash)}` : '';
  const head = `${viaToTo(request, via, source)}${tag}${callAndSequence(request.callId, request)}`;
  return responseText(status, reason, head, contents.headers, bodyText(contents.body ?? '', contents.contentType));
}

const COMPACT: Readonly<Record<string, string>> = {
  Via: 'v',
  From: 'f',
  To: 't',
  'Call-ID': 'i',
  'Content-Length': 'l',
};

/** The text with the short names of header fields (RFC 3261, 7.3.3). */
const compact = (text: string): string =>
  text.replace(/\r\n(Via|From|To|Call-ID|Content-Length): /g, (_, name: string) => `\r\n${COMPACT[name]}: `);

/** `hash`: of the key of the server transaction that does not exist. */
export const statelessTag = (hash: number): string => `n${(hash >>> 0).toString(36)}`;
