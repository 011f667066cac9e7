/**
 * ICE of one stream over one socket (RFC 8445, without trickle; consent: RFC 7675). There is one component and one
 * base: a pair is a remote candidate, and the answer shows whether the local one is a host or a reflexive candidate.
 * Uses no socket and no clock.
 */
import { type Candidate, type CandidateType, type IceDescription, priorityOf } from '@carillon/media/ice/candidate.ts';
import {
  FAILURE,
  type HmacSha1,
  isAuthentic,
  REQUEST,
  ROLE_CONFLICT,
  readStun,
  type StunMessage,
  SUCCESS,
  writeStun,
} from '@carillon/media/ice/stun.ts';
import { takeStep } from '../../steps.ts';
import type { IceState } from '../figures/stream-memory.ts';
import { type CandidatePair, CheckList } from './check-list.ts';
import { ICE, type IceEvent } from './ice-tables.ts';

type Address = { readonly address: string; readonly port: number };

export type IceOptions = {
  readonly local: { readonly ufrag: string; readonly pwd: string };
  readonly remote: IceDescription;
  readonly controlling: boolean;
  /** The bound address, and the address seen by a STUN server; null: no server was asked, or it did not answer. */
  readonly base: Address;
  readonly reflexive: Address | null;
};

export interface IceEvents {
  readonly hmac: HmacSha1;
  /** Returns a number from 0 to 1, without 1. */
  random(): number;
  send(datagram: Uint8Array, to: Address): void;
  /** Media are sent to this address from now on; null: they are not sent. */
  onRoute(to: Address | null): void;
  /** An authentic check has arrived from an unknown address: `permit` allows an answer. */
  onStranger(from: Address): void;
}

/** Interval of checks (14.2), and before a retransmission, doubled each time (14.3; RFC 8489, 6.2.1). */
const TA_MS = 50;
const RTO_MS = 500;
const MAX_SENDS = 7;
const LAST_WAIT_RTOS = 16;
/** After this time a valid pair is nominated without waiting for better ones, if nominating is up to us (8.1.1). */
const PATIENCE_MS = 300;
/** ICE fails after this time if it has no pairs, and the peer sends no checks. */
const ALONE_MS = 39_500;
/** RFC 7675, 5.1: a request every 4 to 6 s, and silence of 30 s ends it. */
const CONSENT_EVERY_MS = 5000;
const CONSENT_SPREAD = 0.2;
const CONSENT_LASTS_MS = 30_000;

export class IceAgent {
  state: IceState = ICE.initial;
  /** The time from the start to the first valid pair; 0: no pair was valid. */
  connectedAfterMs = 0;
  readonly #options: IceOptions;
  readonly #events: IceEvents;
  readonly #checks: CheckList;
  readonly #startedAtMs: number;
  readonly #permitted: Set<string>;
  readonly #tieBreaker: bigint;
  #controlling: boolean;
  #nextCheckAtMs: number;
  #validAtMs = 0;
  #route: CandidatePair | null = null;
  #consentAtMs = 0;
  #nextConsentAtMs = 0;
  readonly #asked = new Set<string>();

  constructor(options: IceOptions, events: IceEvents, nowMs: number) {
    this.#options = options;
    this.#events = events;
    this.#startedAtMs = nowMs;
    this.#nextCheckAtMs = nowMs;
    // An end that only answers cannot nominate (RFC 8445, 6.1.1).
    this.#controlling = options.controlling || options.remote.lite;
    this.#tieBreaker = (BigInt(this.#word()) << 32n) | BigInt(this.#word());
    this.#checks = new CheckList(options.remote.candidates, this.#controlling);
    this.#permitted = new Set(options.remote.candidates.map(({ address }) => address));
  }

