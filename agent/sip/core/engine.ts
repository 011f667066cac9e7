/**
 * The own core: RFC 3261 over UDP behind the engine port. Everything happens in `turn` or in a call of the owner; no
 * timer, promise or callback of node:events is involved, so the owner decides when signalling gets the processor.
 */
import { nowMs } from '../../clock.ts';
import type { DatagramPort, DatagramPortOptions } from '../../net/datagram-port.ts';
import { openDatagramPort } from '../../net/open-datagram-port.ts';
import type { Vias } from '../dialog/call-agent.ts';
import type {
  SipAddress,
  SipEngine,
  SipEngineCounters,
  SipEngineOptions,
  SipTarget,
  SipTransport,
  UserAgent,
  UserAgentOptions,
} from '../engine.ts';
import { Identifiers } from '../identifiers.ts';
import { isKeepAlive, parseMessage } from '../message/parse.ts';
import { hostPortText } from '../message/uri.ts';
import { TextTable } from '../text-table.ts';
import { TimerWheel } from '../timer-wheel.ts';
import { TransactionLayer } from '../transaction/transaction-layer.ts';
import { Outbox } from '../transport/outbox.ts';
import type { Core } from './core.ts';
import { RequestRouter } from './request-router.ts';
import { CoreUserAgent } from './user-agent.ts';

/** Opens the socket; rejects if the address cannot be listened on, or is none that peers could answer to. */
export async function createCoreEngine(options: SipEngineOptions): Promise<SipEngine> {
  if (options.address === '0.0.0.0' || options.address === '::') {
    throw new Error(`${options.address} cannot stand in Via and Contact: listen on one of the host's own addresses`);
  }
  const inbox = new Inbox();
  const port = await openDatagramPort(
    { ...inbox.portOptions, address: options.address, port: options.port },
    options.adapter,
  );
  return new CoreEngine(options, port, inbox, nowMs);
}

/** Takes what the port brings, and hands it on once the engine stands: the two need each other. */
export class Inbox {
  onDatagram: DatagramPortOptions['onDatagram'] = () => undefined;
  readonly sendErrors: { readonly text: string; readonly reason: string }[] = [];
  readonly portOptions = {
    onDatagram: (text: string, atMs: number, address: string, port: number): void =>
      this.onDatagram(text, atMs, address, port),
    onSendError: (text: string, _address: string, _port: number, reason: string): void => {
      this.sendErrors.push({ text, reason });
    },
  };
}

export class CoreEngine implements SipEngine {
  readonly name = 'core';
  readonly local: SipAddress;
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  readonly fallbackReason: string | null;
  private readonly port: DatagramPort;
  private readonly inbox: Inbox;
  private readonly clock: () => number;
  private readonly outbox: Outbox;
  private readonly wheel: TimerWheel;
  private readonly core: Core;
  private readonly router: RequestRouter;
  private readonly onInternalError: ((error: unknown) => void) | undefined;
  private readonly counts: SipEngineCounters = {
    malformed: 0,
    unmatched: 0,
    unclaimed: 0,
    refusedByPolicy: 0,
    internalErrors: 0,
  };
  private lastSource: SipTarget = { transport: 'UDP', address: '', port: 0 };
  private turning = false;
  private turnMs = 0;
  private closed = false;

  /** `clock` gives the time of what happens between turns, and of sending; tests let it stand still. */
  constructor(options: SipEngineOptions, port: DatagramPort, inbox: Inbox, clock: () => number) {
    this.port = port;
    this.inbox = inbox;
    this.clock = clock;
    this.onInternalError = options.onInternalError;
    this.local = { address: port.address, port: port.port };
    this.adapter = port.adapter;
    this.stamps = port.stamps;
    this.fallbackReason = port.fallbackReason;
    this.wheel = new TimerWheel(clock());
    this.outbox = new Outbox(port, options.mayReach, clock, (error) => this.noteError(error));
    const identifiers = new Identifiers(port.address);
    this.core = {
      // Within a turn, now is the turn's instant; between turns it is what the clock says.
      layer: new TransactionLayer(
        this.outbox,
        this.wheel,
        () => (this.turning ? this.turnMs : clock()),
        identifiers.branchHead,
      ),
      identifiers,
      local: this.local,
      via: viasOf(this.local),
      userAgentName: options.userAgentName,
      userAgents: new TextTable(),
      calls: new TextTable(),
      openCalls: 0,
    };
    this.router = new RequestRouter(this.core, this.counts, options.onUnclaimedCall);
    inbox.onDatagram = (text, atMs, address, fromPort) => this.receive(text, atMs, this.sourceOf(address, fromPort));
  }

