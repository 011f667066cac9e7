/**
 * A user agent's way to its server: finds it (RFC 3263), opens a WebSocket when there is something to say, goes to the next one
 * where that fails, and tells what is lost with it.
 */
import { isIP } from 'node:net';
import type { ConnectionOpened, SipLocator, SipTarget, TlsSettings } from '../../engine.ts';
import { DEFAULT_PORTS } from '../../locate/transport-choice.ts';
import { isFarewell } from '../../message/methods.ts';
import { parseMessage } from '../../message/parse.ts';
import { parameter } from '../../message/scan.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { parseUri } from '../../message/uri.ts';
import type { TimerWheel } from '../../timer-wheel.ts';
import type { Loss } from '../stack.ts';
import { SipWebSocket } from './web-socket.ts';

export interface LineOwner {
  onOpened(opened: ConnectionOpened): void;
  onLocated(tookMs: number): void;
  /** A server could not be reached, and the next one is tried. */
  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void;
  onSent(text: string, atMs: number, target: SipTarget): void;
  onText(text: string, atMs: number, target: SipTarget): void;
  /** The policy of by now does not let it go there. */
  onForbidden(message: SipMessage, address: string): void;
  /** No server could be reached, or the connection broke: what was under way will not be answered. */
  onLost(loss: Loss, atMs: number): void;
}

/** What the lines of an engine share. */
export type LineMaker = {
  readonly localAddress: string;
  readonly wheel: TimerWheel;
  readonly clock: () => number;
  readonly locator: SipLocator | null;
  /** By the policy of now. */
  maySend(isFarewell: boolean, address: string): boolean;
  wake(socket: SipWebSocket): void;
};

export type LineOptions = {
  /** Where to; null: to the servers of `uri`. */
  readonly targets: readonly SipTarget[] | null;
  readonly uri: string;
  readonly tls: TlsSettings | null;
};

const MOST_WAITING = 256;

export class Line {
  readonly #maker: LineMaker;
  readonly #options: LineOptions;
  readonly #owner: LineOwner;
  #socket: SipWebSocket | null = null;
  /** Servers that are left to try. */
  #left: SipTarget[] = [];
  #isSeeking = false;
  #isOpen = false;
  #isClosed = false;
  readonly #waiting: string[] = [];

  constructor(maker: LineMaker, options: LineOptions, owner: LineOwner) {
    this.#maker = maker;
    this.#options = options;
    this.#owner = owner;
  }

  /** False: it is lost at once. A server that has to be found or opened first is told of by the owner's events. */
  send(text: string): boolean {
    if (this.#isClosed) return false;
    if (this.#isOpen && this.#socket !== null) return this.#pass(text, this.#socket);
    if (this.#waiting.length === MOST_WAITING) return false;
    this.#waiting.push(text);
    if (!this.#isSeeking && this.#socket === null) this.#seek();
    return true;
  }

  /** For good: nothing more is told, and nothing is opened any more. */
  close(): void {
    this.#isClosed = true;
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#waiting.length = 0;
    socket?.close();
  }

  /** The policy is asked each time: it may have changed since the connection was opened. */
  #pass(text: string, socket: SipWebSocket): boolean {
    const { address } = socket.target;
    const message = parseMessage(text);
    if (message === null || this.#maker.maySend(isFarewell(message.method, text), address)) return socket.send(text);
    this.#owner.onForbidden(message, address);
    return false;
  }

  #seek(): void {
    const { targets, uri } = this.#options;
    this.#isSeeking = true;
    if (targets !== null) {
      this.#left = [...targets];
      this.#tryNext('');
      return;
    }
    const numeric = numericTarget(uri);
    if (numeric !== null || this.#maker.locator === null) {
      this.#left = numeric === null ? [] : [numeric];
      this.#tryNext(`${uri} needs a DNS, and there is none here`);
      return;
    }
    const beganAtMs = this.#maker.clock();
    this.#maker.locator.locate(uri, (found) => {
      if (this.#isClosed) return;
      this.#owner.onLocated(this.#maker.clock() - beganAtMs);
      if (typeof found === 'string') this.#lose({ kind: 'DNS', reason: found });
      else {
        this.#left = [...found];
        this.#tryNext(`no server of ${uri}`);
      }
    });
  }

  #tryNext(reason: string): void {
    if (this.#isClosed) return;
    const target = this.#left.shift();
    if (target === undefined) this.#lose({ kind: 'TRANSPORT', reason });
    else if (target.transport !== 'WS' && target.transport !== 'WSS')
      this.#lose({
        kind: 'TRANSPORT',
        reason: `${target.transport} to ${target.address}: sip.js speaks WS and WSS alone`,
      });
    else if (!this.#maker.maySend(false, target.address))
      this.#lose({ kind: 'POLICY', reason: `the policy of this host forbids ${target.address}` });
    else this.#open(target);
  }

  #open(target: SipTarget): void {
    const { tls, uri } = this.#options;
    const { localAddress, wheel } = this.#maker;
    try {
      const socket: SipWebSocket = new SipWebSocket(
        target,
        { path: pathOf(uri), tls, localAddress, wheel, wake: (one) => this.#maker.wake(one) },
        {
          onOpen: (opened) => {
            if (this.#socket !== socket) return;
            this.#isOpen = true;
            this.#isSeeking = false;
            this.#owner.onOpened(opened);
            for (const text of this.#waiting.splice(0)) this.#pass(text, socket);
          },
          onSent: (text, atMs) => this.#owner.onSent(text, atMs, target),
          onText: (text, atMs) => this.#owner.onText(text, atMs, target),
          onClosed: (reason, atMs) => this.#closed(socket, target, reason, atMs),
        },
      );
      this.#socket = socket;
    } catch (error) {
      this.#lose({ kind: 'TRANSPORT', reason: (error as Error).message });
    }
  }

  #closed(socket: SipWebSocket, target: SipTarget, reason: string, atMs: number): void {
    if (this.#socket !== socket) return;
    const why = `${target.transport} to ${target.address}: ${reason}`;
    const next = this.#isOpen ? undefined : this.#left[0];
    this.#socket = null;
    this.#isOpen = false;
    if (next === undefined) this.#lose({ kind: 'TRANSPORT', reason: why });
    else {
      this.#owner.onFailover(target, next, why, atMs);
      this.#tryNext(why);
    }
  }

  #lose(loss: Loss): void {
    this.#isSeeking = false;
    this.#left = [];
    this.#waiting.length = 0;
    this.#owner.onLost(loss, this.#maker.clock());
  }
}

/** `ws-path` of the URI: some servers speak SIP at a path of their own. No standard has a place for it. */
function pathOf(uri: string): string {
  const path = parameterOf(uri, 'ws-path');
  return path?.startsWith('/') ? path : '/';
}

/** WS or WSS: what the URI says, else nothing else would do. */
export const protocolOf = (uri: string): 'WS' | 'WSS' =>
  parameterOf(uri, 'transport')?.toLowerCase() === 'wss' || /^sips:/i.test(uri) ? 'WSS' : 'WS';

function parameterOf(text: string, name: string): string | null {
  const uri = parseUri(text);
  return typeof uri === 'string' ? null : parameter(uri.parameters, 0, uri.parameters.length, name);
}

function numericTarget(text: string): SipTarget | null {
  const uri = parseUri(text);
  if (typeof uri === 'string' || isIP(uri.host) === 0) return null;
  const transport = protocolOf(text);
  return { transport, address: uri.host, port: uri.port || DEFAULT_PORTS[transport] };
}
