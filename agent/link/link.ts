/**
 * The connection to the control plane: connects, proves the key, sends batches, receives orders, reconnects. Calls
 * continue meanwhile; status and connection times are reported.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  decodeControlFrame,
  encodeAgentFrame,
  MAX_FRAME_BYTES,
  PROTOCOL,
  signedChallenge,
  signedKeyChange,
  type wire,
} from '@carillon/proto';
import { step } from '@carillon/proto/machine.ts';
import { WebSocket } from 'ws';
import { nowMs } from '../clock.ts';
import { backOffMs } from './back-off.ts';
import { ClockOffset } from './clock-offset.ts';
import { LINK, type LinkEvent, type LinkState } from './link-machine.ts';
import { type Command, type Hello, type LinkEvents, type LinkOptions, NOBODY } from './link-options.ts';
import { Quarantine } from './quarantine.ts';
import { uuidBytes } from './uuid.ts';
import { type WayOut, wayOut } from './way-out.ts';

type AgentFrame = wire.agent.v1.AgentFrame.$Properties;

/** Most batches in flight without a commit: a window that protects a slow database. */
const WINDOW = 8;
const SILENCE_MS = 15_000;
const ONLINE_WITHIN_MS = 15_000;
const STABLE_MS = 5000;
/** A farewell that is unrelated to the sent data. */
const LEAVING = 'GOING_AWAY';
/** No worker has this key, and the join token is invalid too. */
const UNKNOWN: ReadonlySet<string> = new Set(['UNKNOWN_AGENT', 'JOIN_TOKEN_REFUSED']);
/** The upgrade's answer to a subprotocol that it does not speak. */
const ANOTHER_PROTOCOL = /\b426\b/;
const ANOTHER_VERSION = `The control plane is of another major version: it does not speak ${PROTOCOL}. Install the agent of its version.`;
const TOO_OLD = 'The control plane is of a version that knows no change of keys.';
/** Bounds of the retry time that a control plane may set. */
const LONGEST_NAMED_MS = 120_000;
const QUICK_BEATS = 8;
const QUICK_BEAT_MS = 100;

export class Link {
  readonly clock = new ClockOffset();
  #state: LinkState = LINK.initial;
  #offlineSinceMs = nowMs();
  #ws: WebSocket | null = null;
  #nextBatch = 1;
  #inFlight = 0;
  #attempts = 0;
  #heardAtMs = 0;
  #greetedAtMs = 0;
  #lastFault = '';
  #tryingAnotherKey = false;
  /** Both of the frames that came after the first version. */
  #takesChanges = false;
  #takesBlocks = false;
  #toldPolicy: Hello['policy'];
  #onlineSinceMs = 0;
  /** The control plane has asked not to be tried before. */
  #retryAtMs = 0;
  #retry: NodeJS.Timeout | undefined;
  #beats: NodeJS.Timeout | undefined;
  #overdue: NodeJS.Timeout | undefined;
  readonly #quarantine: Quarantine;
  readonly #way: WayOut;
  readonly #options: LinkOptions;
  #events: LinkEvents = NOBODY;

