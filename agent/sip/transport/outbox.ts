/**
 * The one door to the wire. Asks the host's policy about every destination, queues what may go, and tells the traffic
 * observers at the flush, with the time of the flush: a message counts as sent when the kernel gets it.
 */
import type { DatagramPort } from '../../net/datagram-port.ts';
import type { SipTarget, SipTransport, Traffic, TrafficObserver } from '../engine.ts';

/** Whose traffic a message is. A user agent that closes puts a deaf observer in. */
export type Party = { traffic: TrafficObserver };

/** What belongs together on the wire: the messages of one transaction or dialog with one peer. */
export interface Flow {
  readonly party: Party;
  readonly callId: string;
  readonly target: SipTarget;
}

/** Wants to know when the first byte was written. */
export interface SendListener {
  onSent(atMs: number): void;
}

/** QUEUED: it will be sent. POLICY: the host's owner forbids the address. UNSENDABLE: no numeric address, or too long for UDP. */
export type SendResult = 'QUEUED' | 'POLICY' | 'UNSENDABLE';

/** Messages that the observers are told of together; the port sends in batches of its own, no smaller than this. */
const BATCH = 128;

class Sent implements Traffic {
  direction = 'SENT' as const;
  atMs = 0;
  method = '';
  status = 0;
  reason = '';
  retransmission = false;
  callId = '';
  transport: SipTransport = 'UDP';
  peerAddress = '';
  peerPort = 0;
  text = '';
  party: Party = NOBODY;
  listener: SendListener | null = null;
}

/** Of messages that no user agent owns. */
export const NOBODY: Party = { traffic: { onMessage: () => undefined } };

export class Outbox {
  refusedByPolicy = 0;
  private readonly port: DatagramPort;
  private readonly mayReach: (address: string) => boolean;
  private readonly clock: () => number;
  private readonly onError: (error: unknown) => void;
  private readonly records: Sent[] = [];
  private queued = 0;
  private flushing = false;
  private lastAddress = '';
  private lastAllowed = false;

  /** `onError` takes what a listener throws. */
  constructor(
    port: DatagramPort,
    mayReach: (address: string) => boolean,
    clock: () => number,
    onError: (error: unknown) => void,
  ) {
    this.port = port;
    this.onError = onError;
    this.mayReach = mayReach;
    this.clock = clock;
  }

  sendRequest(
    flow: Flow,
    method: string,
    text: string,
    retransmission: boolean,
    listener: SendListener | null,
  ): SendResult {
    return this.send(flow, method, 0, '', text, retransmission, listener);
  }

  sendResponse(
    flow: Flow,
    method: string,
    status: number,
    reason: string,
    text: string,
    retransmission: boolean,
  ): SendResult {
    return this.send(flow, method, status, reason, text, retransmission, null);
  }

  /** The policy's word on an address; the last answer is remembered, as most messages go where the one before went. */
  allows(address: string): boolean {
    if (address === this.lastAddress) return this.lastAllowed;
    const allowed = this.mayReach(address);
    this.lastAddress = address;
    this.lastAllowed = allowed;
    return allowed;
  }

  /** Sends what is queued and tells the observers. What they send in turn goes out, too. */
  flush(): void {
    if (this.flushing) return;
    this.flushing = true;
    for (let told = 0; told < this.queued; ) {
      const atMs = this.clock();
      this.port.flush();
      const end = this.queued;
      for (; told < end; told++) this.tell(this.records[told] as Sent, atMs);
    }
    this.queued = 0;
    this.flushing = false;
  }

  private send(
    flow: Flow,
    method: string,
    status: number,
    reason: string,
    text: string,
    retransmission: boolean,
    listener: SendListener | null,
  ): SendResult {
    const { transport, address, port } = flow.target;
    if (!this.allows(address)) {
      this.refusedByPolicy++;
      return 'POLICY';
    }
    if (!this.port.send(text, address, port)) return 'UNSENDABLE';
    let record = this.records[this.queued];
    if (record === undefined) {
      record = new Sent();
      this.records.push(record);
    }
    this.queued++;
    record.method = method;
    record.status = status;
    record.reason = reason;
    record.retransmission = retransmission;
    record.callId = flow.callId;
    record.transport = transport;
    record.peerAddress = address;
    record.peerPort = port;
    record.text = text;
    record.party = flow.party;
    record.listener = listener;
    if (this.queued >= BATCH) this.flush();
    return 'QUEUED';
  }

  private tell(record: Sent, atMs: number): void {
    const listener = record.listener;
    record.listener = null;
    record.atMs = atMs;
    try {
      record.party.traffic.onMessage(record);
      if (listener !== null) listener.onSent(atMs);
    } catch (error) {
      this.onError(error);
    }
  }
}
