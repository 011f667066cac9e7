/**
 * The work of a media thread's turn, without its timing: opens, starts and closes streams, sends packets, counts
 * datagrams. It runs over any stream sockets, so that tests can simulate a network.
 */

import { beginAwaiting, stopAwaiting } from '@carillon/media/rtp/absence.ts';
import { endReceiving } from '@carillon/media/rtp/receive.ts';
import { chooseSrtpCiphers } from '../../net/ciphers/srtp-ciphers-open.ts';
import type { StreamSockets, StreamSocketsOptions } from '../../net/streams/stream-sockets.ts';
import { ACTIVE, CLOSED, DIRECTIONS, FREE, type MediaMemory, OPEN } from '../figures/stream-memory.ts';
import { IceSessions, STUN_BYTES } from '../ice/ice-sessions.ts';
import type { StreamDirection, StreamSession } from '../media-engine.ts';
import { isPlayable, isVideo, type PlayableSession } from '../playable.ts';
import { PacketReceiver } from '../receive/packet-receiver.ts';
import { beginReception, changeReception } from '../receive/reception.ts';
import { SsrcCollisions } from '../receive/ssrc-collisions.ts';
import { RTCP_BYTES, RtcpSessions } from '../rtcp/rtcp-session.ts';
import { Consent } from '../send/consent.ts';
import { DigitSender } from '../send/digit-sender.ts';
import { PACKET_BYTES, PacketSender } from '../send/packet-sender.ts';
import type { LoadedMedia } from '../send/playlists.ts';
import { Bundles } from '../sockets/bundles.ts';
import { openSocketStack, type SocketStack } from '../sockets/socket-stack.ts';
import type { SrtpSockets } from '../sockets/srtp-sockets.ts';
import { VIDEO_BYTES } from '../video/video-sender.ts';
import { VideoStreams } from '../video/video-streams.ts';
import { Destinations } from './destinations.ts';
import type { MediaLoopOptions } from './media-loop-options.ts';
import type { OpenRequest } from './open-job.ts';
import { OpenJobs } from './open-jobs.ts';
import { PortRange } from './port-range.ts';
import { noteFormat, rtcpSocket, rtpSocket, shapeStream } from './shape-stream.ts';
import { noteTurnDelay } from './turn-delay.ts';

export class MediaLoop {
  readonly sockets: StreamSockets;
  readonly #stack: SocketStack;
  readonly srtp: SrtpSockets;
  readonly #bundles: Bundles;
  readonly #memory: MediaMemory;
  readonly #sender: PacketSender;
  readonly #consents: Consent;
  readonly digits: DigitSender;
  readonly receiver: PacketReceiver;
  readonly #rtcp: RtcpSessions;
  readonly #video: VideoStreams;
  readonly #ice: IceSessions;
  readonly #collisions: SsrcCollisions;
  readonly #destinations: Destinations;
  readonly #ports: PortRange;
  readonly #random: () => number;
  readonly #jobs: OpenJobs;
  /** The last negotiated session by row, and the same with the address found by ICE. */
  readonly #negotiated: PlayableSession[] = [];
  readonly #sessions: PlayableSession[] = [];
  #activeRows = 0;