  /** @throws Error if the environment names a proxy that cannot be used */
  constructor(options: LinkOptions) {
    this.#options = options;
    this.#way = wayOut(options.url, options.ca ?? null);
    this.#quarantine = options.quarantine ?? new Quarantine();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Why the last attempt failed; '' since the last welcome. */
  get lastFault(): string {
    return this.#lastFault;
  }

  /** Of the control plane that spoke last: it knows blocks of SIP messages. */
  get takesBlocks(): boolean {
    return this.#takesBlocks;
  }

  /** Milliseconds without a control plane; 0 while connected. */
  offlineMs(atMs: number): number {
    return this.#state === 'ONLINE' ? 0 : atMs - this.#offlineSinceMs;
  }

  /** Connects, and comes back after every cut until it is closed. */
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
    if (this.#state !== 'ONLINE') return;
    const room = WINDOW - this.#inFlight;
    if (room <= 0) return;
    for (const batch of this.#options.outbox.from(this.#nextBatch, room)) {
      this.#send({ batch });
      this.#nextBatch = Number(batch.number) + 1;
      this.#inFlight++;
    }
  }

  /** A frame outside the outbox; lost if there is no connection. */
  send(frame: AgentFrame): void {
    if (this.#state === 'ONLINE') this.#send(frame);
  }

  /** Final: the agent is stopping. */
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
      else if (frame.keyReceipt) this.#keyAnswered(frame.keyReceipt as wire.agent.v1.KeyReceipt);
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
    const token = isNext ? { joinToken: '' } : {};
    const self = this.#events.hello();
    this.#toldPolicy = self.policy;
    const { id, forgotten } = outbox;
    const lost = forgotten && { forgotten: { ...forgotten, outboxId: uuidBytes(forgotten.outboxId) } };
    this.#send({ hello: { ...self, ...token, ...lost, publicKey, signature, outboxId: uuidBytes(id) } });
  }

  #welcomed(welcome: wire.agent.v1.Welcome): void {
    if (!this.#enter('welcomed')) return;
    clearTimeout(this.#overdue);
    this.#lastFault = '';
    this.#onlineSinceMs = nowMs();
    // First estimate, accurate to the greeting's round trip; beats refine it.
    this.clock.observe(this.#greetedAtMs, welcome.unixMs, nowMs());
    if (!this.#resumed(Number(welcome.nextBatch))) return;
    const beat = () => {
      if (nowMs() - this.#heardAtMs > SILENCE_MS) this.#ws?.terminate();
      else this.#send({ beat: { unixMs: nowMs(), echoUnixMs: 0 } });
    };
    // At first in quick succession, as NTP does: the clock is only as good as the best of several exchanges.
    let quick = QUICK_BEATS;
    const next = () => {
      beat();
      const waitMs = quick-- > 0 ? QUICK_BEAT_MS : Math.max(1, welcome.beatSeconds) * 1000;
      this.#beats = setTimeout(next, waitMs);
    };
    clearTimeout(this.#beats);
    next();
    this.#options.log.info({ name: welcome.name, region: welcome.region }, 'connected to the control plane');
    this.#takesChanges = welcome.takesKeyChanges;
    this.#takesBlocks = welcome.takesMessageBlocks;
    this.#events.onWelcome(welcome);
    if (this.#settled(this.#options.identity.publicKey)) this.#events.onKey?.(null);
    this.#tellKey();
    this.tellPolicy();
    this.pump();
  }

  /**
   * The control plane asks for batches that it had committed: its database was reset to an older state. False: some of
   * them are no longer kept; the next greeting says so, and starts a new outbox.
   */
  #resumed(nextBatch: number): boolean {
    const { outbox, log } = this.#options;
    const { last } = outbox;
    const committed = outbox.first - 1;
    const isWhole = outbox.resume(nextBatch);
    this.#nextBatch = nextBatch;
    this.#inFlight = 0;
    if (nextBatch <= committed) {
      const asked = { from: nextBatch, to: committed };
      log.warn(
        asked,
        'the database of the control plane was restored to an older state: committed batches are sent again',
      );
    }
    if (isWhole) return true;
    log.error({ ...outbox.forgotten }, 'some of them are no longer stored: their data is lost');
    this.#events.onRenumbered?.(last - outbox.last);
    this.#ws?.close();
    return false;
  }

  /** Creates a new key and presents it, now or on the next connection; `onKey` reports the result. */
  changeKey(): void {
    const { identity, log } = this.#options;
    try {
      identity.prepare();
    } catch (error) {
      const { message } = error as Error;
      log.error({ error: message }, 'a new key cannot be written; the old one stays');
      this.#events.onKey?.(message);
      return;
    }
    this.#tellKey();
  }

  /** The policy of `hello` has changed. An older control plane would refuse this frame: it gets the next greeting. */
  tellPolicy(): void {
    if (this.#state !== 'ONLINE' || !this.#takesChanges) return;
    const { policy } = this.#events.hello();
    if (!policy || isDeepStrictEqual(policy, this.#toldPolicy)) return;
    this.#toldPolicy = policy;
    this.#send({ policy });
  }

  #tellKey(): void {
    const { change } = this.#options.identity;
    if (change === null || this.#state !== 'ONLINE') return;
    const { from, to } = change;
    if (!this.#takesChanges) {
      this.#keyAnswered({ publicKey: to.publicKey, refused: TOO_OLD });
      return;
    }
    const signed = signedKeyChange(from.publicKey, to.publicKey);
    this.#send({ keyChange: { publicKey: to.publicKey, consent: from.sign(signed), proof: to.sign(signed) } });
  }

  #keyAnswered({ publicKey, refused }: Pick<wire.agent.v1.KeyReceipt, 'publicKey' | 'refused'>): void {
    const { identity, log } = this.#options;
    if (refused === '') {
      if (this.#settled(publicKey)) log.info('this agent has a new key');
    } else {
      // The receipt of another key does not concern the pending one.
      if (!identity.change || !Buffer.from(identity.change.to.publicKey).equals(publicKey)) return;
      log.error({ reason: refused }, 'the control plane refuses the new key; the old one stays');
      this.#written(() => identity.abandon(publicKey));
    }
    this.#events.onKey?.(refused === '' ? null : refused);
  }

  /** The control plane has this key. True if it is the next one, which is in its place now. */
  #settled(publicKey: Uint8Array): boolean {
    return this.#written(() => this.#options.identity.known(publicKey));
  }

  /** A failing disk is no reason to disconnect: the next greeting uses either key, whichever is accepted. */
  #written(change: () => boolean): boolean {
    try {
      return change();
    } catch (error) {
      const { message } = error as Error;
      this.#options.log.error({ error: message }, 'the new key cannot be written; next attempt at the next connection');
      return false;
    }
  }

  #committed(number: number): void {
    const before = this.#options.outbox.depth;
    this.#options.outbox.acknowledge(number);
    this.#events.onCommitted(number);
    this.#inFlight = Math.max(0, this.#inFlight - (before - this.#options.outbox.depth));
    this.pump();
  }

  #ordered(command: Command): void {
    if (command.changeKey) this.changeKey();
    this.#events.onCommand(command);
    this.#send({ commandReceipt: { id: command.id } });
  }

  /** The control plane sets the retry time, within bounds, so that it cannot keep an agent away for long. */
  #notBefore(afterMs: number): void {
    if (afterMs > 0) this.#retryAtMs = nowMs() + Math.min(afterMs, LONGEST_NAMED_MS);
  }

  #farewell({ code, message, retry, retryAfterMs }: wire.agent.v1.Farewell): void {
    this.#notBefore(retryAfterMs);
    if (retry) {
      this.#options.log.warn({ code, message }, 'the control plane ended the connection');
      if (code !== LEAVING) this.#batchRefused();
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

  /** Frames are handled in order, so a refusal concerns the oldest batch in flight, if there is one. */
  #batchRefused(): void {
    const { outbox, log } = this.#options;
    const number = outbox.first;
    if (this.#state !== 'ONLINE' || number >= this.#nextBatch) return;
    const reduction = this.#quarantine.refused(number, nowMs());
    const dropped = reduction && outbox.reduce(number, reduction);
    if (dropped)
      log.error({ batch: number, left: reduction, dropped }, 'a batch was refused repeatedly: facts are dropped');
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

  /** Logged once per cause: operators must see the reason, but not every five seconds. */
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
    if (next === null) this.#options.log.debug({ state: this.#state, event }, 'the link refuses a step');
    else this.#state = next;
    return next !== null;
  }

  #send(frame: AgentFrame): void {
    if (this.#ws?.readyState === WebSocket.OPEN) this.#ws.send(encodeAgentFrame(frame));
  }
}
