/**
 * Stream sockets that encrypt (RFC 3711). Senders and counters see plain RTP and RTCP; sent packets are protected in
 * place in `outgoing`, and received ones are opened before they are reported. Sockets of streams without encryption are
 * passed through.
 */
import { isRtcp } from '@carillon/media/rtp/header.ts';
import type { SrtpCiphers } from '@carillon/media/srtp/cipher.ts';
import { REPLAYED, SrtpReceiver, SrtpSender, UNAUTHENTIC } from '@carillon/media/srtp/context.ts';
import type { DtlsContext, DtlsKeys } from '../../net/ciphers/dtls.ts';
import type { CipherChoice } from '../../net/ciphers/srtp-ciphers-open.ts';
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import {
  INCOMING_BYTES,
  type StreamSocketEvents,
  type StreamSockets,
  type StreamSocketsOptions,
} from '../../net/streams/stream-sockets.ts';
import { type MediaMemory, SECURITY_STATES, type SecurityState, SRTP_SUITES } from '../figures/stream-memory.ts';
import type { RemoteMedia, StreamSecurity, StreamSession } from '../media-engine.ts';
import { DtlsHandshakes } from './dtls-handshakes.ts';
import { SdesContexts } from './sdes-contexts.ts';

/** The size of a handshake datagram, which is placed after the senders' area. */
const HANDSHAKE_BYTES = 1536;

/** The first bytes of datagrams (RFC 7983, 7). */
const LAST_STUN = 3;
const FIRST_DTLS = 20;
const LAST_DTLS = 63;

const rtpSocket = (row: number): number => row * 2;
const rtcpSocket = (row: number): number => row * 2 + 1;
const rowOf = (socket: number): number => socket >>> 1;

/** The limit for handshake datagrams of a row that wait until their sender can be reached; more than a hello has. */
const MAX_EARLY = 4;

type EarlyHandshake = { readonly datagram: Uint8Array; readonly from: SocketAddress };

/** The crypto of a socket. Null: keys are not negotiated yet, or never will be. */
type Protection = {
  /** The peer of the negotiated handshake; null: SDES keys. */
  readonly peer: string | null;
  /** Whether its handshake has started: the peer's address is known. */
  shaking: boolean;
  sender: SrtpSender | null;
  receiver: SrtpReceiver | null;
};

export type SrtpOptions = {
  readonly ciphers: CipherChoice;
  /** Null: DTLS is not available. */
  readonly dtls: DtlsContext | null;
  /** A handshake has succeeded: the row's RTP socket may send from now on. */
  readonly onSecured: (row: number) => void;
  /** STUN has arrived on a socket whose media are encrypted: the first `length` bytes of `incoming`. */
  readonly onStun: (socket: number, length: number) => void;
  /** The row sends in another context from now on: after this sequence number or, if null, from the start. */
  readonly onSender: (row: number, highest: number | null) => void;
};

export class SrtpSockets implements StreamSockets, StreamSocketEvents {
  readonly outgoing: Uint8Array;
  incoming: Uint8Array;
  readonly #inner: StreamSockets;
  readonly #events: StreamSocketEvents;
  readonly #memory: MediaMemory;
  readonly #options: SrtpOptions;
  readonly #protections: (Protection | undefined)[];
  /** The contexts of a row's lifetime, by row. */
  readonly #sdes: (SdesContexts | undefined)[] = [];
  /** The buffer for opening packets: the ciphers work only here. */
  readonly #opening = new Uint8Array(INCOMING_BYTES);
  readonly #sendCiphers: SrtpCiphers;
  readonly #receiveCiphers: SrtpCiphers;
  readonly #handshakes: DtlsHandshakes | null;
  readonly #handshakeAt: number;
  /**
   * Early DTLS records by row, because a peer may start as soon as ICE has a pair, and would repeat only a second
   * later (RFC 6347, 4.2.4.1).
   */
  readonly #early: (readonly EarlyHandshake[] | undefined)[] = [];