  constructor(
    memory: MediaMemory,
    options: MediaLoopOptions,
    openSockets: (options: StreamSocketsOptions) => StreamSockets,
  ) {
    this.#memory = memory;
    this.#random = options.random;
    this.#ports = new PortRange(options.firstPort, options.lastPort, options.random());
    const rtcpOffset = memory.capacity * PACKET_BYTES;
    const videoOffset = rtcpOffset + RTCP_BYTES;
    const iceOffset = videoOffset + VIDEO_BYTES;
    const security = {
      ciphers: options.ciphers ?? chooseSrtpCiphers('auto'),
      dtls: options.dtls ?? null,
      onSecured: (row: number) => this.#secured(row),
      onStun: (socket: number, length: number) => void this.receiver.hearStun(socket, length),
      onSender: (row: number, highest: number | null) => {
        for (const one of [row, ...this.#bundles.passengersOf(row)])
          (this.#video.has(one) ? this.#video : this.#sender).renumber(one, highest);
      },
    };
    this.#bundles = new Bundles(memory);
    const opened: { stack?: SocketStack } = {};
    this.digits = new DigitSender(memory);
    this.receiver = new PacketReceiver(memory, this.digits, options.onSource, (events) => {
      const outer = { capacity: memory.capacity * 2, outgoingBytes: iceOffset + STUN_BYTES, events };
      opened.stack = openSocketStack(memory, this.#bundles, security, outer, openSockets);
      return opened.stack.sockets;
    });
    this.#stack = opened.stack!;
    this.srtp = this.#stack.srtp;
    this.sockets = this.#stack.sockets;
    this.#jobs = new OpenJobs(memory, this.#ports, this.sockets);
    this.#destinations = new Destinations(memory, this.sockets, this.receiver);
    this.#sender = new PacketSender(this.sockets, memory, this.digits);
    this.#consents = new Consent(memory.streams.packetsSent, {
      isHeard: (row) => this.receiver.isConfirmed(rtpSocket(row)),
      onConsent: (row) => this.consent(row),
      onSpent: (row) => this.#sender.stop(row),
    });
    this.#rtcp = new RtcpSessions(this.sockets, memory, {
      minimumMs: options.rtcpMinimumMs,
      random: options.random,
      offset: rtcpOffset,
      timestampAt: (row, atMs) => (this.#video.has(row) ? this.#video : this.#sender).timestampAt(row, atMs),
      isOthers: (row, ssrc, blocks) => this.#bundles.isOthers(row, ssrc, blocks),
      isOwn: (row, ssrc) => this.#bundles.isPassenger(row, ssrc),
    });
    this.#video = new VideoStreams(this.sockets, memory, this.#rtcp, videoOffset);
    this.#ice = new IceSessions(this.sockets, memory, {
      random: options.random,
      offset: iceOffset,
      onRoute: (row) => this.#route(row),
      onStranger: (row, from) => options.onSource?.(row, from),
    });
    this.#collisions = new SsrcCollisions(memory);
    const onOwnSsrc = (row: number, timestamp: number, atMs: number): void => this.#hearOwn(row, timestamp, atMs);
    this.receiver.passTo(this.#rtcp, this.#video, this.#ice, onOwnSsrc);
  }

  /** True while turns are needed every millisecond. */
  get busy(): boolean {
    return this.#activeRows > 0 || this.#jobs.waiting || this.#ice.isGathering;
  }

  get nextTickMs(): number {
    return this.#sender.nextTickMs;
  }

  prepare(): void {
    this.#sender.prepare();
    this.#video.prepare();
  }

  /** Media for streams that start from now on. */
  load(media: LoadedMedia): void {
    if ('packets' in media) this.#video.load(media);
    else this.#sender.load(media);
  }

  unload(source: string): void {
    this.#sender.unload(source);
    this.#video.unload(source);
  }

  resume(): void {
    this.#sender.resume(this.sockets.nowMs());
  }

