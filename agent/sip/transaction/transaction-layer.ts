/** The transactions of an engine, their lookup, and their common needs (RFC 3261, 17). */
import type { SipTarget, Traffic } from '../engine.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { hashOf, TextTable } from '../text-table.ts';
import type { TimerWheel } from '../timer-wheel.ts';
import type { Connection } from '../transport/connection.ts';
import type { Vias } from '../transport/readdress.ts';
import type { Flow, MessageOwner, SendQueue } from '../transport/send-queue.ts';
import { type AnsweredRequest, AnsweredRequests } from './answered-requests.ts';
import { type Arrival, mergeKey } from './arrival.ts';
import { ClientTable, type TableSlot } from './client-table.ts';
import { type ClientLayer, ClientTransaction, type Observed } from './client-transaction.ts';
import type { ClientUser } from './client-user.ts';
import { CompactTransactions } from './compact-transactions.ts';
import { Failover } from './failover.ts';
import { type ServerLayer, ServerTransaction } from './server-transaction.ts';

export class TransactionLayer implements ClientLayer, ServerLayer {
  readonly sendQueue: SendQueue;
  readonly wheel: TimerWheel;
  readonly clock: () => number;
  readonly failover: Failover;
  readonly #clients: ClientTable<ClientTransaction>;
  /** Their places in `clients` are kept. */
  readonly #compacted: CompactTransactions;
  /** They share the branch of their INVITE (9.1); by its use number. */
  readonly #cancels = new Map<number, ClientTransaction>();
  readonly #servers = new TextTable<ServerTransaction>();
  readonly #merges = new TextTable<ServerTransaction>();
  readonly #answered: AnsweredRequests;
  /** The last one opened, which is usually answered before another message comes: then it is in no table. */
  #opened: ServerTransaction | null = null;
  readonly #received: Traffic = {
    direction: 'RECEIVED',
    atMs: 0,
    method: '',
    status: 0,
    reason: '',
    retransmission: false,
    callId: '',
    transport: 'UDP',
    peerAddress: '',
    peerPort: 0,
    localPort: 0,
    text: '',
  };

  /** `branchHead` is the prefix of every branch, see ClientTable; `vias` of every topmost Via. */
  constructor(sendQueue: SendQueue, wheel: TimerWheel, clock: () => number, branchHead: string, vias: Vias) {
    this.sendQueue = sendQueue;
    this.#clients = new ClientTable(branchHead);
    this.wheel = wheel;
    this.#compacted = new CompactTransactions(wheel, (slot) => this.#clients.release(slot));
    this.#answered = new AnsweredRequests(sendQueue, wheel, clock);
    this.clock = clock;
    this.failover = new Failover(this, vias);
  }

  get size(): number {
    const ofClients = this.#clients.size + this.#compacted.size + this.#cancels.size;
    return ofClients + this.#servers.size + this.#answered.size + (this.#opened === null ? 0 : 1);
  }

  /** A place for the transaction of a request, which needs it for its branch; `request` must follow. */
  reserve(): TableSlot {
    return this.#clients.reserve();
  }

  branchOf(place: TableSlot): string {
    return this.#clients.branchOf(place);
  }

  /**
   * Sends a request (a CANCEL in its INVITE's place); returns the transaction, or why nothing was sent. In that case
   * the user is not notified.
   */
  request(
    method: string,
    place: TableSlot,
    text: string,
    flow: Flow,
    user: ClientUser,
  ): ClientTransaction | 'POLICY' | 'UNSENDABLE' {
    const transaction = new ClientTransaction(this, { method, place, text }, flow, user);
    const result = transaction.start();
    if (method === 'CANCEL') {
      if (result === 'QUEUED') this.#cancels.set(place.use, transaction);
    } else if (result === 'QUEUED') {
      this.#clients.put(transaction);
    } else {
      this.#clients.release(place.slot);
    }
    return result === 'QUEUED' ? transaction : result;
  }

  /** The client transaction that a response, or a request that could not be sent, belongs to (17.1.3). */
  clientOf(message: SipMessage): ClientTransaction | null {
    const transaction = this.#clients.find(message);
    // Over TCP the INVITE of a CANCEL ends with its own final response, and may be gone first.
    if (message.method === 'CANCEL') return this.#cancels.get(this.#clients.foundUse) ?? null;
    if (transaction !== null) return transaction.method === message.method ? transaction : null;
    const { foundSlot, foundUse } = this.#clients;
    return this.#compacted.has(foundSlot, foundUse, message.method) ? this.#restore(foundSlot) : null;
  }

  compact(transaction: ClientTransaction): void {
    // A CANCEL has no place of its own.
    if (!this.#clients.has(transaction)) return;
    // What TCP and TLS deliver is not awaited again (timer K is 0), but other forks' answers to an INVITE are.
    if (transaction.target.transport !== 'UDP' && transaction.method !== 'INVITE') return;
    if (!transaction.compact(this.#compacted)) return;
    this.wheel.clear(transaction);
    this.#clients.putAside(transaction);
  }

  #restore(slot: number): ClientTransaction {
    const transaction = ClientTransaction.restore(this, this.#compacted.take(slot));
    this.#clients.put(transaction);
    return transaction;
  }

  /**
   * A connection broke: its unanswered requests have failed (RFC 3261, 17.1.4). If one user throws, the others are
   * still notified.
   */
  failBy(connection: Connection, reason: string, inOrder: boolean, onError: (error: unknown) => void): void {
    this.#clients.forEach((transaction) => {
      if (
        !transaction.isUnanswered ||
        !this.sendQueue.connections?.isBy(transaction.target, transaction.owner, connection)
      )
        return;
      try {
        if (inOrder) transaction.onHungUp(reason);
        else transaction.fail(reason);
      } catch (error) {
        onError(error);
      }
    });
  }

  forgetClient(transaction: ClientTransaction): void {
    if (transaction.method === 'CANCEL') this.#cancels.delete(transaction.use);
    else this.#clients.release(transaction.slot);
  }

  /**
   * Opens the transaction of a request that `serverOf` does not know; `localTag` goes into To if it has none. `callId`
   * is the request's, as a separate string.
   */
  accept(arrival: Arrival, owner: MessageOwner, localTag: string, callId: string): ServerTransaction {
    this.#keepOpened();
    const transaction = new ServerTransaction(this, arrival, owner, localTag, callId);
    this.#opened = transaction;
    return transaction;
  }

  #keepOpened(): void {
    const transaction = this.#opened;
    if (transaction === null) return;
    this.#opened = null;
    this.#servers.set(transaction.key, transaction, transaction.hash);
    const { mergeKey: merge, mergeHash } = transaction;
    if (merge !== '' && !this.#merges.has(merge, mergeHash)) this.#merges.set(merge, transaction, mergeHash);
  }

  serverOf(key: string, hash = hashOf(key)): ServerTransaction | null {
    this.#keepOpened();
    return this.#servers.get(key, hash);
  }

  /** The remains of an answered transaction that `serverOf` no longer knows. */
  answeredOf(key: string, hash = hashOf(key)): AnsweredRequest | null {
    return this.#answered.find(key, hash);
  }

  compactServer(transaction: ServerTransaction, text: string): void {
    if (transaction !== this.#opened && this.#servers.get(transaction.key, transaction.hash) !== transaction) return;
    this.wheel.clear(transaction);
    this.#answered.add(transaction, text);
    this.forgetServer(transaction);
  }

  /** Another copy of a request that is in hand already, come by another way (8.2.2.2). */
  isMerged(request: SipMessage): boolean {
    if (request.toTag !== '') return false;
    this.#keepOpened();
    const merge = mergeKey(request);
    return this.#merges.has(merge, request.mergeHash) || this.#answered.hasMerge(merge, request.mergeHash);
  }

  forgetServer(transaction: ServerTransaction): void {
    if (transaction === this.#opened) {
      this.#opened = null;
      return;
    }
    this.#servers.delete(transaction.key, transaction.hash);
    const { mergeKey: merge, mergeHash } = transaction;
    if (merge !== '' && this.#merges.get(merge, mergeHash) === transaction) this.#merges.delete(merge, mergeHash);
  }

  observe(
    { owner, callId }: Observed,
    message: SipMessage,
    retransmission: boolean,
    atMs: number,
    source: SipTarget,
  ): void {
    const received = this.#received;
    received.atMs = atMs;
    received.method = message.method;
    received.status = message.status;
    received.reason = message.reason;
    received.retransmission = retransmission;
    received.callId = callId;
    received.transport = source.transport;
    received.peerAddress = source.address;
    received.peerPort = source.port;
    received.localPort = source.localPort ?? this.sendQueue.localPort;
    received.text = message.text;
    owner.traffic.onMessage(received);
  }

  /** Ends all, without events. */
  clear(): void {
    this.#clients.forEach((transaction) => {
      this.wheel.clear(transaction);
    });
    for (const transaction of this.#cancels.values()) this.wheel.clear(transaction);
    this.#keepOpened();
    this.#servers.forEach((transaction) => {
      this.wheel.clear(transaction);
    });
    this.#clients.clear();
    this.#compacted.clear();
    this.#answered.clear();
    this.#cancels.clear();
    this.#servers.clear();
    this.#merges.clear();
  }
}
