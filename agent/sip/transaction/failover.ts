/**
 * Requests with several servers, or with servers to be resolved first (RFC 3263, 4.3): resolves them, and if one fails
 * (503, timer B or F, the transport) sends the same request to the next, with a new branch. Requests with one numeric
 * target never get here.
 */
import type { SipLocator, SipTarget } from '../engine.ts';
import { SetAside } from '../locate/set-aside.ts';
import { SilentServers } from '../locate/silent-servers.ts';
import { digits } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';
import { branchOf, readdressed, type Vias, withContact } from '../transport/readdress.ts';
import type { Route } from '../transport/route.ts';
import type { Flow, MessageOwner, SendQueue, SendResult } from '../transport/send-queue.ts';
import type { TableSlot } from './client-table.ts';
import type { ClientTransaction, Servers } from './client-transaction.ts';
import type { ClientUser, SentRequest } from './client-user.ts';

type Unfound = 'DNS' | 'POLICY';

interface RequestLayer {
  readonly sendQueue: SendQueue;
  readonly clock: () => number;
  /** A place for the transaction of a request, which needs it for its branch; `request` must follow. */
  reserve(): TableSlot;
  branchOf(place: TableSlot): string;
  /** Sends a request; returns the transaction, or why nothing was sent. In that case the user is not notified. */
  request(
    method: string,
    place: TableSlot,
    text: string,
    flow: Flow,
    user: ClientUser,
  ): SentRequest | 'POLICY' | 'UNSENDABLE';
}

export class Failover implements Servers {
  /** Null: names cannot be resolved. */
  locator: SipLocator | null = null;
  /** The host's policy on names. */
  mayName: (host: string) => boolean = () => true;
  readonly #layer: RequestLayer;
  readonly #vias: Vias;
  readonly #aside = new SetAside();
  readonly #silent = new SilentServers();
  /** Transactions whose servers are known not to be there; their users' calls have to return first. */
  readonly #unfound: {
    readonly transaction: ClientTransaction;
    readonly reason: string;
    readonly cause: Unfound;
  }[] = [];

  constructor(layer: RequestLayer, vias: Vias) {
    this.#layer = layer;
    this.#vias = vias;
  }

  start(transaction: ClientTransaction, route: Route): SendResult {
    if (route.isFound) {
      this.#sort(route);
      return this.#send(transaction, route);
    }
    const wantedAtMs = this.#layer.clock();
    let result: SendResult = 'QUEUED';
    let isLate = false;
    this.#find(route, (failure, cause) => {
      if (transaction.isOver) return;
      if (failure !== null) {
        this.#unfound.push({ transaction, reason: failure, cause });
        return;
      }
      transaction.onLocated(this.#layer.clock() - wantedAtMs);
      result = this.#send(transaction, route);
      if (isLate && result !== 'QUEUED') transaction.fail(...unsendable(result, route.target));
    });
    isLate = true;
    return result;
  }

  goOn(from: ClientTransaction, route: Route, text: string, user: ClientUser, reason: string): boolean {
    const { callId } = from;
    if (!route.hasNext || user.wantsAnother?.(from) === false) return false;
    while (route.next()) {
      const layer = this.#layer;
      const place = layer.reserve();
      const again = this.#addressed(text, from.owner, from.target, route.target, layer.branchOf(place));
      const flow: Flow = { owner: from.owner, callId, target: route.target, route };
      const result = layer.request(from.method, place, again, flow, user);
      if (typeof result === 'string') continue;
      user.onFailover?.(from, result, reason, layer.clock());
      return true;
    }
    return false;
  }

  setAside(target: SipTarget, response: SipMessage): void {
    // A comment and parameters may follow (20.33).
    const value = response.header('retry-after')?.split(/[\s;(]/, 1)[0] ?? '';
    const seconds = digits(value, 0, value.length);
    if (seconds > 0) this.#aside.put(target, seconds, this.#layer.clock());
  }

  /** It did not answer at all. */
  fellSilent(target: SipTarget): void {
    this.#silent.put(target, this.#layer.clock());
  }

  answers(target: SipTarget): void {
    this.#silent.heard(target);
  }

  /** Before the first attempt. Paused servers come after silent ones. */
  #sort(route: Route): void {
    const nowMs = this.#layer.clock();
    route.sort((targets) => this.#aside.order(this.#silent.order(targets, nowMs), nowMs));
  }

  /** Sends an ACK to a 2xx, which no transaction has (RFC 3261, 13.2.2.4), as soon as its servers are found. */
  acknowledge(flow: Flow, text: string, repeated: boolean): SendResult {
    const { sendQueue } = this.#layer;
    const route = flow.route ?? null;
    if (route === null) return sendQueue.sendRequest(flow, 'ACK', text, repeated, null);
    let result: SendResult = 'QUEUED';
    const from = flow.target;
    const send = (): void => {
      const again = this.#addressed(text, flow.owner, from, route.target, branchOf(text));
      result = sendQueue.sendRequest(flow, 'ACK', again, repeated, null);
    };
    if (route.isFound) send();
    else
      this.#find(route, (failure) => {
        if (failure === null) send();
      });
    return result;
  }

  /** Reports servers that were not found; called by the turn. */
  tell(): void {
    while (this.#unfound.length > 0) {
      const next = this.#unfound.shift();
      next?.transaction.fail(next.reason, next.cause);
    }
  }

  #find(route: Route, done: (failure: string | null, cause: Unfound) => void): void {
    const host = hostOf(route.uri);
    if (!this.mayName(host)) {
      done(`the host's policy forbids the domain ${host}`, 'POLICY');
      return;
    }
    if (this.locator === null) {
      done(route.take('this engine has no resolver'), 'DNS');
      return;
    }
    this.locator.locate(route.uri, (found) => {
      // Another request of the same dialog may have found them meanwhile.
      const failure = route.isFound ? null : route.take(found);
      if (failure === null) this.#sort(route);
      done(failure, 'DNS');
    });
  }

  /** Selects the next server if the policy forbids one, or nothing can be sent to it. */
  #send(transaction: ClientTransaction, route: Route): SendResult {
    for (;;) {
      const { target, owner, request } = transaction;
      if (target !== route.target) {
        const text = this.#addressed(request, owner, target, route.target, branchOf(request));
        transaction.readdress(route.target, text);
      }
      const result = transaction.send();
      if (result === 'QUEUED' || !route.next()) return result;
    }
  }

  #addressed(text: string, owner: MessageOwner, from: SipTarget, to: SipTarget, branch: string): string {
    const again = readdressed(text, this.#vias, to.transport, branch);
    if (from.transport === to.transport || owner.reachedBy === undefined) return again;
    return withContact(again, owner.reachedBy(to.transport));
  }
}

/** '' if it is not a SIP URI. */
function hostOf(text: string): string {
  const uri = parseUri(text);
  return typeof uri === 'string' ? '' : uri.host;
}

const unsendable = (result: 'POLICY' | 'UNSENDABLE', { address }: SipTarget): [string, 'POLICY' | 'TRANSPORT'] =>
  result === 'POLICY'
    ? [`the host's policy forbids ${address}`, 'POLICY']
    : [`${address} cannot be sent to from this socket, or the message is too long for UDP`, 'TRANSPORT'];
