/**
 * Kept messages of all endpoints of a thread, as bytes outside of the heap. Every message waits until it is reported, some hundred
 * milliseconds: too long for the young generation, so that as text in the heap each would be copied twice and left to a full collection.
 */
import { type Latin1Buffer, latin1Buffer } from '../net/latin1.ts';
import type { MessageRun } from '../run/facts.ts';
import type { SipTransport, Traffic } from '../sip/engine.ts';
import { methodLabel } from './bounded-text.ts';

/** What is known of messages in a row, whosever they are. */
export type StoredMessages = Omit<MessageRun, 'endpoint' | 'first' | 'localAddress' | 'caller'>;

export const NO_RECORD = -1;

const CHUNK_BYTES = 256 * 1024;
/** Emptied chunks that are kept for what comes: 4 MiB. */
const MOST_SPARE = 16;
const FIRST_RECORDS = 1024;

/** Columns of a record, 32-bit integers: where its bytes are (text, Call-ID, address) and what is a number anyway. */
const NEXT = 0;
const CHUNK = 1;
const OFFSET = 2;
const TEXT_BYTES = 3;
const CALL_ID_BYTES = 4;
const ADDRESS_BYTES = 5;
const PORT = 6;
const LOCAL_PORT = 7;
const TRANSPORT = 8;
const KIND = 9;
const COLUMNS = 10;

const TRANSPORTS: readonly SipTransport[] = ['UDP', 'TCP', 'TLS', 'WS', 'WSS'];

/** A kind: status, then two bits, above them the method's number. */
const RECEIVED = 0;
const SENT = 1;
const RETRANSMISSION = 2;
const STATUS_UNIT = 4;
const METHOD_UNIT = 4096;

class Chunk {
  readonly bytes: Latin1Buffer;
  used = 0;
  /** Records in it. */
  records = 0;

  constructor(size: number) {
    this.bytes = latin1Buffer(Buffer.allocUnsafeSlow(size));
  }
}

export class MessageStore {
  #columns = new Int32Array(FIRST_RECORDS * COLUMNS);
  #atMs = new Float64Array(FIRST_RECORDS);
  /** Records that were in use and are free, linked by NEXT; those behind `#used` never were. */
  #free = NO_RECORD;
  #used = 0;
  readonly #chunks: (Chunk | null)[] = [];
  readonly #spare: Chunk[] = [];
  #current = 0;
  readonly #methods: string[] = [];
  readonly #methodNumbers = new Map<string, number>();
  #scratch = latin1Buffer(Buffer.allocUnsafeSlow(CHUNK_BYTES));

  /** Records that are held. */
  size = 0;

