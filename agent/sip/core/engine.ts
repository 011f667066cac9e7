/**
 * The built-in engine: RFC 3261 over UDP, TCP, TLS and WebSockets, with the engine interface. Everything happens in `turn` or in a
 * call of the owner; no timer, promise or callback of node:events is used, so the owner decides when signalling runs.
 */
import { randomUUID } from 'node:crypto';
import { nowMs } from '../../clock.ts';
import type { DatagramPort } from '../../net/datagrams/datagram-port.ts';
import { createIdentity } from '../../net/text/self-signed.ts';
import type { StreamPort } from '../../net/text/stream-port.ts';
import type {
  Announced,
  SipAddress,
  SipEngine,
  SipEngineCounters,
  SipEngineOptions,
  SipLocator,
  SipTarget,
  UserAgent,
  UserAgentOptions,
} from '../engine.ts';
import { Identifiers } from '../identifiers.ts';
import { isKeepAlive, parseMessage } from '../message/parse.ts';
import { TextTable } from '../text-table.ts';
import { TimerWheel } from '../timer-wheel.ts';
import { TransactionLayer } from '../transaction/transaction-layer.ts';
import { Connections } from '../transport/connections.ts';
import { SendQueue } from '../transport/send-queue.ts';
import { bindingSuccess, isBindingRequest, isBindingSuccess, isStun, transactionOf } from '../transport/stun.ts';
import { WebSockets } from '../transport/web-sockets.ts';
import type { Core } from './core.ts';
import { Inbox, openPorts, viasOf } from './ports.ts';
import { RequestRouter } from './request-router.ts';
import { CoreUserAgent } from './user-agent.ts';

/** Opens the socket; rejects if the address cannot be used for listening, or peers could not reply to it. */
export async function createCoreEngine(options: SipEngineOptions): Promise<SipEngine> {
  const inbox = new Inbox();
  const { datagrams, streams } = await openPorts(options, inbox);
  return new CoreEngine(options, datagrams, inbox, nowMs, streams);
}