  /** One turn: send due packets and reports, count received ones, bind some ports. Returns by `untilMs` if possible. */
  turn(untilMs: number): void {
    const nowMs = this.sockets.nowMs();
    if (this.#activeRows > 0) noteTurnDelay(this.#memory, Math.max(0, nowMs - this.#sender.nextTickMs));
    this.#sender.sendDue(nowMs);
    this.#video.turn(nowMs);
    this.#rtcp.turn(nowMs);
    this.#ice.turn(nowMs);
    this.sockets.receive(untilMs);
    this.#consents.turn();
    this.receiver.reopen(nowMs);
    this.#memory.noise.lookedAtMs[0] = nowMs;
    this.#memory.noise.clockSteps[0] = this.sockets.clockSteps;
    if (this.#jobs.waiting) this.#jobs.bindSome(this.#activeRows > 0);
  }

  /** Binds ports for the request, all or none, over as many turns as necessary. */
  open(request: OpenRequest): void {
    const { profile } = request;
    const done: OpenRequest['done'] = (streams, failure) => {
      if (profile) for (const { row } of streams) shapeStream(this.#memory, this.#stack, row, profile, request.address);
      if (!profile?.ice || failure !== null) request.done(streams, failure);
      else this.#ice.gather(streams, request.address, profile.ice.stunServer, (seen) => request.done(seen, null));
    };
    this.#jobs.add({ ...request, done });
    this.#jobs.bindSome(this.#activeRows > 0);
  }

  /** Ends the stream before or after its start; a row that is neither OPEN nor ACTIVE does not change. */
  close(row: number): void {
    const { state, rtpPort, closedAtMs } = this.#memory.streams;
    const was = state[row];
    if (was !== OPEN && was !== ACTIVE) return;
    const nowMs = this.sockets.nowMs();
    this.#consents.end(row);
    for (const passenger of this.#bundles.passengersOf(row)) this.close(passenger);
    this.#bundles.note(row);
    this.#sender.stop(row);
    this.#video.end(row);
    this.#rtcp.stop(row);
    this.#bundles.end(row);
    this.#ice.end(row);
    this.sockets.close(rtpSocket(row));
    this.sockets.close(rtcpSocket(row));
    this.#ports.release(rtpPort[row]!);
    if (was === OPEN) {
      Atomics.store(state, row, FREE);
      return;
    }
    this.#activeRows -= 1;
    endReceiving(this.#memory.received, row, nowMs);
    closedAtMs[row] = nowMs;
    Atomics.store(state, row, CLOSED);
  }

  /** Ends everything; open requests are abandoned. */
  closeAll(): void {
    this.#jobs.abandon();
    for (let row = 0; row < this.#memory.capacity; row++) this.close(row);
    this.sockets.closeAll();
  }

  /** An OPEN row starts to send and to count; other rows do not change. */
  start(row: number, session: StreamSession): void {
    const c = this.#memory.streams;
    if (c.state[row] !== OPEN || !isPlayable(session)) return;
    if (!this.busy) this.resume();
    c.localSsrc[row] = session.sender?.ssrc ?? this.#randomWord();
    c.startedAtMs[row] = this.sockets.nowMs();
    beginReception(this.#memory.received, row, session);
    this.#destinations.begin(row);
    const first = { sequence: this.#randomWord() & 0xffff, timestamp: this.#randomWord() };
    if (isVideo(session)) this.#video.begin(row, first);
    else this.#sender.begin(row, first);
    this.digits.begin(row);
    this.#collisions.begin(row);
    this.#rtcp.begin(row, session.sender?.cname);
    if (session.awaitsConsent) this.#consents.await(row);
    this.#agree(row, session);
    Atomics.store(c.state, row, ACTIVE);
    this.#activeRows += 1;
    this.sockets.listen(rtpSocket(row));
    this.sockets.listen(rtcpSocket(row));
  }

  /** The session of an ACTIVE row was changed; other rows do not change. */
  change(row: number, session: StreamSession): void {
    if (this.#memory.streams.state[row] !== ACTIVE || !isPlayable(session)) return;
    if (isVideo(session) !== this.#video.has(row)) return;
    this.#sender.stop(row);
    this.#video.pause(row);
    this.#rtcp.pause(row);
    const owed = this.#memory.received.awaitedFromMs[row] !== 0;
    this.expect(row, false);
    changeReception(this.#memory.received, row, session);
    this.#agree(row, session);
    // Media that the far end owes by the new session have a full second to arrive.
    this.expect(row, owed);
  }

  /** Sets whether media are expected for an ACTIVE row. */
  expect(row: number, owed: boolean): void {
    const { streams, received } = this.#memory;
    if (streams.state[row] !== ACTIVE) return;
    if (owed) beginAwaiting(received, row, streams.packetMs[row]!, this.sockets.nowMs());
    else stopAwaiting(received, row, this.sockets.nowMs(), false);
  }

  /**
   * Applies the negotiated session. If the peer names no address (hold), the old one stays and nothing is sent there.
   */
  #agree(row: number, session: PlayableSession): void {
    this.#negotiated[row] = session;
    if (session.ice || session.security?.mode === 'DTLS') this.#consents.end(row);
    this.#bundles.agree(row, session.bundle ?? null);
    const carrier = this.#bundles.carrierOf(row);
    if (session.ice && carrier === row) this.#ice.agree(row, session.ice);
    this.#carry(row, session.ice ? { ...session, remote: this.#ice.remote(carrier, session.remote) } : session);
  }

  /** ICE has found the destination of the row's media, or has lost it. */
  #route(carrier: number): void {
    for (const row of [carrier, ...this.#bundles.passengersOf(carrier)]) {
      const session = this.#negotiated[row];
      if (this.#memory.streams.state[row] !== ACTIVE || !session?.ice) continue;
      const [before, remote] = [this.#sessions[row]!.remote, this.#ice.remote(carrier, session.remote)];
      if (before === null || remote === null) this.change(row, session);
      else this.#destinations.aim(row, remote);
    }
  }

  #carry(row: number, session: PlayableSession): void {
    const { remote, direction } = session;
    const c = this.#memory.streams;
    const wasSending = c.direction[row] === SEND;
    noteFormat(c, row, session);
    this.#sessions[row] = session;
    if (!isVideo(session)) this.digits.agree(row, session.format, SENDS[direction] && remote !== null);
    if (isVideo(session) && this.receiver.counts(row)) this.#video.receive(row, session);
    if (remote !== null) {
      this.#destinations.aim(row, remote);
      // A send-only stream has no other source: connecting at once saves a fifth of the cost of a packet.
      if (direction === 'SEND' && !session.ice) this.sockets.confirm(rtpSocket(row));
      else if (wasSending) this.#destinations.unconfirm(row);
    }
    const carrier = this.#bundles.carrierOf(row);
    if (carrier === row ? this.srtp.secure(row, session) : !session.security || this.srtp.isSecured(carrier))
      this.#speak(row);
  }

  /** Keys are available: waiting packets may be sent. */
  #secured(carrier: number): void {
    this.#speak(carrier);
    for (const row of this.#bundles.passengersOf(carrier)) if (!this.#rtcp.reports(row)) this.#speak(row);
  }

  /** Starts to send and report as negotiated, once keys are available. Without consent only the first audio packets. */
  #speak(row: number): void {
    const session = this.#sessions[row]!;
    const isAwaited = this.#consents.isAwaited(row);
    this.#bundles.note(row);
    if (!isAwaited || !(isVideo(session) || this.#consents.isSpent(row))) this.#play(row, session);
    if (!isAwaited) this.#report(row, session);
  }

  #play(row: number, session: PlayableSession): void {
    if (session.remote === null || !SENDS[session.direction]) return;
    const isSent = isVideo(session) ? this.#video.send(row, session) : this.#sender.start(row, session);
    if (!isSent) this.#memory.streams.unplayable[row] = 1;
  }

  #report(row: number, { remote }: PlayableSession): void {
    if (remote === null || remote.rtcpPort === null) return;
    const socket = remote.rtcpPort === remote.rtpPort ? rtpSocket(row) : rtcpSocket(row);
    this.#rtcp.start(row, socket, this.sockets.nowMs());
  }

  /**
   * The peer of a row has shown that it wants the stream. Timestamps have advanced in the meantime, sequence numbers
   * have not.
   */
  consent(row: number): void {
    if (!this.#consents.end(row)) return;
    const session = this.#sessions[row]!;
    if (isVideo(session) || this.#consents.isSpent(row)) {
      this.#sender.stop(row);
      this.#play(row, session);
    }
    this.#report(row, session);
  }

  /** Presses keys on an ACTIVE row. */
  press(row: number, digits: string, onMs: number, offMs: number): void {
    if (this.#memory.streams.state[row] === ACTIVE) this.digits.press(row, digits, onMs, offMs);
  }

  /** Redirects the stream to the source that it receives from, unless the negotiated peer has been heard in the meantime. */
  follow(row: number, address: string, port: number): void {
    if (this.#ice.has(row)) {
      this.#ice.permit(row, address);
      return;
    }
    if (this.#memory.streams.state[row] === ACTIVE) this.#destinations.follow(row, address, port);
  }

  /** A packet of the peer has our SSRC: unless it is an echo, we send BYE and choose another (RFC 3550, 8.2). */
  #hearOwn(row: number, timestamp: number, atMs: number): void {
    const own = (this.#video.has(row) ? this.#video : this.#sender).timestampAt(row, this.sockets.nowMs());
    if (!this.#collisions.collides(row, timestamp, own, atMs)) return;
    this.#rtcp.leave(row);
    this.#memory.streams.localSsrc[row] = this.#randomWord();
    if (!this.#video.has(row)) this.#sender.rename(row);
  }

  #randomWord(): number {
    return Math.floor(this.#random() * 0x1_0000_0000);
  }
}

const SEND = DIRECTIONS.indexOf('SEND');
const SENDS: Readonly<Record<StreamDirection, boolean>> = { BOTH: true, SEND: true, RECEIVE: false, NONE: false };
