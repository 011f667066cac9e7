/** The media engine as a client thread sees it: commands over a port, figures from the shared columns. */
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { receiveMessageOnPort } from 'node:worker_threads';
import { type ReceivedDigit, receivedDigits } from '@carillon/media/dtmf/receive-digits.ts';
import { impairmentFault } from '@carillon/media/impairment/impairment.ts';
import { masterKeyOfText } from '@carillon/media/srtp/suites.ts';
import {
  DOORBELL,
  ENDED,
  ICE_STATES,
  type IceState,
  type MediaMemory,
  mapMediaMemory,
} from '../figures/stream-memory.ts';
import { ABANDONED, EXHAUSTED, type OpenedStream } from '../loop/open-job.ts';
import {
  type Fingerprint,
  MediaBindFailed,
  type MediaEngine,
  MediaEngineClosed,
  MediaPortsExhausted,
  type MediaStream,
  promised,
  type StreamProfile,
  type StreamSession,
} from '../media-engine.ts';
import { isPlayable, isVideo } from '../playable.ts';
import { MAX_PACKET_MS } from '../send/packet-sender.ts';
import type { MediaAnswer, MediaCommand, MediaConnection, MediaQuestion } from './media-commands.ts';

/** The values that telephones use. */
const DIGIT_ON_MS = 120;
const DIGIT_OFF_MS = 80;
const MIN_DIGIT_MS = 10;
const MAX_DIGIT_MS = 60_000;

const MIN_PACKET_MS = 5;

const HIGHEST_DSCP = 63;

/** Why streams cannot have this profile; null: they can. */
function profileFault(profile: StreamProfile | undefined): string | null {
  const { dscp, impairment } = profile ?? {};
  if (dscp !== undefined && !(Number.isInteger(dscp) && dscp >= 0 && dscp <= HIGHEST_DSCP))
    return `a DSCP of ${dscp} is not within 0 to ${HIGHEST_DSCP}`;
  return impairment ? impairmentFault(impairment) : null;
}

type Pending = {
  readonly address: string;
  readonly opened: (streams: MediaStream[] | Error) => void;
};

/**
 * An engine over one connection (media-thread-host.ts), for the thread that holds it. `mayFollow` is the host's policy:
 * whether a stream may be sent to the numeric address that its media come from, if that is not the negotiated one.
 */
export function createMediaEngine(
  connection: MediaConnection,
  mayFollow: (address: string) => boolean = () => false,
): MediaEngine {
  return new MediaClient(connection, mayFollow);
}

class MediaClient implements MediaEngine {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  readonly fingerprint: Fingerprint | null;
  readonly #connection: MediaConnection;
  readonly #mayFollow: (address: string) => boolean;
  readonly #memory: MediaMemory;
  readonly #pending = new Map<number, Pending>();
  readonly #streams = new Map<number, ClientStream>();
  #requests = 0;
  #closed = false;

