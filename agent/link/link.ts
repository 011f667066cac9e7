/**
 * The connection to the control plane: connects, proves the key, sends batches, receives orders, reconnects. Calls
 * continue in the meantime; status and connection times are reported.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  decodeControlFrame,
  encodeAgentFrame,
  MAX_FRAME_BYTES,
  PROTOCOL,
  signedChallenge,
  type wire,
} from '@carillon/proto';
import { step } from '@carillon/proto/base/machine.ts';
import { uuidBytes } from '@carillon/proto/base/uuid.ts';
import { WebSocket } from 'ws';
import { nowMs } from '../clock.ts';
import { backOffMs } from './back-off.ts';
import { BatchWindow } from './batch-window.ts';
import { ClockOffset } from './clock-offset.ts';
import { KeyExchange } from './key-exchange.ts';
import { LINK, type LinkEvent, type LinkState } from './link-machine.ts';
import { type Command, type Hello, type LinkEvents, type LinkOptions, NOBODY } from './link-options.ts';
import { Quarantine } from './quarantine.ts';
import { type WayOut, wayOut } from './way-out.ts';

type AgentFrame = wire.agent.v1.AgentFrame.$Properties;

const SILENCE_MS = 15_000;
const ONLINE_WITHIN_MS = 15_000;
const STABLE_MS = 5000;
/** A close reason that is unrelated to the sent data. */
const LEAVING = 'GOING_AWAY';
/** No worker has this key, and the join token is invalid too. */
const COPIED = 'KEY_COPIED_IN_POOL';
/** The worker is archived. If the farewell that says so is lost, the next greeting is of an unknown agent. */
const LEFT: ReadonlySet<string> = new Set(['LEFT', 'UNKNOWN_AGENT']);
const UNKNOWN: ReadonlySet<string> = new Set(['UNKNOWN_AGENT', 'JOIN_TOKEN_REFUSED']);
/** The status of the upgrade's response if the server does not speak the subprotocol. */
const ANOTHER_PROTOCOL = /\b426\b/;
const ANOTHER_VERSION = `The control plane has another major version: it does not support ${PROTOCOL}. Install the agent of its version.`;
/** The bounds of the retry time that a control plane may set. */
const MAX_NAMED_MS = 120_000;
const QUICK_BEATS = 8;
const QUICK_BEAT_MS = 100;

export class Link {
  readonly clock = new ClockOffset();
  #state: LinkState = LINK.initial;
  #offlineSinceMs = nowMs();
  #ws: WebSocket | null = null;
  #attempts = 0;
  #heardAtMs = 0;
  #greetedAtMs = 0;
  #lastFault = '';
  #tryingAnotherKey = false;
  #welcome: wire.agent.v1.Welcome | null = null;
  #isLeft = false;
  /** Null: the agent stays. */
  #leaving: { readonly isDone: boolean } | null = null;
  #sentPolicy: Hello['policy'];
  #onlineSinceMs = 0;
  /** The control plane has asked for no attempt before this instant. */
  #retryAtMs = 0;
  #retry: NodeJS.Timeout | undefined;
  #beats: NodeJS.Timeout | undefined;
  #overdue: NodeJS.Timeout | undefined;
  readonly #batches: BatchWindow;
  readonly #keys: KeyExchange;
  readonly #way: WayOut;
  readonly #options: LinkOptions;
  #events: LinkEvents = NOBODY;

