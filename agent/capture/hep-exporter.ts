/**
 * Sends the SIP messages of all endpoints to a HEP3 collector (HOMER), if the operator has configured one. It runs on
 * the main thread, when facts arrive from the signalling threads: no call waits for it. Messages that the collector
 * does not accept in time are dropped and counted.
 */
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { step } from '@carillon/proto/base/machine.ts';
import type { Secret } from '@carillon/proto/base/secret.ts';
import { readPeer } from '@carillon/proto/wire/peer.ts';
import { HEP, type HepEvent, type HepState } from './hep-machine.ts';
import { hep3 } from './hep3.ts';
import { maskedBlock } from './mask-block.ts';
import { type MessageBlock, messagesOf } from './message-block.ts';

export type HepTarget = {
  readonly transport: 'UDP' | 'TCP';
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** Identifies the agent to the collector. */
  readonly captureId: number;
  readonly node: string;
  readonly password: Secret | null;
};

export type HepDeps = {
  /** The policy of the host's owner. */
  readonly mayReach: (address: string) => boolean;
  /** Whether the policy allows messages to be exported. */
  readonly mayExport: () => boolean;
  /** The collector cannot be reached; reported once until it can. */
  readonly onFault: (reason: string) => void;
  readonly onRefusedStep?: (state: HepState, event: HepEvent) => void;
};

/** The most bytes that may wait for the collector, in our buffers or the kernel's. */
const MAX_WAITING_BYTES = 4 << 20;
/** Longer datagrams cannot be sent (RFC 768). */
const MAX_DATAGRAM = 65_507;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;
const UNKNOWN_PORT = 5060;
const CLOSE_MS = 1000;

type HepConnection = { send(bytes: Buffer): void; readonly waitingBytes: number; close(): void };

export class HepExporter {
  readonly counters = { sent: 0, dropped: 0 };
  readonly #target: HepTarget;
  readonly #deps: HepDeps;
  #way: HepConnection | null = null;
  /** The address of the collector, as last resolved. */
  #address = '';
  #retry: NodeJS.Timeout | null = null;
  #retryMs = FIRST_RETRY_MS;
  #isLogged = false;
  #state: HepState = HEP.initial;

  constructor(target: HepTarget, deps: HepDeps) {
    this.#target = target;
    this.#deps = deps;
    void this.#open();
  }

  /**
   * `runId`: the run of the endpoints; `offsetMs`: from the agent's clock to Unix time. Messages are correlated by the
   * call if both ends know it.
   */
  send(block: MessageBlock, runId: string, offsetMs: number): void {
    if (!this.#deps.mayExport()) return;
    const { captureId, node, password } = this.#target;
    for (const message of messagesOf(maskedBlock(block))) {
      const own = { address: block.localAddress, port: message.localPort || UNKNOWN_PORT };
      const peer = readPeer(message.peer);
      const [from, to] = message.sent ? [own, peer] : [peer, own];
      this.#put(
        hep3({
          from,
          to,
          isDatagram: message.transport === 'UDP',
          unixMs: message.atMs + offsetMs,
          payload: message.text,
          captureId,
          correlationId: `${runId}/${message.caller}`,
          node,
          password,
        }),
      );
    }
  }

  get state(): HepState {
    return this.#state;
  }

  close(): void {
    if (!this.#enter('closed')) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#way?.close();
    this.#way = null;
  }

  #put(bytes: Buffer | null): void {
    const way = this.#way;
    const isFull = way !== null && way.waitingBytes + (bytes?.length ?? 0) > MAX_WAITING_BYTES;
    // The policy may have changed since the collector was found.
    if (bytes === null || way === null || isFull || !this.#deps.mayReach(this.#address)) {
      this.counters.dropped++;
      return;
    }
    way.send(bytes);
  }

  async #open(): Promise<void> {
    const { host, port, transport } = this.#target;
    try {
      const { address } = isIP(host) === 0 ? await lookup(host) : { address: host };
      if (this.#state === 'CLOSED') return;
      if (!this.#deps.mayReach(address)) {
        this.#lost(`the policy of this host does not allow ${address}`);
        return;
      }
      this.#address = address;
      if (transport === 'UDP') this.#openDatagrams(address, port);
      else this.#openStream(address, port);
    } catch (error) {
      this.#lost((error as Error).message);
    }
  }

  #openDatagrams(address: string, port: number): void {
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
    let waitingBytes = 0;
    socket.on('error', (error) => this.#fault(error.message));
    // The socket reads nothing, and does not keep the process alive.
    socket.unref();
    this.#up({
      get waitingBytes() {
        return waitingBytes;
      },
      send: (bytes) => {
        if (bytes.length > MAX_DATAGRAM) {
          this.counters.dropped++;
          return;
        }
        waitingBytes += bytes.length;
        socket.send(bytes, port, address, (error) => {
          waitingBytes -= bytes.length;
          if (error === null) this.counters.sent++;
          else this.counters.dropped++;
        });
      },
      close: () => socket.close(),
    });
  }

  #openStream(address: string, port: number): void {
    const socket: Socket = connect({ host: address, port, noDelay: true });
    socket.on('error', (error) => this.#fault(error.message));
    socket.on('data', () => undefined);
    socket.once('close', () => {
      this.#way = null;
      this.#lost('the collector closed the connection');
    });
    socket.once('connect', () => {
      this.#up({
        get waitingBytes() {
          return socket.writableLength;
        },
        send: (bytes) => {
          socket.write(bytes, (error) => {
            if (error == null) this.counters.sent++;
            else this.counters.dropped++;
          });
        },
        close: () => {
          socket.end();
          // A collector that does not read must not delay the end.
          setTimeout(() => socket.destroy(), CLOSE_MS).unref();
          socket.unref();
        },
      });
    });
  }

  #up(way: HepConnection): void {
    if (!this.#enter('opened')) {
      way.close();
      return;
    }
    this.#way = way;
    this.#isLogged = false;
    this.#retryMs = FIRST_RETRY_MS;
  }

  #fault(reason: string): void {
    if (this.#isLogged) return;
    this.#isLogged = true;
    this.#deps.onFault(reason);
  }

  #lost(reason: string): void {
    if (!this.#enter('lost')) return;
    this.#fault(reason);
    this.#retry = setTimeout(() => {
      this.#retry = null;
      if (this.#enter('retried')) void this.#open();
    }, this.#retryMs);
    this.#retry.unref();
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  /** False: the table has no such step, and nothing may happen. */
  #enter(event: HepEvent): boolean {
    const next = step(HEP.transitions, this.#state, event);
    if (next === null) this.#deps.onRefusedStep?.(this.#state, event);
    else this.#state = next;
    return next !== null;
  }
}