export class CoreEngine implements SipEngine {
  readonly name = 'core';
  readonly local: SipAddress;
  readonly announced: Announced | null;
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  readonly fallbackReason: string | null;
  readonly #options: SipEngineOptions;
  readonly #port: DatagramPort;
  readonly #streams: StreamPort | null;
  readonly #webSockets: WebSockets;
  readonly #inbox: Inbox;
  readonly #clock: () => number;
  readonly sendQueue: SendQueue;
  readonly #wheel: TimerWheel;
  readonly #core: Core<CoreUserAgent>;
  readonly #router: RequestRouter;
  readonly #onInternalError: ((error: unknown) => void) | undefined;
  readonly #counts: SipEngineCounters = {
    malformed: 0,
    unmatched: 0,
    unclaimed: 0,
    withheld: 0,
    refusedByPolicy: 0,
    internalErrors: 0,
  };
  #lastSource: SipTarget = { transport: 'UDP', address: '', port: 0 };
  #turning = false;
  #turnMs = 0;
  #closed = false;

  /** `clock` gives the time of events between turns, and of sending; tests can stop it. */
  constructor(
    options: SipEngineOptions,
    port: DatagramPort,
    inbox: Inbox,
    clock: () => number,
    streams: StreamPort | null = null,
  ) {
    this.#options = options;
    this.#port = port;
    this.#streams = streams;
    this.#webSockets = new WebSockets(port.address, clock);
    this.#inbox = inbox;
    this.#clock = clock;
    this.#onInternalError = options.onInternalError;
    this.local = { address: port.address, port: port.port };
    this.adapter = port.adapter;
    this.stamps = port.stamps;
    this.fallbackReason = port.fallbackReason;
    this.#wheel = new TimerWheel(clock());
    this.sendQueue = new SendQueue(port, options.mayReach, clock, (error) => this.#noteError(error));
    const identifiers = new Identifiers(port.address);
    this.announced = options.announced ?? null;
    const host = this.announced?.host ?? port.address;
    const webSocketHost = `${randomUUID()}.invalid`;
    const via = viasOf({ address: host, port: port.port }, 0, webSocketHost);
    this.#core = {
      // Within a turn, now is the turn's instant; between turns it is what the clock says.
      layer: new TransactionLayer(
        this.sendQueue,
        this.#wheel,
        () => (this.#turning ? this.#turnMs : clock()),
        identifiers.branchHead,
        via,
      ),
      identifiers,
      local: this.local,
      host,
      webSocketHost,
      via,
      tlsPort: 0,
      tls: new Map(),
      userAgentName: options.userAgentName,
      mayCall: options.mayCall ?? (() => true),
      mayDial: options.mayDial ?? (() => true),
      userAgents: new TextTable(),
      calls: new TextTable(),
      closedAgent: null,
      openCalls: 0,
    };
    if (options.mayLeave !== undefined) this.sendQueue.mayLeave = options.mayLeave;
    if (options.mayName !== undefined) this.#core.layer.failover.mayName = options.mayName;
    if (options.locator !== undefined) this.#core.layer.failover.locator = this.#guarded(options.locator);
    this.#router = new RequestRouter(this.#core, this.#counts, options);
    inbox.onDatagram = (text, atMs, address, fromPort) => this.#receive(text, atMs, this.#sourceOf(address, fromPort));
    if (streams !== null) this.sendQueue.connections = this.#connect(streams);
  }

  get counters(): Readonly<SipEngineCounters> {
    this.#counts.refusedByPolicy = this.sendQueue.refusedByPolicy;
    return this.#counts;
  }

  get receiveDrops(): number {
    return this.#port.counters.receiveDrops;
  }

  get busy(): boolean {
    // Each connection has its own timer, for keep-alives and idle times.
    return (
      this.#wheel.size > (this.sendQueue.connections?.size ?? 0) ||
      this.#core.openCalls > 0 ||
      this.#core.layer.size > 0
    );
  }

  get obstacle(): string | null {
    return null;
  }

  get needsLoop(): boolean {
    return this.adapter === 'dgram' || (this.#streams?.needsLoop ?? false) || this.#webSockets.needsLoop;
  }

  createUserAgent(options: UserAgentOptions): UserAgent {
    return new CoreUserAgent(this.#core, options);
  }

  async listenTls(): Promise<SipAddress> {
    if (this.#streams === null) throw new Error('this engine supports only UDP');
    if (this.#streams.tlsPort === 0) {
      const { port, ...identity } = this.#options.tls ?? { port: 0 };
      const { certificate, key } = { ...createIdentity(this.#core.host), ...identity };
      await this.#streams.listenTls(port, certificate, key);
      this.#core.tlsPort = this.#streams.tlsPort;
      const named = { address: this.#core.host, port: this.local.port };
      Object.assign(this.#core.via, viasOf(named, this.#streams.tlsPort, this.#core.webSocketHost));
    }
    return { address: this.local.address, port: this.#streams.tlsPort };
  }

  turn(atMs: number): number {
    if (this.#turning || this.#closed) return 0;
    this.#turning = true;
    this.#turnMs = atMs;
    let received = 0;
    try {
      received = this.#port.poll();
      this.sendQueue.connections?.poll();
      this.#runTimers(atMs);
      this.sendQueue.flush();
      if (this.#inbox.sendErrors.length > 0) this.#failUnsent();
    } catch (error) {
      this.#noteError(error);
    } finally {
      this.#turning = false;
    }
    return received;
  }

  close(): void {
    if (this.#closed) return;
    this.sendQueue.flush();
    this.#closed = true;
    this.#core.userAgents.forEach((agent) => {
      try {
        agent.abort(this.#clock());
      } catch (error) {
        this.#noteError(error);
      }
    });
    this.#core.layer.clear();
    this.sendQueue.connections?.close();
    this.#port.close();
  }

  #connect(streams: StreamPort): Connections {
    const webSockets = this.#webSockets;
    const inbox = this.#inbox;
    const sendQueue = this.sendQueue;
    const wheel = this.#wheel;
    const core = this.#core;
    const isUsed = (): boolean => core.userAgents.size > 0;
    const connections = new Connections(streams, webSockets, { wheel, clock: core.layer.clock }, isUsed, {
      onMessage: (text, atMs, source) => this.#receive(text, atMs, source),
      onFault: (head, reason, atMs, source) => this.#receive(head, atMs, source, reason),
      onOpened: (connection, waiting, figures, atMs) => {
        const { address, port } = connection;
        const transport = connection.transport === 'TCP' || connection.transport === 'WS' ? 'TCP' : 'TLS';
        try {
          waiting[0]?.owner.onConnectionOpened?.({ transport, address, port, atMs, ...figures });
        } catch (error) {
          this.#noteError(error);
        }
        sendQueue.release(connection, waiting);
      },
      onClosed: (connection, waiting, reason, atMs) => {
        const why = `${connection.place}: ${reason || 'closed by the peer'}`;
        for (const { status, text, waitsFromMs } of waiting)
          if (status === 0) inbox.sendErrors.push({ text, reason: why, waitedMs: atMs - waitsFromMs });
        if (waiting.length === 0) core.layer.failBy(connection, why, reason === '', (error) => this.#noteError(error));
      },
    });
    inbox.onAccepted = (stream, atMs) => {
      if (sendQueue.allows(stream.address)) return connections.accept(stream, atMs);
      sendQueue.refusedByPolicy++;
      return null;
    };
    return connections;
  }

  /** Most datagrams come from the same source as the previous one. */
  #sourceOf(address: string, port: number): SipTarget {
    if (this.#lastSource.port !== port || this.#lastSource.address !== address) {
      this.#lastSource = { transport: 'UDP', address, port };
    }
    return this.#lastSource;
  }

  /** No received message may end the process, whatever it triggers in our code or in listeners. */
  #receive(text: string, atMs: number, source: SipTarget, fault: string | null = null): void {
    try {
      if (source.transport === 'UDP' && isStun(text)) {
        this.#receiveStun(text, source);
        return;
      }
      const message = parseMessage(text);
      if (fault !== null && message !== null) message.fault = { status: 400, reason: `Bad Request (${fault})` };
      if (message === null) {
        if (!isKeepAlive(text)) this.#counts.malformed++;
      } else if (message.isRequest) {
        this.#router.receive(message, atMs, source);
      } else if (message.fault !== null) {
        this.#counts.malformed++;
      } else {
        // The Via below ours is not ours: the response is misrouted (RFC 3261, 8.1.3.3).
        const transaction = message.hasSeveralVias ? null : this.#core.layer.clientOf(message);
        if (transaction === null) this.#counts.unmatched++;
        else transaction.receive(message, atMs, source);
      }
    } catch (error) {
      this.#noteError(error);
    }
  }

  /** Answers a peer's keep-alive of the flow (RFC 5626, 8). */
  #receiveStun(text: string, { address, port }: SipTarget): void {
    const sendQueue = this.sendQueue;
    if (isBindingRequest(text)) sendQueue.sendDatagram(bindingSuccess(text, address, port), address, port);
    else if (isBindingSuccess(text)) sendQueue.bindings.get(transactionOf(text))?.onAnswer();
  }

  /** Wheel and failover continue after an exception when they are called again. */
  #runTimers(atMs: number): void {
    for (;;) {
      try {
        this.#wheel.advance(atMs);
        this.#core.layer.failover.tell();
        return;
      } catch (error) {
        this.#noteError(error);
      }
    }
  }

  /** Requests that the kernel refused: their transactions need not wait for timers B and F. */
  #failUnsent(): void {
    for (const { text, reason, waitedMs } of this.#inbox.sendErrors.splice(0)) {
      try {
        const message = parseMessage(text);
        if (message?.isRequest) this.#core.layer.clientOf(message)?.fail(reason, 'TRANSPORT', waitedMs);
      } catch (error) {
        this.#noteError(error);
      }
    }
    this.sendQueue.flush();
  }

  /** The locator's owner must not suffer from what our listeners throw. */
  #guarded(locator: SipLocator): SipLocator {
    return {
      locate: (uri, done) =>
        locator.locate(uri, (found) => {
          try {
            if (!this.#closed) done(found);
          } catch (error) {
            this.#noteError(error);
          }
        }),
    };
  }

  #noteError(error: unknown): void {
    this.#counts.internalErrors++;
    this.#onInternalError?.(error);
  }
}