  /** `open` opens the underlying sockets; there are two socket numbers per row of `memory`. */
  constructor(
    memory: MediaMemory,
    options: SrtpOptions,
    socketOptions: StreamSocketsOptions,
    open: (options: StreamSocketsOptions) => StreamSockets,
  ) {
    this.#events = socketOptions.events;
    this.#memory = memory;
    this.#options = options;
    this.#handshakeAt = socketOptions.outgoingBytes;
    const outgoingBytes = socketOptions.outgoingBytes + HANDSHAKE_BYTES;
    this.#inner = open({ ...socketOptions, outgoingBytes, events: this });
    this.outgoing = this.#inner.outgoing;
    this.incoming = this.#inner.incoming;
    this.#protections = new Array(socketOptions.capacity).fill(undefined);
    this.#sendCiphers = options.ciphers.over(this.outgoing);
    this.#receiveCiphers = options.ciphers.over(this.#opening);
    this.#handshakes =
      options.dtls &&
      new DtlsHandshakes(options.dtls, {
        nowMs: () => this.#inner.nowMs(),
        send: (socket, datagram) => {
          this.outgoing.set(datagram, this.#handshakeAt);
          this.#inner.send(socket, this.#handshakeAt, datagram.length);
        },
        onKeys: (socket, keys, tookMs) => this.#onKeys(socket, keys, tookMs),
        onFailure: (socket, failure) => this.#note(socket, failure),
      });
  }

  /**
   * Sets the encryption of the row's sockets. A direction whose key does not change keeps its context with its rollover
   * counter (RFC 4568, 6.1), independently of the other direction; a new key starts at zero. False: nothing can be sent
   * yet; `onSecured` reports when. Throws RangeError for an invalid key.
   */
  secure(row: number, { remote, security, association = 0 }: StreamSession): boolean {
    if (security?.mode === 'DTLS') return this.#shakeHands(row, security, remote, association);
    if (!security) {
      this.#end(row);
      return true;
    }
    this.#sdes[row] ??= new SdesContexts();
    const sender = this.#sdes[row].sender(this.#sendCiphers, security.send);
    const receiver = this.#sdes[row].receiver(this.#receiveCiphers, security.receive);
    const before = this.#protections[rtpSocket(row)]?.sender;
    this.#end(row);
    const protection: Protection = { peer: null, shaking: false, sender, receiver };
    this.#protections[rtpSocket(row)] = protection;
    this.#protections[rtcpSocket(row)] = protection;
    this.#memory.streams.srtpSuite[row] = SRTP_SUITES.indexOf(security.send.suite);
    this.#note(rtpSocket(row), 'SDES');
    if (sender !== before) this.#changeSender(row, sender);
    return true;
  }

  /** Whether the row has its keys. */
  isSecured(row: number): boolean {
    return this.#protections[rtpSocket(row)]?.sender != null;
  }

  /** Handshakes that are no longer negotiated end; SDES keys may return. */
  #end(row: number): void {
    for (const socket of [rtpSocket(row), rtcpSocket(row)]) {
      const protection = this.#protections[socket];
      if (protection && protection.peer !== null) {
        protection.sender?.close();
        protection.receiver?.close();
      }
      this.#protections[socket] = undefined;
      this.#handshakes?.stop(socket);
    }
    this.#early[row] = undefined;
  }