  /** @throws Error if the environment names a proxy that cannot be used */
  constructor(options: LinkOptions) {
    this.#options = options;
    this.#way = wayOut(options.url, options.ca ?? null);
    const { outbox, identity, log, quarantine = new Quarantine() } = options;
    this.#batches = new BatchWindow({ outbox, quarantine, log, send: (batch) => this.#send({ batch }) });
    this.#keys = new KeyExchange({
      identity,
      log,
      send: (frame) => this.#send(frame),
      onKey: (refused) => this.#events.onKey?.(refused),
    });
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Why the last attempt failed; '': the link has been welcomed since. */
  get lastFault(): string {
    return this.#lastFault;
  }

  /** The control plane has archived this agent's worker, as the agent asked. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Whether the last control plane supports blocks of SIP messages. */
  get takesBlocks(): boolean {
    return this.#welcome?.takesMessageBlocks ?? false;
  }

  /** The last welcome; null: there was none yet. */
  get welcome(): wire.agent.v1.Welcome | null {
    return this.#welcome;
  }

  /** Milliseconds without a control plane; 0 while connected. */
  offlineMs(atMs: number): number {
    return this.#state === 'ONLINE' ? 0 : atMs - this.#offlineSinceMs;
  }

  /** Connects, and reconnects after every loss until it is closed. */
  open(events: LinkEvents): void {
    this.#events = events;
    this.#connect();
  }

  #connect(): void {
    if (!this.#enter('connecting')) return;
    if (!this.#tryingAnotherKey) this.#options.identity.again();
    this.#tryingAnotherKey = false;
    const ws = new WebSocket(this.#options.url, [PROTOCOL], {
      ...this.#way,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: 10_000,
    });
    this.#ws = ws;
    // A server that upgrades but then sends nothing must not block the agent forever.
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => ws.terminate(), this.#options.onlineWithinMs ?? ONLINE_WITHIN_MS);
    this.#heardAtMs = nowMs();
    ws.on('message', (data: Buffer) => this.#receive(ws, data));
    let refused: Error | null = null;
    ws.on('unexpected-response', (_request, { statusCode, headers }) => {
      refused = new Error(`Unexpected server response: ${statusCode}`);
      this.#notBefore(Number(headers['retry-after']) * 1000);
      ws.terminate();
    });
    ws.on('error', (error) => this.#failed(refused ?? error));
    ws.on('close', () => this.#lost(ws));
  }

  /** Sends batches of the outbox within the window. */
  pump(): void {
    if (this.#state === 'ONLINE') this.#batches.pump();
  }

  /** Sends a frame outside the outbox; it is lost if there is no connection. */
  send(frame: AgentFrame): void {
    if (this.#state === 'ONLINE') this.#send(frame);
  }

  /** Closes the link permanently: the agent is stopping. */
  close(): void {
    if (!this.#enter('ended')) return;
    clearTimeout(this.#retry);
    clearTimeout(this.#beats);
    clearTimeout(this.#overdue);
    this.#ws?.close(1000);
  }

  #receive(ws: WebSocket, data: Buffer): void {
    if (ws !== this.#ws) return;
    const atMs = nowMs();
    this.#heardAtMs = atMs;
    try {
      const frame = decodeControlFrame(data);
      if (frame.challenge) this.#greet(frame.challenge as wire.agent.v1.Challenge);
      else if (frame.welcome) this.#welcomed(frame.welcome as wire.agent.v1.Welcome);
      else if (frame.batchReceipt) this.#committed(Number(frame.batchReceipt.number));
      else if (frame.command) this.#ordered(frame.command as Command);
      else if (frame.beat) this.clock.observe(Number(frame.beat.echoUnixMs), Number(frame.beat.unixMs), atMs);
      else if (frame.mediaChunk) this.#events.onMediaChunk?.(frame.mediaChunk as wire.agent.v1.MediaChunk);
      else if (frame.keyReceipt) this.#keys.answered(frame.keyReceipt as wire.agent.v1.KeyReceipt);
      else if (frame.farewell) this.#farewell(frame.farewell as wire.agent.v1.Farewell);
    } catch (error) {
      this.#options.log.error({ error: (error as Error).message }, 'a frame of the control plane could not be handled');
      ws.terminate();
    }
  }

  #greet({ nonce }: wire.agent.v1.Challenge): void {
    if (!this.#enter('challenged')) return;
    const { identity, outbox } = this.#options;
    const signature = identity.sign(signedChallenge(nonce));
    this.#greetedAtMs = nowMs();
    const { publicKey, isNext } = identity;
    // A token must not be spent on a key that may be unknown only because it was never sent.
    const token = isNext || this.#leaving ? { joinToken: '' } : {};
    const self = this.#events.hello();
    this.#sentPolicy = self.policy;
    const { id, forgotten } = outbox;
    const lost = forgotten && { forgotten: { ...forgotten, outboxId: uuidBytes(forgotten.outboxId) } };
    this.#send({ hello: { ...self, ...token, ...lost, publicKey, signature, outboxId: uuidBytes(id) } });
  }

  #welcomed(welcome: wire.agent.v1.Welcome): void {
    if (!this.#enter('welcomed')) return;
    clearTimeout(this.#overdue);
    this.#lastFault = '';
    this.#onlineSinceMs = nowMs();
    // This is the first estimate, accurate to the greeting's round trip; beats refine it.
    this.clock.observe(this.#greetedAtMs, welcome.unixMs, nowMs());
    const lost = this.#batches.resume(Number(welcome.nextBatch));
    if (lost !== null) {
      // The next greeting reports the loss, and starts a new outbox.
      this.#events.onRenumbered?.(lost);
      this.#ws?.close();
      return;
    }
    const beat = () => {
      if (nowMs() - this.#heardAtMs > SILENCE_MS) this.#ws?.terminate();
      else this.#send({ beat: { unixMs: nowMs(), echoUnixMs: 0 } });
    };
    // Beats follow each other quickly at first, as in NTP: the clock is only as good as the best of several exchanges.
    let quick = QUICK_BEATS;
    const next = () => {
      beat();
      const waitMs = quick-- > 0 ? QUICK_BEAT_MS : Math.max(1, welcome.beatSeconds) * 1000;
      this.#beats = setTimeout(next, waitMs);
    };
    clearTimeout(this.#beats);
    next();
    this.#options.log.info({ name: welcome.name, region: welcome.region }, 'connected to the control plane');
    this.#welcome = welcome;
    // What it still has is sent first: it says again when it is done.
    if (this.#leaving) this.#tellLeaving(false);
    this.#events.onWelcome(welcome);
    this.#keys.welcomed();
    this.#presentKey();
    this.tellPolicy();
    this.pump();
  }

  /** Creates a new key and presents it, now or on the next connection; `onKey` reports the result. */
  changeKey(): void {
    if (this.#keys.prepare()) this.#presentKey();
  }

  /** The agent ends for good: no more runs; `isDone`: nothing is left, and its worker may be archived (`isLeft`). May be repeated. */
  leave(isDone: boolean): void {
    this.#leaving = { isDone };
    this.#tellLeaving(isDone);
  }

  #tellLeaving(done: boolean): void {
    if (this.#welcome?.takesLeaving) this.send({ leaving: { done } });
  }

  /** The policy of `hello` has changed. An older control plane would refuse this frame: it gets the next greeting. */
  tellPolicy(): void {
    if (this.#state !== 'ONLINE' || !this.#welcome?.takesKeyChanges) return;
    const { policy } = this.#events.hello();
    if (!policy || isDeepStrictEqual(policy, this.#sentPolicy)) return;
    this.#sentPolicy = policy;
    this.#send({ policy });
  }

  #presentKey(): void {
    if (this.#state === 'ONLINE') this.#keys.present(this.#welcome?.takesKeyChanges ?? false);
  }

  #committed(number: number): void {
    this.#batches.committed(number);
    this.#events.onCommitted(number);
    this.pump();
  }

  #ordered(command: Command): void {
    if (command.changeKey) this.changeKey();
    this.#events.onCommand(command);
    this.#send({ commandReceipt: { id: command.id } });
  }

  /** The control plane sets the retry time, within bounds, so that it cannot keep an agent away for long. */
  #notBefore(afterMs: number): void {
    if (afterMs > 0) this.#retryAtMs = nowMs() + Math.min(afterMs, MAX_NAMED_MS);
  }

  #farewell({ code, message, retry, retryAfterMs }: wire.agent.v1.Farewell): void {
    this.#notBefore(retryAfterMs);
    if (this.#leaving?.isDone && LEFT.has(code)) {
      this.close();
      this.#isLeft = true;
      return;
    }
    if (retry) {
      this.#options.log.warn({ code, message }, 'the control plane ended the connection');
      if (code === COPIED) this.#events.onCopied?.();
      if (code !== LEAVING && this.#state === 'ONLINE') this.#batches.refused();
      return;
    }
    if (UNKNOWN.has(code) && this.#options.identity.unknown()) {
      this.#tryingAnotherKey = true;
      this.#ws?.close();
      return;
    }
    this.close();
    this.#events.onRefused(code, message);
  }

  #lost(ws: WebSocket): void {
    if (ws !== this.#ws) return;
    const wasOnline = this.#state === 'ONLINE';
    if (!this.#enter('lost')) return;
    clearTimeout(this.#beats);
    clearTimeout(this.#overdue);
    if (wasOnline) {
      // A connection that ends immediately is not a success: the back-off continues to grow.
      if (nowMs() - this.#onlineSinceMs > STABLE_MS) this.#attempts = 0;
      this.#offlineSinceMs = nowMs();
      this.#options.log.warn('the connection to the control plane is lost');
    }
    const waitMs = Math.max(backOffMs(this.#attempts++, Math.random()), this.#retryAtMs - nowMs());
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }

  /** Each cause is logged once: operators must see the reason, but not every five seconds. */
  #failed(error: Error): void {
    const { log, url } = this.#options;
    const message = ANOTHER_PROTOCOL.test(error.message) ? ANOTHER_VERSION : error.message;
    if (message === this.#lastFault) log.debug({ error: message }, 'link');
    else log.warn({ url, error: message }, 'the control plane cannot be reached; retrying');
    this.#lastFault = message;
  }

  /** False: the table has no such step, and nothing may happen. */
  #enter(event: LinkEvent): boolean {
    const next = step(LINK.transitions, this.#state, event);
    if (next === null)
      this.#options.log.debug({ state: this.#state, event }, "invalid step of the link's state machine");
    else this.#state = next;
    return next !== null;
  }

  #send(frame: AgentFrame): void {
    if (this.#ws?.readyState === WebSocket.OPEN) this.#ws.send(encodeAgentFrame(frame));
  }
}