  get counters(): Readonly<SipEngineCounters> {
    this.counts.refusedByPolicy = this.outbox.refusedByPolicy;
    return this.counts;
  }

  get receiveDrops(): number {
    return this.port.counters.receiveDrops;
  }

  get busy(): boolean {
    return this.wheel.size > 0 || this.core.openCalls > 0 || this.core.layer.size > 0;
  }

  createUserAgent(options: UserAgentOptions): UserAgent {
    return new CoreUserAgent(this.core, options);
  }

  turn(atMs: number): void {
    if (this.turning || this.closed) return;
    this.turning = true;
    this.turnMs = atMs;
    this.port.poll();
    this.runTimers(atMs);
    this.outbox.flush();
    if (this.inbox.sendErrors.length > 0) this.failUnsent();
    this.turning = false;
  }

  close(): void {
    if (this.closed) return;
    this.outbox.flush();
    this.closed = true;
    this.core.userAgents.forEach((agent) => {
      try {
        agent.abort(this.clock());
      } catch (error) {
        this.noteError(error);
      }
    });
    this.core.layer.clear();
    this.port.close();
  }

  /** Most datagrams come from where the one before came from. */
  private sourceOf(address: string, port: number): SipTarget {
    if (this.lastSource.port !== port || this.lastSource.address !== address) {
      this.lastSource = { transport: 'UDP', address, port };
    }
    return this.lastSource;
  }

  /** Nothing that arrives may end the process, whatever it makes of our code or our listeners'. */
  private receive(text: string, atMs: number, source: SipTarget): void {
    try {
      const message = parseMessage(text);
      if (message === null) {
        if (!isKeepAlive(text)) this.counts.malformed++;
      } else if (message.isRequest) {
        this.router.receive(message, atMs, source);
      } else if (message.fault !== null) {
        this.counts.malformed++;
      } else {
        // Another's Via below ours: the response has gone astray (RFC 3261, 8.1.3.3).
        const transaction = message.hasSeveralVias ? null : this.core.layer.clientOf(message);
        if (transaction === null) this.counts.unmatched++;
        else transaction.receive(message, atMs, source);
      }
    } catch (error) {
      this.noteError(error);
    }
  }

  /** The wheel goes on behind a timer that threw when it is advanced again. */
  private runTimers(atMs: number): void {
    for (;;) {
      try {
        this.wheel.advance(atMs);
        return;
      } catch (error) {
        this.noteError(error);
      }
    }
  }

  /** Requests that the kernel refused: their transactions need not wait for timers B and F. */
  private failUnsent(): void {
    for (const { text, reason } of this.inbox.sendErrors.splice(0)) {
      try {
        const message = parseMessage(text);
        if (message?.isRequest) this.core.layer.clientOf(message)?.fail(reason);
      } catch (error) {
        this.noteError(error);
      }
    }
    this.outbox.flush();
  }

  private noteError(error: unknown): void {
    this.counts.internalErrors++;
    this.onInternalError?.(error);
  }
}

function viasOf(local: SipAddress): Vias {
  const via = (transport: SipTransport): string =>
    `Via: SIP/2.0/${transport} ${hostPortText(local.address, local.port)};rport;branch=`;
  return { UDP: via('UDP'), TCP: via('TCP'), TLS: via('TLS'), WS: via('WS'), WSS: via('WSS') };
}
