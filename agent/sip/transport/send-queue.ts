/**
 * The only way to the wire. Checks the host's policy for every destination, queues what is allowed, and notifies the
 * traffic observers at the flush, with its time: a message counts as sent when the kernel gets it.
 */
import type { DatagramPort } from '../../net/datagrams/datagram-port.ts';
import type { SipTarget } from '../engine.ts';
import { isEnding } from '../message/methods.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { Route } from './route.ts';
import { type MessageOwner, NOBODY, type SendListener, Sent } from './sent.ts';

export { type MessageOwner, NOBODY, type SendListener };

/** Messages that belong together: those of one transaction or dialog with one peer. */
export interface Flow {
  readonly owner: MessageOwner;
  readonly callId: string;
  /** The place to which the next message goes. */
  readonly target: SipTarget;
  /** For several servers, or a name to be resolved: the route of `target`. */
  readonly route?: Route | null;
}

/** QUEUED: it will be sent. POLICY: the host's owner forbids the address. UNSENDABLE: no numeric address, too long for UDP, a connection that is gone. */
export type SendResult = 'QUEUED' | 'POLICY' | 'UNSENDABLE';

/** Messages per notification of observers; the port sends in its own batches, not smaller than this. */
const BATCH = 128;

/** A response in wire text; '' once it need not be sent again. */
export type SentResponse = { readonly status: number; readonly reason: string; readonly text: string };

export class SendQueue {
  refusedByPolicy = 0;
  /** See SipEngineOptions. */
  mayLeave: (address: string, atMs: number) => boolean = () => false;
  /** The connections of all transports but UDP; null: this engine has only datagrams. */
  connections: Connections | null = null;
  /** STUN requests under way, by their transaction. */
  readonly bindings = new Map<string, { onAnswer(): void }>();
  /** The port of datagrams. */
  readonly localPort: number;
  readonly #port: DatagramPort;
  readonly #mayReach: (address: string) => boolean;
  readonly #clock: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #records: Sent[] = [];
  #queued = 0;
  #flushing = false;

  /** `onError` gets a listener's exceptions. */
  constructor(
    port: DatagramPort,
    mayReach: (address: string) => boolean,
    clock: () => number,
    onError: (error: unknown) => void,
  ) {
    this.#port = port;
    this.localPort = port.port;
    this.#onError = onError;
    this.#mayReach = mayReach;
    this.#clock = clock;
  }

  sendRequest(
    flow: Flow,
    method: string,
    text: string,
    retransmission: boolean,
    listener: SendListener | null,
  ): SendResult {
    const record = this.#recordOf(flow, method, 0, text);
    if (record === null) return 'POLICY';
    record.reason = '';
    record.retransmission = retransmission;
    record.listener = listener;
    return this.#send(flow, record);
  }

  sendResponse(flow: Flow, method: string, response: SentResponse, retransmission: boolean): SendResult {
    const record = this.#recordOf(flow, method, response.status, response.text);
    if (record === null) return 'POLICY';
    record.reason = response.reason;
    record.retransmission = retransmission;
    record.listener = null;
    return this.#send(flow, record);
  }

  /** The policy's word on an address; it may be another one the next time. */
  allows(address: string): boolean {
    return this.#mayReach(address);
  }

  /** Data that are not a SIP message: not observed. */
  sendDatagram(text: string, address: string, port: number): void {
    if (this.allows(address)) this.#port.send(text, address, port);
    else this.refusedByPolicy++;
  }

  /**
   * Why a request that is too large for UDP does not go to this target by TCP (RFC 3261, 18.1.1); null: it does. '': this
   * engine has only datagrams, or the policy forbids the address.
   */
  tcpRefusal(target: SipTarget): string | null {
    if (this.connections === null || !this.allows(target.address)) return '';
    return this.connections.tcpRefusal(target);
  }

  /** The peer did not take, or answer, a request that went by TCP only for its size. */
  noteTcpRefusal(target: SipTarget, reason: string): void {
    this.connections?.noteRefusal(target, reason);
  }

  /** Sends the queue and notifies the observers, including messages that they send in turn. */
  flush(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    let i = 0;
    do {
      const atMs = this.#clock();
      // Also where no message is queued: keep-alives are none.
      this.#port.flush();
      if (this.connections !== null) this.connections.flush();
      const end = this.#queued;
      for (; i < end; i++) this.#tell(this.#records[i] as Sent, atMs);
    } while (i < this.#queued);
    this.#queued = 0;
    this.#flushing = false;
  }

  /** The next record of the queue, for a message to the flow's target; null: the policy forbids it. */
  #recordOf(flow: Flow, method: string, status: number, text: string): Sent | null {
    const { transport, address, port } = flow.target;
    if (!this.allows(address) && !(isEnding(method, text) && this.mayLeave(address, this.#clock()))) {
      this.refusedByPolicy++;
      flow.owner.onForbidden?.(method, status, address);
      return null;
    }
    let record = this.#records[this.#queued];
    if (record === undefined) {
      record = new Sent();
      this.#records.push(record);
    }
    record.method = method;
    record.status = status;
    record.callId = flow.callId;
    record.transport = transport;
    record.peerAddress = address;
    record.peerPort = port;
    record.localPort = this.localPort;
    record.text = text;
    record.owner = flow.owner;
    record.waitsFromMs = 0;
    return record;
  }

  #send(flow: Flow, record: Sent): SendResult {
    const { transport, address, port } = flow.target;
    if (transport !== 'UDP') return this.#sendByStream(flow, record);
    if (!this.#port.send(record.text, address, port)) return 'UNSENDABLE';
    this.#queued++;
    if (this.#queued >= BATCH) this.flush();
    return 'QUEUED';
  }

  /** A connection has opened: its waiting messages are sent. */
  release(connection: Connection, waiting: readonly Sent[]): void {
    const atMs = this.#clock();
    for (const record of waiting) {
      if (!connection.write(record.text, atMs)) return;
      record.localPort = connection.localPort;
      this.#records[this.#queued] = record;
      this.#queued++;
    }
  }

  #sendByStream(flow: Flow, record: Sent): SendResult {
    const connection = this.connections?.reach(flow.target, flow.owner) ?? null;
    if (connection === null) return 'UNSENDABLE';
    record.localPort = connection.localPort;
    if (connection.isOpen) {
      if (!connection.write(record.text, this.#clock())) return 'UNSENDABLE';
      this.#queued++;
      if (this.#queued >= BATCH) this.flush();
      return 'QUEUED';
    }
    if (!(this.connections as Connections).wait(connection, record)) return 'UNSENDABLE';
    record.waitsFromMs = this.#clock();
    // The record waits with the connection: its place gets a new one.
    this.#records[this.#queued] = new Sent();
    return 'QUEUED';
  }

  #tell(record: Sent, atMs: number): void {
    const listener = record.listener;
    record.listener = null;
    record.atMs = atMs;
    try {
      record.owner.traffic.onMessage(record);
      if (listener !== null) listener.onSent(atMs, record.waitsFromMs === 0 ? 0 : atMs - record.waitsFromMs);
    } catch (error) {
      this.#onError(error);
    }
  }
}