  /** Memory for messages, the spare included. */
  get bytes(): number {
    return [...this.#chunks, ...this.#spare].reduce((sum, chunk) => sum + (chunk?.bytes.length ?? 0), 0);
  }

  /**
   * Keeps a message with `text` for its text, behind `previous` of the same endpoint (or NO_RECORD); its number. `callId` and
   * `peerAddress` are '' where they are those of `previous`.
   */
  add(previous: number, traffic: Readonly<Traffic>, text: string, callId: string, peerAddress: string): number {
    const { status } = traffic;
    const bytes = text.length + callId.length + peerAddress.length;
    const chunk = this.#roomFor(bytes);
    const record = this.#take();
    const columns = this.#columns;
    const at = record * COLUMNS;
    let offset = chunk.used;
    columns[at + NEXT] = NO_RECORD;
    columns[at + CHUNK] = this.#current;
    columns[at + OFFSET] = offset;
    columns[at + TEXT_BYTES] = text.length;
    columns[at + CALL_ID_BYTES] = callId.length;
    columns[at + ADDRESS_BYTES] = peerAddress.length;
    columns[at + PORT] = traffic.peerPort;
    columns[at + LOCAL_PORT] = traffic.localPort;
    columns[at + TRANSPORT] = TRANSPORTS.indexOf(traffic.transport);
    columns[at + KIND] =
      this.#methodNumber(traffic.method) * METHOD_UNIT +
      status * STATUS_UNIT +
      (traffic.direction === 'SENT' ? SENT : RECEIVED) +
      (traffic.retransmission ? RETRANSMISSION : 0);
    this.#atMs[record] = traffic.atMs;
    offset += chunk.bytes.latin1Write(text, offset, text.length);
    if (callId !== '') offset += chunk.bytes.latin1Write(callId, offset, callId.length);
    if (peerAddress !== '') offset += chunk.bytes.latin1Write(peerAddress, offset, peerAddress.length);
    chunk.used = offset;
    chunk.records++;
    this.size++;
    if (previous !== NO_RECORD) columns[previous * COLUMNS + NEXT] = record;
    return record;
  }

  /** When the message of a record was sent or received. */
  atMs(record: number): number {
    return this.#atMs[record] as number;
  }

  /** All messages from `first` on, which are held no longer. */
  take(first: number): StoredMessages {
    const atMs: number[] = [];
    const sent: boolean[] = [];
    const length: number[] = [];
    const method: string[] = [];
    const status: number[] = [];
    const retransmission: boolean[] = [];
    const peer: string[] = [];
    const callId: string[] = [];
    const transport: SipTransport[] = [];
    const localPort: number[] = [];
    let lastCallId = '';
    let lastAddress = '';
    let total = 0;
    for (let record = first; record !== NO_RECORD; ) {
      const columns = this.#columns;
      const at = record * COLUMNS;
      const { bytes } = this.#chunks[columns[at + CHUNK] as number] as Chunk;
      const textAt = columns[at + OFFSET] as number;
      const callIdAt = textAt + (columns[at + TEXT_BYTES] as number);
      const addressAt = callIdAt + (columns[at + CALL_ID_BYTES] as number);
      const end = addressAt + (columns[at + ADDRESS_BYTES] as number);
      const kind = columns[at + KIND] as number;
      atMs.push(this.#atMs[record] as number);
      sent.push((kind & SENT) !== 0);
      length.push(callIdAt - textAt);
      method.push(this.#methods[Math.floor(kind / METHOD_UNIT)] as string);
      status.push((kind % METHOD_UNIT) >> 2);
      retransmission.push((kind & RETRANSMISSION) !== 0);
      if (addressAt > callIdAt) lastCallId = bytes.latin1Slice(callIdAt, addressAt);
      if (end > addressAt) lastAddress = bytes.latin1Slice(addressAt, end);
      peer.push(peerOf(lastAddress, columns[at + PORT] as number));
      callId.push(lastCallId);
      transport.push(TRANSPORTS[columns[at + TRANSPORT] as number] as SipTransport);
      localPort.push(columns[at + LOCAL_PORT] as number);
      total = this.#gather(bytes, textAt, callIdAt, total);
      const next = columns[at + NEXT] as number;
      this.#release(record);
      record = next;
    }
    const text = this.#scratch.latin1Slice(0, total);
    return { text, atMs, sent, length, method, status, retransmission, peer, callId, transport, localPort };
  }

  /** Copies text behind what was gathered before; how much that is now. */
  #gather(bytes: Latin1Buffer, from: number, to: number, total: number): number {
    const needed = total + to - from;
    if (needed > this.#scratch.length) {
      const larger = latin1Buffer(Buffer.allocUnsafeSlow(needed * 2));
      this.#scratch.copy(larger, 0, 0, total);
      this.#scratch = larger;
    }
    bytes.copy(this.#scratch, total, from, to);
    return needed;
  }

  #roomFor(bytes: number): Chunk {
    const current = this.#chunks[this.#current] ?? null;
    if (current !== null && current.used + bytes <= current.bytes.length) return current;
    const chunk = (bytes <= CHUNK_BYTES ? this.#spare.pop() : undefined) ?? new Chunk(Math.max(bytes, CHUNK_BYTES));
    const place = this.#chunks.indexOf(null);
    this.#current = place < 0 ? this.#chunks.length : place;
    this.#chunks[this.#current] = chunk;
    return chunk;
  }

  #take(): number {
    const record = this.#free;
    if (record !== NO_RECORD) {
      this.#free = this.#columns[record * COLUMNS + NEXT] as number;
      return record;
    }
    if (this.#used === this.#atMs.length) this.#grow();
    return this.#used++;
  }

  #release(record: number): void {
    const at = record * COLUMNS;
    const place = this.#columns[at + CHUNK] as number;
    const chunk = this.#chunks[place] as Chunk;
    this.#columns[at + NEXT] = this.#free;
    this.#free = record;
    this.size--;
    if (--chunk.records > 0) return;
    chunk.used = 0;
    if (place === this.#current) return;
    this.#chunks[place] = null;
    if (this.#spare.length < MOST_SPARE && chunk.bytes.length === CHUNK_BYTES) this.#spare.push(chunk);
  }

  #grow(): void {
    const columns = new Int32Array(this.#columns.length * 2);
    columns.set(this.#columns);
    this.#columns = columns;
    const atMs = new Float64Array(this.#atMs.length * 2);
    atMs.set(this.#atMs);
    this.#atMs = atMs;
  }

  /** Of few: strangers' methods share one. */
  #methodNumber(method: string): number {
    const known = this.#methodNumbers.get(method);
    if (known !== undefined) return known;
    const label = methodLabel(method);
    let number = this.#methods.indexOf(label);
    if (number < 0) number = this.#methods.push(label) - 1;
    if (label === method) this.#methodNumbers.set(label, number);
    return number;
  }
}

/** As the one before, mostly. */
let lastPeer = { address: '', port: 0, text: '' };

function peerOf(address: string, port: number): string {
  if (lastPeer.port !== port || lastPeer.address !== address) {
    lastPeer = { address, port, text: `${address.includes(':') ? `[${address}]` : address}:${port}` };
  }
  return lastPeer.text;
}