  /** Ends the row's security: its sockets are plain again. */
  #release(row: number): void {
    this.#end(row);
    this.#sdes[row]?.close();
    this.#sdes[row] = undefined;
  }

  #changeSender(row: number, sender: SrtpSender): void {
    this.#options.onSender(row, sender.highestSequence(this.#memory.streams.localSsrc[row]!));
  }

  /**
   * If RTP and RTCP have separate ports, each has its handshake (RFC 5764, 3). A handshake with the same peer
   * continues.
   */
  #shakeHands(
    row: number,
    { role, fingerprints }: Extract<StreamSecurity, { mode: 'DTLS' }>,
    remote: RemoteMedia | null,
    association: number,
  ): boolean {
    // Whether RTP and RTCP share one port; null: as before.
    const muxed = remote && remote.rtpPort === remote.rtcpPort;
    const [rtp, rtcp] = [rtpSocket(row), rtcpSocket(row)];
    const peer = JSON.stringify([association, role, fingerprints]);
    if (this.#protections[rtp]?.peer !== peer) {
      this.#end(row);
      const protection: Protection = { peer, shaking: false, sender: null, receiver: null };
      this.#protections[rtp] = protection;
      this.#protections[rtcp] = protection;
      this.#note(rtp, this.#handshakes ? 'HANDSHAKE' : 'DTLS_UNAVAILABLE');
    }
    const first = this.#protections[rtp]!;
    if (remote !== null && !first.shaking) {
      first.shaking = true;
      this.#handshakes?.start(rtp, role, fingerprints);
      this.#takeEarly(row, remote);
    }
    const second = this.#protections[rtcp]!;
    if (muxed === true && second !== first) {
      second.sender?.close();
      second.receiver?.close();
      this.#handshakes?.stop(rtcp);
      this.#protections[rtcp] = first;
    } else if (muxed === false && second === first) {
      this.#protections[rtcp] = { peer, shaking: true, sender: null, receiver: null };
      this.#handshakes?.start(rtcp, role, fingerprints);
    }
    return first.sender !== null;
  }

  #takeEarly(row: number, { address, rtpPort }: RemoteMedia): void {
    for (const { datagram, from } of this.#early[row] ?? [])
      if (from.address === address && from.port === rtpPort)
        this.#handshakes?.take(rtpSocket(row), datagram, datagram.length);
      else this.#memory.streams.foreign[row]! += 1;
    this.#early[row] = undefined;
  }

  #onKeys(socket: number, { send, receive }: DtlsKeys, tookMs: number): void {
    const protection = this.#protections[socket]!;
    protection.sender = new SrtpSender(this.#sendCiphers, send);
    protection.receiver = new SrtpReceiver(this.#receiveCiphers, receive);
    const row = rowOf(socket);
    if (socket !== rtpSocket(row)) return;
    this.#changeSender(row, protection.sender);
    this.#memory.streams.handshakeMs[row] = tookMs;
    this.#memory.streams.srtpSuite[row] = SRTP_SUITES.indexOf(send.suite);
    this.#note(socket, 'DTLS');
    this.#options.onSecured(row);
  }

  /** The state of the RTP socket is that of the stream. */
  #note(socket: number, state: SecurityState): void {
    const row = rowOf(socket);
    if (socket === rtpSocket(row)) this.#memory.streams.security[row] = SECURITY_STATES.indexOf(state);
  }

  send(socket: number, offset: number, length: number): boolean {
    const protection = this.#protections[socket];
    if (protection === undefined) return this.#inner.send(socket, offset, length);
    const { sender } = protection;
    if (sender === null) return false;
    const secured = isRtcp(this.outgoing, offset)
      ? sender.protectRtcp(offset, length)
      : sender.protectRtp(offset, length);
    return this.#inner.send(socket, offset, secured);
  }

  /** Datagrams outside the stream are not encrypted. */
  sendTo(socket: number, offset: number, length: number, address: string, port: number): boolean {
    return this.#inner.sendTo(socket, offset, length, address, port);
  }

  onDatagram(socket: number, length: number, atMs: number, fromPeer: boolean): void {
    const protection = this.#protections[socket];
    this.incoming = this.#inner.incoming;
    const opened = protection === undefined ? length : this.#unprotect(protection, socket, length, fromPeer);
    if (opened >= 0) this.#events.onDatagram(socket, opened, atMs, fromPeer);
    else this.#memory.noise.received[0]! += 1;
  }

  /** Returns the new length; negative: the packet does not belong to the stream, and is counted. */
  #unprotect(protection: Protection, socket: number, length: number, fromPeer: boolean): number {
    const row = rowOf(socket);
    const { streams, noise } = this.#memory;
    const opening = this.#opening;
    for (let i = 0; i < length; i++) opening[i] = this.incoming[i]!;
    this.incoming = opening;
    const first = length > 0 ? this.incoming[0]! : 0xff;
    if (first <= LAST_STUN) {
      streams.stun[row]! += 1;
      this.#options.onStun(socket, length);
      return UNAUTHENTIC;
    }
    if (first >= FIRST_DTLS && first <= LAST_DTLS) {
      // Handshakes are answered to the stream's target: datagrams of other senders would count as the peer's.
      if (fromPeer) this.#handshakes?.take(socket, this.incoming, length);
      else if (protection.peer !== null && !protection.shaking) this.#keepEarly(row, socket, length);
      else streams.foreign[row]! += 1;
      return UNAUTHENTIC;
    }
    const { receiver } = protection;
    if (receiver === null) {
      streams.srtpEarly[row]! += 1;
      return UNAUTHENTIC;
    }
    const opened = length > 1 && isRtcp(this.incoming, 0) ? receiver.openRtcp(0, length) : receiver.openRtp(0, length);
    if (opened === REPLAYED) {
      streams.srtpReplayed[row]! += 1;
      noise.srtpReplayed[0]! += 1;
    } else if (opened < 0) {
      streams.srtpAuthFailed[row]! += 1;
      noise.srtpAuthFailed[0]! += 1;
    }
    return opened;
  }

  /** The address that ICE finds will show the sender. */
  #keepEarly(row: number, socket: number, length: number): void {
    this.#inner.isSourceAgain(socket);
    const one = { datagram: this.incoming.slice(0, length), from: this.#inner.sourceOf(socket) };
    this.#early[row] = [...(this.#early[row] ?? []), one].slice(-MAX_EARLY);
  }

  onUnreachable(socket: number): void {
    this.#events.onUnreachable(socket);
  }

  onDropped(socket: number, count: number): void {
    this.#events.onDropped(socket, count);
  }

  receive(untilMs: number): void {
    this.#inner.receive(untilMs);
    this.#handshakes?.turn();
  }

  /** The socket closed last removes the keys: until then a BYE may be in transit in either direction. */
  close(socket: number): void {
    this.#inner.close(socket);
    if (socket === rtcpSocket(rowOf(socket))) this.#release(rowOf(socket));
  }

  closeAll(): void {
    this.#inner.closeAll();
    for (let row = 0; row < this.#memory.capacity; row++) this.#release(row);
    this.#options.dtls?.close();
  }

  get adapter(): StreamSockets['adapter'] {
    return this.#inner.adapter;
  }
  get stamps(): StreamSockets['stamps'] {
    return this.#inner.stamps;
  }
  get clockSteps(): number {
    return this.#inner.clockSteps;
  }
  nowMs(): number {
    return this.#inner.nowMs();
  }
  open(socket: number, address: string, port: number, done: (failure: string | null) => void): void {
    this.#inner.open(socket, address, port, done);
  }
  aim(socket: number, address: string, port: number): void {
    this.#inner.aim(socket, address, port);
  }
  isSourceAgain(socket: number): boolean {
    return this.#inner.isSourceAgain(socket);
  }
  sourceOf(socket: number): SocketAddress {
    return this.#inner.sourceOf(socket);
  }
  listen(socket: number): void {
    this.#inner.listen(socket);
  }
  pollEvery(socket: number, everyMs: number): void {
    this.#inner.pollEvery(socket, everyMs);
  }
  poll(socket: number): void {
    this.#inner.poll(socket);
  }
  watch(socket: number): void {
    this.#inner.watch(socket);
  }
  setDscp(socket: number, dscp: number): boolean {
    return this.#inner.setDscp(socket, dscp);
  }
  confirm(socket: number): void {
    this.#inner.confirm(socket);
  }
}
