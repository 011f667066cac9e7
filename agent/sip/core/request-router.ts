/**
 * Routes a received request: a repetition, a dialog's, a user agent's, or none; and answers requests that no call and
 * no user agent has to see (RFC 3261, 8.2 and 9.2).
 */
import { BaseCall } from '../dialog/base-call.ts';
import { contactOf } from '../dialog/dialog.ts';
import { ReceivedCall } from '../dialog/incoming-call.ts';
import { knowsOption, RELIABLE, requiresOption } from '../dialog/reliable-responses.ts';
import { REPLACES, replacedCall } from '../dialog/replaces.ts';
import { answerInDialog } from '../dialog/within/in-dialog.ts';
import { isTooShort, termsFor, tooShortLine } from '../dialog/within/session-expires.ts';
import type { SipEngineCounters, SipEngineOptions, SipTarget } from '../engine.ts';
import { ACCEPTED_BODIES } from '../message/build.ts';
import { ALLOWED_METHODS, isMailboxNotice } from '../message/methods.ts';
import { ownText } from '../message/own-text.ts';
import { rememberLast } from '../message/remember-last.ts';
import { checkRequest } from '../message/request-check.ts';
import { endOfMember } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';
import { parseVia, type Via } from '../message/via.ts';
import { headerText } from '../message/wire-text.ts';
import { hashOf } from '../text-table.ts';
import { type Arrival, serverKey } from '../transaction/arrival.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import { type Contents, StatelessAnswers, statelessTag } from '../transaction/stateless-answer.ts';
import { type MessageOwner, NOBODY } from '../transport/send-queue.ts';
import type { Core } from './core.ts';
import { CoreUserAgent } from './user-agent.ts';

/** Option tags that a request may require; extensions add theirs here. */
const SUPPORTED_OPTIONS: ReadonlySet<string> = new Set([RELIABLE, REPLACES, 'timer', 'norefersub']);

/** Returns a request to its sender as received, to show changes on its way (`carillon-agent doctor`). */
const FRAGMENT = 'message/sipfrag';
const acceptsFragment = (request: SipMessage): boolean =>
  request.headerMembers('accept').some((one) => one.trim().toLowerCase() === FRAGMENT);
/** The sender does not want the rest back: it only lets the answer be no larger than the request. */
const PADDING = '\r\na=x-padding:';
/** Contents of an answer to OPTIONS in addition to Allow and Supported (11.2). */
const ACCEPTED = `Accept: ${ACCEPTED_BODIES}\r\nAccept-Encoding: identity\r\nAccept-Language: en\r\n`;

export class RequestRouter {
  readonly #core: Core<CoreUserAgent>;
  readonly #counters: SipEngineCounters;
  readonly #owner: Pick<SipEngineOptions, 'onUnclaimedCall' | 'onStranger'>;
  readonly #serverLine: string;
  readonly #answers: StatelessAnswers;

  constructor(
    core: Core<CoreUserAgent>,
    counters: SipEngineCounters,
    owner: Pick<SipEngineOptions, 'onUnclaimedCall' | 'onStranger'>,
  ) {
    this.#core = core;
    this.#counters = counters;
    this.#owner = owner;
    this.#serverLine = `Server: ${headerText(core.userAgentName)}\r\n`;
    this.#answers = new StatelessAnswers(core.layer.sendQueue);
  }

  receive(request: SipMessage, atMs: number, source: SipTarget): void {
    const { text, viaAt, viaEnd } = request;
    const via = parseVia(text.slice(viaAt, endOfMember(text, viaAt, viaEnd)));
    if (via === null || !isAnswerable(request)) {
      this.#counters.malformed++;
      return;
    }
    if (request.method === 'ACK') {
      this.#receiveAck(request, via, atMs, source);
      return;
    }
    const key = serverKey(request, via, request.method);
    const hash = hashOf(key);
    const arrival: Arrival = { request, via, key, hash, source, atMs };
    const { layer } = this.#core;
    const known = layer.serverOf(key, hash) ?? layer.answeredOf(key, hash);
    if (known !== null) {
      layer.observe(known, request, true, atMs, source);
      known.receiveAgain();
    } else if (!layer.sendQueue.allows(source.address)) {
      layer.sendQueue.refusedByPolicy++;
    } else {
      this.#receiveNew(arrival);
    }
  }