  /** The pair that carries media; null: no pair does. */
  get selected(): { readonly local: CandidateType; readonly localAddress: Address; readonly remote: Candidate } | null {
    const pair = this.#route;
    return pair?.mapped == null ? null : { ...this.#localOf(pair.mapped), remote: pair.remote };
  }

  get destination(): Address | null {
    return this.state === 'LOST' ? null : (this.#route?.remote ?? null);
  }

  /** Whether the session was made for these ends: other credentials mean a restart (RFC 8839, 4.4.1.1.1). */
  isFor({ local, remote }: Pick<IceOptions, 'local' | 'remote'>): boolean {
    const mine = this.#options;
    return mine.local.ufrag === local.ufrag && mine.remote.ufrag === remote.ufrag && mine.remote.pwd === remote.pwd;
  }

  get #isOver(): boolean {
    return this.state === 'FAILED' || this.state === 'LOST';
  }

  permit(address: string): void {
    this.#permitted.add(address);
  }

  /** Sends and handles everything that is due. */
  turn(nowMs: number): void {
    if (this.#isOver) return;
    this.#repeat(nowMs);
    if (nowMs >= this.#nextCheckAtMs) this.#checkNext(nowMs);
    this.#nominate(nowMs);
    this.#keepConsent(nowMs);
    const isAlone = this.#checks.isEmpty ? nowMs - this.#startedAtMs > ALONE_MS : this.#checks.isExhausted;
    if (this.state === 'CHECKING' && isAlone) this.#move('EXHAUSTED');
  }

  #checkNext(nowMs: number): void {
    const pair = this.#checks.next();
    if (pair === null) return;
    this.#nextCheckAtMs = nowMs + TA_MS;
    this.#check(pair, nowMs, false);
  }

  #check(pair: CandidatePair, nowMs: number, nominating: boolean): void {
    const transaction = this.#transaction();
    const request = this.#request(transaction, nominating);
    this.#checks.begin(pair, { transaction, request, nominating, controlling: this.#controlling });
    pair.sends = 1;
    pair.dueAtMs = nowMs + RTO_MS;
    this.#events.send(request, pair.remote);
  }

  #request(transaction: string, nominating: boolean): Uint8Array {
    const { local, remote } = this.#options;
    const message: StunMessage = {
      type: REQUEST,
      transaction,
      username: `${remote.ufrag}:${local.ufrag}`,
      priority: priorityOf('prflx'),
      useCandidate: nominating,
      [this.#controlling ? 'controlling' : 'controlled']: this.#tieBreaker,
    };
    return writeStun(message, this.#events.hmac, remote.pwd);
  }

  #repeat(nowMs: number): void {
    for (const pair of this.#checks.pairs) {
      const { check } = pair;
      if (check === null || nowMs < pair.dueAtMs) continue;
      if (pair.sends === MAX_SENDS) {
        this.#fail(pair);
        continue;
      }
      pair.sends += 1;
      pair.dueAtMs = nowMs + RTO_MS * (pair.sends === MAX_SENDS ? LAST_WAIT_RTOS : 2 ** (pair.sends - 1));
      this.#events.send(check.request, pair.remote);
    }
  }

  #fail(pair: CandidatePair): void {
    this.#checks.fail(pair);
    if (pair === this.#route) this.#choose();
  }

  /** Nominates the best valid pair, once no better one is possible (8.1.1). */
  #nominate(nowMs: number): void {
    if (!this.#controlling || this.state !== 'CONNECTED') return;
    const best = this.#checks.bestValid();
    if (best === null || this.#checks.isNominating) return;
    if (this.#checks.mayBetter(best) && nowMs - this.#validAtMs < PATIENCE_MS) return;
    this.#check(best, nowMs, true);
  }

  #keepConsent(nowMs: number): void {
    const route = this.#route;
    if (route === null) return;
    if (nowMs - this.#consentAtMs > CONSENT_LASTS_MS) {
      this.#move('SILENCE');
      this.#events.onRoute(null);
      return;
    }
    if (nowMs < this.#nextConsentAtMs) return;
    this.#nextConsentAtMs =
      nowMs + CONSENT_EVERY_MS * (1 - CONSENT_SPREAD + 2 * CONSENT_SPREAD * this.#events.random());
    const transaction = this.#transaction();
    this.#asked.add(transaction);
    this.#events.send(this.#request(transaction, false), route.remote);
  }

  /** A datagram that may be STUN. False: it does not belong to this session. */
  take(datagram: Uint8Array, from: Address, nowMs: number): boolean {
    const message = readStun(datagram);
    if (message === null) return false;
    if (message.type === REQUEST) return this.#onRequest(message, datagram, from, nowMs);
    const isAnswer = message.type === SUCCESS || message.type === FAILURE;
    if (!isAnswer || !isAuthentic(datagram, this.#events.hmac, this.#options.remote.pwd)) return false;
    if (this.#asked.has(message.transaction)) return this.#onConsent(message, from, nowMs);
    const pair = this.#checks.of(message.transaction);
    if (pair === null) return false;
    if (!this.#isOver) this.#onAnswer(pair, message, from, nowMs);
    return true;
  }

  #onRequest(message: StunMessage, datagram: Uint8Array, from: Address, nowMs: number): boolean {
    const { local, remote } = this.#options;
    if (message.username !== `${local.ufrag}:${remote.ufrag}`) return false;
    if (!isAuthentic(datagram, this.#events.hmac, local.pwd)) return false;
    if (!this.#permitted.has(from.address)) {
      this.#events.onStranger(from);
      return true;
    }
    if (this.#conflicts(message)) {
      this.#answer(message, { errorCode: ROLE_CONFLICT }, FAILURE, from);
      return true;
    }
    this.#answer(message, { mapped: from }, SUCCESS, from);
    const pair = this.#checks.from(from) ?? this.#checks.learn(from, message.priority ?? priorityOf('prflx'));
    if (pair === null || this.#isOver) return true;
    if (!this.#controlling && message.useCandidate) pair.wanted = true;
    if (pair.state === 'SUCCEEDED') this.#settle(pair);
    else {
      this.#checks.trigger(pair);
      if (nowMs >= this.#nextCheckAtMs) this.#checkNext(nowMs);
    }
    return true;
  }

  #answer(to: StunMessage, more: Partial<StunMessage>, type: number, from: Address): void {
    const message = { type, transaction: to.transaction, ...more };
    this.#events.send(writeStun(message, this.#events.hmac, this.#options.local.pwd), from);
  }

  /**
   * Resolves a role conflict: both ends believe that they have the same role (7.3.1.1). True: the peer has to change
   * its role.
   */
  #conflicts({ controlling = null, controlled = null }: StunMessage): boolean {
    const theirs = this.#controlling ? controlling : controlled;
    if (theirs === null) return false;
    const isOurs = this.#tieBreaker >= theirs;
    if (isOurs === this.#controlling) return true;
    this.#changeRole();
    return false;
  }

  #changeRole(): void {
    this.#controlling = !this.#controlling;
    this.#checks.order(this.#controlling);
  }

  #onAnswer(pair: CandidatePair, message: StunMessage, from: Address, nowMs: number): void {
    const { nominating, controlling } = this.#checks.end(pair, message.transaction);
    if (message.type === FAILURE && message.errorCode === ROLE_CONFLICT) {
      if (controlling === this.#controlling) this.#changeRole();
      this.#checks.trigger(pair);
      return;
    }
    // An answer from another address than the one asked proves no two-way path (7.2.5.2.1).
    const isThere = from.address === pair.remote.address && from.port === pair.remote.port;
    if (message.type === FAILURE || !isThere) {
      this.#fail(pair);
      return;
    }
    this.#checks.succeed(pair, message.mapped ?? this.#options.base);
    if (this.#validAtMs === 0) {
      this.#validAtMs = nowMs;
      this.#nextConsentAtMs = nowMs + CONSENT_EVERY_MS;
      this.connectedAfterMs = Math.max(nowMs - this.#startedAtMs, Number.MIN_VALUE);
    }
    this.#move('VALID');
    this.#consentAtMs = nowMs;
    if (nominating) pair.nominated = true;
    this.#settle(pair);
  }

  /** Handles a success of the pair, or its nomination by the peer. */
  #settle(pair: CandidatePair): void {
    if (pair.wanted) pair.nominated = true;
    if (pair.nominated && this.state === 'CONNECTED') this.#move('NOMINATED');
    this.#choose();
  }

  #choose(): void {
    const best = this.#checks.bestNominated() ?? this.#checks.bestValid();
    if (best === this.#route) return;
    this.#route = best;
    this.#events.onRoute(best === null ? null : best.remote);
  }

  #onConsent(message: StunMessage, from: Address, nowMs: number): boolean {
    this.#asked.delete(message.transaction);
    const { remote } = this.#route ?? {};
    if (message.type !== SUCCESS || from.address !== remote?.address || from.port !== remote.port) return true;
    this.#consentAtMs = nowMs;
    this.#asked.clear();
    return true;
  }

  #localOf(mapped: Address): { local: CandidateType; localAddress: Address } {
    const is = (one: Address | null): boolean => one?.address === mapped.address && one.port === mapped.port;
    const { base, reflexive } = this.#options;
    return { local: is(base) ? 'host' : is(reflexive) ? 'srflx' : 'prflx', localAddress: mapped };
  }

  #move(event: IceEvent): void {
    this.state = takeStep('ice', ICE.transitions, this.state, event) ?? this.state;
  }

  #word(): number {
    return Math.floor(this.#events.random() * 0x1_0000_0000);
  }

  #transaction(): string {
    return String.fromCharCode(...Array.from({ length: 12 }, () => Math.floor(this.#events.random() * 256)));
  }
}
