/** An engine on virtual time with a wire of arrays: tests define what arrives and when, and read what was sent. */
import { Secret } from '@carillon/proto/base/secret.ts';
import type { DatagramPort } from '../../net/datagrams/datagram-port.ts';
import type { Stream, StreamHandler, StreamPort } from '../../net/text/stream-port.ts';
import { CoreEngine } from '../../sip/core/engine.ts';
import { Inbox } from '../../sip/core/ports.ts';
import type {
  ByeDetails,
  CallEvents,
  RegistrationEvents,
  SessionAsker,
  SipEngineOptions,
  SipFailure,
  Traffic,
  UserAgent,
} from '../../sip/engine.ts';
import { type OwnedOptions, withOwner } from './with-owner.ts';

export const LOCAL = { address: '192.0.2.1', port: 5060 };
export const PEER = { address: '192.0.2.2', port: 5070 };

export type SentMessage = {
  readonly atMs: number;
  readonly text: string;
  readonly address: string;
  readonly port: number;
};
export type SeenMessage = Omit<Traffic, 'text'>;

export class VirtualEngine {
  nowMs: number;
  readonly engine: CoreEngine;
  readonly errors: unknown[] = [];
  /** Everything sent so far; tests take messages from its front. */
  readonly sent: SentMessage[] = [];
  readonly traffic: SeenMessage[] = [];
  readonly #inbox = new Inbox();

  constructor(options: Partial<SipEngineOptions> = {}, startMs = 1000, streams: StreamPort | null = null) {
    this.nowMs = startMs;
    const port: DatagramPort = {
      adapter: 'ffi',
      stamps: 'kernel',
      fallbackReason: null,
      ...LOCAL,
      counters: { receiveDrops: 0, truncated: 0, sendErrors: 0, unreachable: 0 },
      send: (text, address, toPort) => this.sent.push({ atMs: this.nowMs, text, address, port: toPort }) > 0,
      poll: () => 0,
      flush: () => undefined,
      close: () => undefined,
    };
    this.engine = new CoreEngine(
      {
        ...LOCAL,
        adapter: 'ffi',
        userAgentName: 'carillon-test',
        mayReach: () => true,
        onUnclaimedCall: () => null,
        onInternalError: (error) => this.errors.push(error),
        ...options,
      },
      port,
      this.#inbox,
      () => this.nowMs,
      streams,
    );
  }

  agent(options: Partial<OwnedOptions> = {}): UserAgent {
    return this.engine.createUserAgent(
      withOwner({
        aor: 'sip:alice@example.net',
        contactUser: 'alice',
        credentials: { username: 'alice', password: new Secret('secret') },
        registrarUri: `sip:${PEER.address}:${PEER.port}`,
        nextHop: null,
        routeSet: [],
        traffic: { onMessage: ({ text: _text, ...seen }) => this.traffic.push(seen) },
        ...options,
      }),
    );
  }

  /** Delivers a datagram and lets the engine have its turn. */
  receive(text: string, from: { address: string; port: number } = PEER): void {
    this.#inbox.portOptions.onDatagram(text, this.nowMs, from.address, from.port);
    this.engine.turn(this.nowMs);
  }

  /** A peer connects; null: it is refused. */
  accept(stream: Stream): StreamHandler | null {
    return this.#inbox.onAccepted(stream, this.nowMs);
  }

  /** The kernel refuses the sent message. */
  refuse(text: string, reason: string): void {
    this.#inbox.portOptions.onSendError(text, PEER.address, PEER.port, reason);
    this.engine.turn(this.nowMs);
  }

  /** Lets time pass, one turn a millisecond. */
  advance(ms: number): void {
    const endMs = this.nowMs + ms;
    this.engine.turn(this.nowMs);
    while (this.nowMs < endMs) {
      this.nowMs++;
      this.engine.turn(this.nowMs);
    }
  }

  /** Lets time pass until something is sent. */
  advanceUntilSent(maxMs: number): void {
    for (let ms = 0; this.sent.length === 0 && ms < maxMs; ms++) this.advance(1);
  }

  /** Takes the next message sent; fails if there is none or it begins otherwise. */
  take(start: string): string {
    this.engine.turn(this.nowMs);
    const next = this.sent.shift();
    if (next === undefined) throw new Error(`nothing was sent, expected ${start}`);
    if (!next.text.startsWith(start)) throw new Error(`expected ${start}, sent was ${next.text.slice(0, 60)}`);
    return next.text;
  }
}

/** First value of a header, by its full name; '' if absent. */
export const headerOf = (text: string, name: string): string =>
  new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(text.split('\r\n\r\n')[0] ?? '')?.[1] ?? '';

export const headersOf = (text: string, name: string): string[] =>
  [...(text.split('\r\n\r\n')[0] ?? '').matchAll(new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'gim'))].map(
    (match) => match[1] ?? '',
  );

export const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

export const branchOf = (text: string): string => /branch=([^;\s]+)/.exec(headerOf(text, 'Via'))?.[1] ?? '';

export const tagOf = (value: string): string => /;tag=([^;\s]+)/.exec(value)?.[1] ?? '';

export type ResponseParts = { toTag?: string; headers?: string[]; body?: string; contact?: string };