  #receiveNew(arrival: Arrival): void {
    const { request } = arrival;
    const call = request.toTag === '' ? null : this.#core.calls.get(request.toTag);
    const refusal = checkRequest(request, arrival.via, SUPPORTED_OPTIONS, call?.agent.contactUri);
    if (refusal !== null) {
      this.#refuse(arrival, refusal.status, refusal.reason, refusal.headers);
    } else if (request.method === 'CANCEL') {
      this.#receiveCancel(arrival);
    } else if (request.toTag !== '') {
      this.#receiveInDialog(arrival, call);
    } else if (this.#core.layer.isMerged(request)) {
      this.#refuse(arrival, 482, 'Loop Detected');
    } else {
      this.#receiveOutOfDialog(arrival);
    }
  }

  #receiveOutOfDialog(arrival: Arrival): void {
    const { request } = arrival;
    switch (request.method) {
      case 'INVITE':
        this.#receiveCall(arrival);
        break;
      case 'OPTIONS': {
        // The endpoint that would take the call answers (11.2).
        const isForUs = userOf(request.requestUri) === '';
        const agent = this.#agentOf(request) ?? (isForUs ? null : this.#takerOf(arrival));
        if (agent === null && !isForUs) {
          this.#counters.unclaimed++;
          this.#refuse(arrival, 404, 'Not Found');
          break;
        }
        if (agent?.isBusy) {
          this.#refuse(arrival, 486, 'Busy Here');
          break;
        }
        this.#answerOptions(arrival, agent);
        break;
      }
      case 'NOTIFY': {
        const agent = isMailboxNotice(request) ? this.#agentOf(request) : null;
        if (agent?.takesFrom(arrival.source.address))
          this.#open(arrival, agent).respond(200, 'OK', this.#serverLine, '');
        else this.#refuse(arrival, 481, 'Call/Transaction Does Not Exist');
        break;
      }
      default:
        this.#refuse(arrival, 481, 'Call/Transaction Does Not Exist');
    }
  }

  #answerOptions(arrival: Arrival, agent: CoreUserAgent | null): void {
    const { request, source } = arrival;
    const headers =
      (agent?.headers.answer ?? `Allow: ${ALLOWED_METHODS}\r\nSupported:\r\n${this.#serverLine}`) + ACCEPTED;
    const body = acceptsFragment(request) ? (request.text.split(PADDING, 1)[0] as string) : '';
    const contentType = FRAGMENT;
    if (agent?.takesFrom(source.address)) this.#open(arrival, agent).respond(200, 'OK', headers, body, contentType);
    else
      this.#answerStranger(
        arrival,
        200,
        'OK',
        { headers, body, contentType },
        { headers: '', body, contentType },
        { headers },
      );
  }

  #receiveCall(arrival: Arrival): void {
    const { request } = arrival;
    const replaced = replacedCall(request, (tag) => this.#core.calls.get(tag));
    if (replaced !== null && !(replaced instanceof BaseCall)) {
      this.#refuse(arrival, replaced.status, replaced.reason);
      return;
    }
    const talking = replaced?.agent instanceof CoreUserAgent ? replaced.agent : null;
    const named = this.#agentOf(request);
    if (talking === null && named !== null && !named.takesFrom(arrival.source.address)) {
      this.#turnAway(arrival, 403, 'Forbidden');
      return;
    }
    const agent = (named ?? talking ?? this.#takerOf(arrival))?.taker ?? null;
    if (talking !== null && talking !== agent) {
      this.#refuse(arrival, 481, 'Call/Transaction Does Not Exist');
      return;
    }
    if (agent === null) {
      this.#turnAway(arrival, 404, 'Not Found');
      return;
    }
    const contact = contactOf(request);
    if (contact === null) {
      this.#refuse(arrival, 400, 'Bad Request (INVITE without a usable Contact)');
      return;
    }
    const { reliableProvisional } = agent.signalling;
    if (reliableProvisional === 'NONE' && requiresOption(request, RELIABLE)) {
      this.#refuse(arrival, 420, 'Bad Extension', `Unsupported: ${RELIABLE}\r\n`);
      return;
    }
    if (reliableProvisional === 'REQUIRED' && !knowsOption(request, RELIABLE)) {
      this.#refuse(arrival, 421, 'Extension Required', `Require: ${RELIABLE}\r\n`);
      return;
    }
    agent.heardBy(arrival.source.transport, request);
    const transaction = this.#open(arrival, agent);
    const terms = termsFor(request, agent.signalling.sessionTimer);
    if (isTooShort(terms)) {
      transaction.respond(422, 'Session Interval Too Small', tooShortLine(terms) + this.#serverLine, '');
      return;
    }
    const call = new ReceivedCall(agent, arrival, transaction, { contact, terms, replaces: replaced });
    agent.hold(call);
    agent.attach(call);
    try {
      call.begin(agent.offer(call));
    } catch (error) {
      call.reject(500, 'Server Internal Error');
      throw error;
    }
    if (!transaction.hasResponded && call.state !== 'ENDED') respondTrying(transaction, request);
  }

  #receiveCancel(arrival: Arrival): void {
    const { request, via } = arrival;
    const { layer } = this.#core;
    const key = serverKey(request, via, 'INVITE');
    const invite = layer.serverOf(key) ?? layer.answeredOf(key);
    if (invite === null) {
      this.#refuse(arrival, 481, 'Call/Transaction Does Not Exist');
      return;
    }
    this.#open(arrival, invite.owner, invite.localTag).respond(200, 'OK', this.#serverLine, '');
    invite.user?.onCancel(arrival.request, arrival.atMs);
  }

  #receiveInDialog(arrival: Arrival, call: BaseCall | null): void {
    const { request } = arrival;
    const dialog = call?.dialogWith(request.fromTag) ?? null;
    if (call === null || dialog === null || dialog.callId !== request.callId) {
      this.#refuse(arrival, 481, 'Call/Transaction Does Not Exist');
      return;
    }
    const transaction = this.#open(arrival, call.agent, call.localTag, call.callId);
    answerInDialog(call, dialog, transaction, request, arrival.atMs);
  }

  #receiveAck(request: SipMessage, via: Via, atMs: number, source: SipTarget): void {
    const { layer, calls } = this.#core;
    const found = calls.get(request.toTag);
    const isOurs = found?.dialog?.callId === request.callId && found.dialog.remoteTag === request.fromTag;
    const call = isOurs ? found : null;
    const pending = call?.dialog?.unacknowledged?.cseq === request.cseq;
    // The usual ACK, to a 2xx, belongs to no transaction (13.2.2.4): no lookup.
    const key = pending ? '' : serverKey(request, via, 'INVITE');
    const hash = pending ? 0 : hashOf(key);
    const transaction = pending ? null : layer.serverOf(key, hash);
    if (transaction !== null && transaction.state !== 'ACCEPTED') {
      layer.observe(transaction, request, transaction.state !== 'COMPLETED', atMs, source);
      transaction.receiveAck();
    } else if (request.fault !== null) {
      this.#counters.malformed++;
    } else if (call !== null) {
      layer.observe(call, request, !pending, atMs, source);
      call.receiveAck(request, atMs);
    } else if (request.toTag !== statelessTag(hash)) {
      this.#counters.unmatched++;
    }
  }

  /** An INVITE of an unknown peer: SIP scanners must cost no memory. */
  #turnAway(arrival: Arrival, status: number, reason: string): void {
    const { request, source } = arrival;
    this.#counters.unclaimed++;
    this.#answerStranger(arrival, status, reason, { headers: this.#serverLine });
    this.#owner.onStranger?.(request.requestUri, source);
  }

  #answerStranger(arrival: Arrival, status: number, reason: string, ...contents: readonly Contents[]): void {
    if (!this.#answers.send(arrival, status, reason, ...contents)) this.#counters.withheld++;
  }

  #refuse(arrival: Arrival, status: number, reason: string, lines = ''): void {
    const owner = this.#ownerOf(arrival);
    const headers = lines + this.#serverLine;
    if (owner === NOBODY) this.#answerStranger(arrival, status, reason, { headers }, { headers: lines });
    else this.#open(arrival, owner).respond(status, reason, headers, '');
  }

  /** `localTag`, `callId`: strings that a call already has, so that a transaction does not keep copies. */
  #open(
    arrival: Arrival,
    owner: MessageOwner,
    localTag = this.#core.identifiers.tag(),
    callId = ownText(arrival.request.callId),
  ): ServerTransaction {
    const { layer } = this.#core;
    const transaction = layer.accept(arrival, owner, localTag, callId);
    layer.observe(transaction, arrival.request, false, arrival.atMs, arrival.source);
    return transaction;
  }

  /** The trace for a request that is refused before an endpoint takes it; NOBODY: unknown peer. */
  #ownerOf({ request, source }: Arrival): MessageOwner {
    const named = this.#agentOf(request);
    return (named?.takesFrom(source.address) ? named : this.#core.calls.get(request.toTag)?.agent) ?? NOBODY;
  }

  #agentOf(request: SipMessage): CoreUserAgent | null {
    return this.#core.userAgents.get(userOf(request.requestUri));
  }

  #takerOf({ request, source }: Arrival): CoreUserAgent | null {
    const taker = this.#owner.onUnclaimedCall(request.requestUri, source);
    const isOurs = taker instanceof CoreUserAgent && this.#core.userAgents.get(taker.contactUser) === taker;
    return isOurs ? taker : null;
  }
}

/** A response copies Via, From, To, Call-ID and CSeq (8.2.6.2): without them there is none. */
const isAnswerable = (request: SipMessage): boolean =>
  request.fromEnd > 0 && request.toEnd > 0 && request.callIdEnd > 0 && request.cseqEnd > 0;

/**
 * Stops the peer's retransmissions while the application decides. Not needed if it rings or answers at once: 100 is for
 * a UAS that stays silent for 200 ms (RFC 3261, 17.2.1).
 */
function respondTrying(transaction: ServerTransaction, request: SipMessage): void {
  const timestamp = request.header('timestamp');
  transaction.respond(100, 'Trying', timestamp === null ? '' : `Timestamp: ${timestamp}\r\n`, '');
}

/** User part of a Request-URI, unescaped; '' if there is none. */
const userOf = rememberLast((requestUri) => {
  const uri = parseUri(requestUri);
  if (typeof uri === 'string') return '';
  return /[\x80-\xff]/.test(uri.user) ? Buffer.from(uri.user, 'latin1').toString('utf8') : uri.user;
});