  constructor(connection: MediaConnection, mayFollow: (address: string) => boolean) {
    this.#connection = connection;
    this.#mayFollow = mayFollow;
    this.adapter = connection.adapter;
    this.stamps = connection.stamps;
    this.fingerprint = connection.fingerprint;
    this.#memory = mapMediaMemory(connection.buffer, connection.capacity);
    connection.port.on('message', (message: MediaAnswer | MediaQuestion) => this.#hear(message));
    connection.port.on('close', () => this.#rejectAll());
    connection.port.unref();
  }

  #hear(message: MediaAnswer | MediaQuestion): void {
    if (message.op === 'opened') this.#settle(message);
    else this.#heard(message);
  }

  turn(): void {
    while (this.#pending.size > 0) {
      const received = receiveMessageOnPort(this.#connection.port);
      if (received === undefined) return;
      this.#hear(received.message);
    }
  }

  #heard(source: MediaQuestion): void {
    const { row, generation, address } = source;
    if (!this.#mayFollow(address)) return;
    this.#streams.get(row)?.follow(generation, address);
    this.send({ ...source, op: 'follow' });
  }

  open(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile?: StreamProfile,
  ): Promise<MediaStream[]> {
    return promised((opened) => this.request(address, owner, endpointNumbers, profile, opened));
  }

  request(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile: StreamProfile | undefined,
    opened: Pending['opened'],
  ): void {
    const fault = profileFault(profile);
    if (fault !== null) opened(new RangeError(fault));
    else if (this.#closed || Atomics.load(this.#memory.doorbell, ENDED) === 1)
      opened(new MediaEngineClosed('the media engine is closed'));
    else {
      this.#requests += 1;
      this.#pending.set(this.#requests, { address, opened });
      // Pending requests keep it alive.
      this.#connection.port.ref();
      this.send({ op: 'open', request: this.#requests, address, owner, endpointNumbers, profile });
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const stream of this.#streams.values()) stream.close();
    this.#rejectAll();
    this.send({ op: 'leave' });
  }

  send(command: MediaCommand): void {
    this.#connection.port.postMessage(command);
    Atomics.add(this.#memory.doorbell, DOORBELL, 1);
    Atomics.notify(this.#memory.doorbell, DOORBELL);
  }

  forget(stream: ClientStream): void {
    this.#streams.delete(stream.index);
  }

  #settle({ request, streams, failure }: MediaAnswer): void {
    const opened = streams.map((stream) => new ClientStream(this, this.#memory, stream));
    const pending = this.#pending.get(request);
    if (!pending) {
      // The engine was closed in the meantime.
      for (const stream of opened) stream.close();
      return;
    }
    this.#pending.delete(request);
    if (this.#pending.size === 0) this.#connection.port.unref();
    for (const stream of opened) this.#streams.set(stream.index, stream);
    pending.opened(failure === null ? opened : errorOf(failure, pending.address));
  }

  #rejectAll(): void {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { opened } of waiting) opened(new MediaEngineClosed('the media engine was closed'));
    this.#connection.port.unref();
  }
}

function errorOf(failure: string, address: string): Error {
  if (failure === EXHAUSTED) return new MediaPortsExhausted(`no port pair or row is left for media on ${address}`);
  if (failure === ABANDONED) return new MediaEngineClosed('the media thread has ended');
  return new MediaBindFailed(address, failure);
}

class ClientStream implements MediaStream {
  readonly index: number;
  readonly rtpPort: number;
  readonly rtcpPort: number;
  readonly reflexive: NonNullable<OpenedStream['reflexive']> | null;
  readonly #client: MediaClient;
  readonly #memory: MediaMemory;
  readonly #generation: number;
  #firstPacket: number | null = null;
  #remote: StreamSession['remote'] = null;
  #followed: string | null = null;
  #over = false;

  constructor(client: MediaClient, memory: MediaMemory, { row, generation, rtpPort, reflexive }: OpenedStream) {
    this.reflexive = reflexive ?? null;
    this.#client = client;
    this.#memory = memory;
    this.index = row;
    this.#generation = generation;
    this.rtpPort = rtpPort;
    this.rtcpPort = rtpPort + 1;
  }

  start(session: StreamSession): void {
    this.#agree('start', session);
  }

  change(session: StreamSession): void {
    this.#agree('change', session);
  }

  #agree(op: 'start' | 'change', session: StreamSession): void {
    const { remote, format, source } = session;
    if (!isPlayable(session)) throw new RangeError(`${format.codec} from ${source} cannot be sent here`);
    const packetMs = isVideo(session) ? MIN_PACKET_MS : session.format.packetMs;
    if (remote !== null && isIP(remote.address) === 0)
      throw new RangeError(`${remote.address} is not a numeric address`);
    if (!Number.isInteger(packetMs) || packetMs < MIN_PACKET_MS || packetMs > MAX_PACKET_MS)
      throw new RangeError(`a packet time of ${packetMs} ms is not within ${MIN_PACKET_MS} to ${MAX_PACKET_MS}`);
    if (session.security?.mode === 'SDES')
      for (const { suite, keySalt } of [session.security.send, session.security.receive])
        masterKeyOfText(suite, keySalt);
    this.#client.send({ op, row: this.index, generation: this.#generation, session });
    // As in the loop, an unchanged session keeps the address at which the peer was found.
    if (remote !== null && !isDeepStrictEqual(remote, this.#remote)) {
      this.#remote = remote;
      this.#followed = null;
    }
  }

  consent(): void {
    this.#client.send({ op: 'consent', row: this.index, generation: this.#generation });
  }

  expectMedia(owed: boolean): void {
    this.#client.send({ op: 'expect', row: this.index, generation: this.#generation, owed });
  }

  /** The stream was permitted to switch to this address. */
  follow(generation: number, address: string): void {
    if (generation === this.#generation) this.#followed = address;
  }

  followedAddress(): string | null {
    return this.#followed;
  }

  sendDigits(digits: string, onMs = DIGIT_ON_MS, offMs = DIGIT_OFF_MS): void {
    if (!/^[0-9*#A-D]*$/.test(digits)) throw new RangeError(`${digits}: digits must be 0-9, *, # or A-D`);
    for (const ms of [onMs, offMs])
      if (!(ms >= MIN_DIGIT_MS && ms <= MAX_DIGIT_MS))
        throw new RangeError(`${ms} ms of a digit are not within ${MIN_DIGIT_MS} to ${MAX_DIGIT_MS}`);
    this.#client.send({ op: 'press', row: this.index, generation: this.#generation, digits, onMs, offMs });
  }

  noteDigit(way: 'SENT' | 'RECEIVED', digit: string, durationMs: number): void {
    this.#client.send({ op: 'signalled', row: this.index, generation: this.#generation, way, digit, durationMs });
  }

  digits(): ReceivedDigit[] {
    const { streams, digits } = this.#memory;
    if (streams.generation[this.index] !== this.#generation) return [];
    return receivedDigits(digits, this.index, digits.clockHz[this.index]! / 1000);
  }

  iceState(): IceState | null {
    const { streams } = this.#memory;
    const state = ICE_STATES[streams.generation[this.index] === this.#generation ? streams.iceState[this.index]! : 0]!;
    return state === 'NONE' ? null : state;
  }

  firstPacketAtMs(): number | null {
    const { streams, received } = this.#memory;
    // The generation is another stream's: the row was reassigned, and the earlier reading remains.
    if (this.#firstPacket !== null || streams.generation[this.index] !== this.#generation) return this.#firstPacket;
    const atMs = received.firstArrivalMs[this.index]!;
    if (atMs !== 0) this.#firstPacket = atMs;
    return this.#firstPacket;
  }

  close(): void {
    if (this.#over) return;
    this.firstPacketAtMs();
    this.#over = true;
    this.#client.forget(this);
    this.#client.send({ op: 'close', row: this.index, generation: this.#generation });
  }
}