/** A correct peer's answer to a request. */
export function responseTo(request: string, status: number, reason: string, parts: ResponseParts = {}): string {
  const to = headerOf(request, 'To');
  const tagged = status === 100 || tagOf(to) !== '' ? to : `${to};tag=${parts.toTag ?? 'peer'}`;
  const body = parts.body ?? '';
  return [
    `SIP/2.0 ${status} ${reason}`,
    ...headersOf(request, 'Via').map((via) => `Via: ${via}`),
    `From: ${headerOf(request, 'From')}`,
    `To: ${tagged}`,
    `Call-ID: ${headerOf(request, 'Call-ID')}`,
    `CSeq: ${headerOf(request, 'CSeq')}`,
    ...(parts.contact === undefined ? [] : [`Contact: ${parts.contact}`]),
    ...(parts.headers ?? []),
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

export type RequestParts = {
  requestUri?: string;
  branch?: string;
  from?: string;
  to?: string;
  callId?: string;
  cseq?: number;
  headers?: string[];
  body?: string;
  contact?: string | null;
  /** Parameters of the Via besides the branch. */
  via?: string;
};

let branches = 0;

/** A request of a correct peer. */
export function requestOf(method: string, parts: RequestParts = {}): string {
  const body = parts.body ?? '';
  branches++;
  return [
    `${method} ${parts.requestUri ?? `sip:alice@${LOCAL.address}:${LOCAL.port}`} SIP/2.0`,
    `Via: SIP/2.0/UDP ${PEER.address}:${PEER.port}${parts.via ?? ';rport'};branch=${parts.branch ?? `z9hG4bKpeer${branches}`}`,
    'Max-Forwards: 70',
    `From: ${parts.from ?? '<sip:bob@example.net>;tag=bob'}`,
    `To: ${parts.to ?? '<sip:alice@example.net>'}`,
    `Call-ID: ${parts.callId ?? 'call-1@peer'}`,
    `CSeq: ${parts.cseq ?? 1} ${method}`,
    ...(parts.contact === null ? [] : [`Contact: ${parts.contact ?? `<sip:bob@${PEER.address}:${PEER.port}>`}`]),
    ...(parts.headers ?? []),
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

export const SDP = (direction = 'sendrecv', address = PEER.address, version = 1): string =>
  [
    'v=0',
    `o=peer 7 ${version} IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    'm=audio 4000 RTP/AVP 0 8',
    `a=${direction}`,
    '',
  ].join('\r\n');

/** Events recorded as `name` followed by what distinguishes one from another. */
export class CallLog implements CallEvents {
  readonly events: string[] = [];
  readonly failures: SipFailure[] = [];
  readonly atMs: number[] = [];
  body = '';
  byeRttMs = 0;

  onInviteSent(atMs: number): void {
    this.note('sent', atMs);
  }
  onProvisional(status: number, _reason: string, atMs: number): void {
    this.note(`provisional ${status}`, atMs);
  }
  onAnswered(atMs: number, status: number, _reason: string, body: string): void {
    this.body = body;
    this.note(`answered ${status}`, atMs);
  }
  onFailed(failure: SipFailure): void {
    this.failures.push(failure);
    this.note(`failed ${failure.kind} ${failure.status}`, failure.atMs);
  }
  readonly byes: (ByeDetails | undefined)[] = [];
  onEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, bye?: ByeDetails): void {
    this.byeRttMs = endedAtMs - byeAtMs;
    this.byes.push(bye);
    this.note(`ended ${by}`, endedAtMs);
  }
  /** Which end began each change of the session. */
  readonly askers: SessionAsker[] = [];
  onSessionOffer?: NonNullable<CallEvents['onSessionOffer']>;
  onSessionChanged(
    _local: string,
    _remote: string,
    offeredBy: 'LOCAL' | 'REMOTE',
    _atMs: number,
    askedBy: SessionAsker,
  ) {
    this.askers.push(askedBy);
    this.note(`changed by ${offeredBy}`, 0);
  }
  onSessionRefused(status: number, _reason: string, atMs: number): void {
    this.note(`refused ${status}`, atMs);
  }
  onSessionRefreshed(by: 'LOCAL' | 'REMOTE', atMs: number): void {
    this.note(`refreshed ${by}`, atMs);
  }
  onSessionExpired(atMs: number): void {
    this.note('expired', atMs);
  }
  onInfoAnswered(status: number, atMs: number): void {
    this.note(`info ${status}`, atMs);
  }
  onInfo(contentType: string, body: string, atMs: number): void {
    this.note(`info ${contentType} ${body}`, atMs);
  }
  onReferProgress(status: number, reason: string, final: boolean, atMs: number): void {
    this.note(`refer ${status} ${reason}${final ? ' final' : ''}`, atMs);
  }
  onRefer?: NonNullable<CallEvents['onRefer']>;
  protected note(event: string, atMs: number): void {
    this.events.push(event);
    this.atMs.push(atMs);
  }
}

export class RegistrationLog implements RegistrationEvents {
  readonly events: string[] = [];
  readonly failures: SipFailure[] = [];

  onRegisterSent(): void {
    this.events.push('sent');
  }
  onRegistered(_atMs: number, expiresSeconds: number): void {
    this.events.push(`registered ${expiresSeconds}`);
  }
  onRefreshed(_atMs: number, expiresSeconds: number): void {
    this.events.push(`refreshed ${expiresSeconds}`);
  }
  onRefreshFailed(failure: SipFailure): void {
    this.failures.push(failure);
    this.events.push(`refresh failed ${failure.kind} ${failure.status}`);
  }
  onRegistrationFailed(failure: SipFailure): void {
    this.failures.push(failure);
    this.events.push(`failed ${failure.kind} ${failure.status}`);
  }
  onUnregistered(): void {
    this.events.push('unregistered');
  }
}
