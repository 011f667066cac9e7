/** The media of one call of the behaving peer: two ports, packets sent as planned, a record of each sent and received packet. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Behaviour, Plan, PlannedPacket } from './behaviour.ts';
import { type ReportedSource, senderReportMiddle, writeReport } from './rtcp.ts';

/** `atMs` is Unix time. */
export type Packet = {
  readonly atMs: number;
  readonly ssrc: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly payloadType: number;
};

export type MediaLog = {
  readonly sent: Packet[];
  readonly received: Packet[];
  /** Addresses that RTP and RTCP came from. */
  readonly heardFrom: Set<string>;
  /** RTCP packets. */
  reportsSent: number;
  reportsReceived: number;
  /** The largest delay of a packet after its planned instant, ms. */
  latestMs: number;
};

export type Remote = { readonly address: string; readonly rtpPort: number; readonly rtcpPort: number };

/** Both wrap in the first seconds of a stream. */
const FIRST_SEQUENCE = 65_500;
const FIRST_TIMESTAMP = 0xffff_e000;
const REPORT_MS = 1000;
const TRIES = 50;

export const unixMs = (): number => performance.timeOrigin + performance.now();

export class BehavingMedia {
  readonly log: MediaLog = {
    sent: [],
    received: [],
    heardFrom: new Set(),
    reportsSent: 0,
    reportsReceived: 0,
    latestMs: 0,
  };
  readonly rtpPort: number;
  readonly #rtp: Socket;
  readonly #rtcp: Socket;
  readonly #elsewhere: Socket;
  readonly #ssrc: number;
  #remote: Remote | null = null;
  #heard: ReportedSource | null = null;
  #octets = 0;
  #paused = false;
  #timer: NodeJS.Timeout | undefined;
  #reports: NodeJS.Timeout | undefined;
  #echoes = false;

  constructor(rtp: Socket, rtcp: Socket, elsewhere: Socket, ssrc: number) {
    this.#rtp = rtp;
    this.#rtcp = rtcp;
    this.#elsewhere = elsewhere;
    this.#ssrc = ssrc;
    this.rtpPort = rtp.address().port;
    rtp.on('message', (bytes) => this.#receive(bytes));
    rtcp.on('message', (bytes) => this.#receiveReport(bytes));
    for (const socket of [rtp, rtcp]) socket.on('message', (_, { address }) => this.log.heardFrom.add(address));
    // A closed port of the far end causes ICMP errors, which are ignored.
    for (const socket of [rtp, rtcp, elsewhere]) socket.on('error', () => undefined);
  }

  /** From now on it is the target. */
  aim(remote: Remote): void {
    this.#remote = remote;
  }

  begin({ sends, reports }: Pick<Behaviour, 'sends' | 'reports'>): void {
    const fromMs = unixMs();
    this.#echoes = sends === 'ECHO';
    if (sends !== 'ECHO') this.#play(sends, 0, fromMs);
    if (reports !== undefined) this.#reports = setInterval(() => this.#report(reports, fromMs), REPORT_MS);
  }

  /** Packets planned for this time are not sent. */
  pause(paused: boolean): void {
    this.#paused = paused;
  }

  end(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#reports);
    this.#echoes = false;
  }

  close(): void {
    this.end();
    for (const socket of [this.#rtp, this.#rtcp, this.#elsewhere]) socket.close();
  }

  /** Due packets are sent, however late: no planned packet is omitted. */
  #play(plan: Plan, next: number, fromMs: number): void {
    let i = next;
    for (let planned = plan[i]; planned !== undefined && fromMs + planned.atMs <= unixMs(); planned = plan[++i]) {
      if (this.#paused) continue;
      this.log.latestMs = Math.max(this.log.latestMs, unixMs() - fromMs - planned.atMs);
      this.#send(planned);
    }
    const planned = plan[i];
    if (planned === undefined) return;
    this.#timer = setTimeout(() => this.#play(plan, i, fromMs), Math.max(0, fromMs + planned.atMs - unixMs()));
  }

  #send(planned: PlannedPacket): void {
    const packet: Packet = {
      atMs: unixMs(),
      ssrc: (this.#ssrc + (planned.source ?? 0)) >>> 0,
      sequence: (FIRST_SEQUENCE + planned.sequence) & 0xffff,
      timestamp: (FIRST_TIMESTAMP + planned.timestamp) >>> 0,
      payloadType: planned.payloadType,
    };
    const socket = planned.fromElsewhere ? this.#elsewhere : this.#rtp;
    this.#write(socket, packet, planned.payload, planned.marker ?? false);
  }

  #write(socket: Socket, packet: Packet, payload: Uint8Array, marker: boolean): void {
    if (!this.#remote) return;
    const head = Buffer.alloc(12);
    head.writeUInt8(0x80, 0);
    head.writeUInt8(packet.payloadType | (marker ? 0x80 : 0), 1);
    head.writeUInt16BE(packet.sequence, 2);
    head.writeUInt32BE(packet.timestamp, 4);
    head.writeUInt32BE(packet.ssrc, 8);
    socket.send([head, payload], this.#remote.rtpPort, this.#remote.address);
    this.log.sent.push(packet);
    this.#octets += payload.length;
  }

  #receive(bytes: Buffer): void {
    if (bytes.length < 12 || bytes.readUInt8(0) >>> 6 !== 2) return;
    const packet: Packet = {
      atMs: unixMs(),
      ssrc: bytes.readUInt32BE(8),
      sequence: bytes.readUInt16BE(2),
      timestamp: bytes.readUInt32BE(4),
      payloadType: bytes.readUInt8(1) & 0x7f,
    };
    this.log.received.push(packet);
    const { ssrc } = packet;
    const known = this.#heard?.ssrc === ssrc ? this.#heard : null;
    const step = known === null ? 0 : ((packet.sequence - known.highest) << 16) >> 16;
    const highest = known === null ? packet.sequence : known.highest + Math.max(0, step);
    this.#heard = { ssrc, highest, report: known?.report ?? null };
    if (!this.#echoes || this.#paused) return;
    const marker = (bytes.readUInt8(1) & 0x80) !== 0;
    this.#write(this.#rtp, { ...packet, ssrc: this.#ssrc, atMs: unixMs() }, bytes.subarray(12), marker);
  }

  #receiveReport(bytes: Buffer): void {
    this.log.reportsReceived += 1;
    const middle = senderReportMiddle(bytes);
    if (middle !== null && this.#heard) this.#heard = { ...this.#heard, report: { middle, atMs: unixMs() } };
  }

  #report(reports: NonNullable<Behaviour['reports']>, fromMs: number): void {
    if (!this.#remote) return;
    const { sent } = this.log;
    const last = sent.at(-1);
    const isDeaf = typeof reports === 'object' ? unixMs() - fromMs > reports.hearsUntilMs : reports === 'HEARS_NOTHING';
    const report = writeReport(
      {
        ssrc: last?.ssrc ?? this.#ssrc,
        sends: last ? { timestamp: last.timestamp, packets: sent.length, octets: this.#octets } : null,
        hears: isDeaf ? null : this.#heard,
      },
      unixMs(),
    );
    this.#rtcp.send(report, this.#remote.rtcpPort, this.#remote.address);
    this.log.reportsSent += 1;
  }
}

async function bound(address: string, port = 0): Promise<Socket | null> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, sendBufferSize: 1 << 20 });
  socket.bind(port, address);
  return once(socket, 'listening').then(
    () => socket,
    () => null,
  );
}

/** On two neighbouring ports of `address`, and one that is in no description. */
export async function openMedia(address: string, ssrc: number): Promise<BehavingMedia> {
  for (let i = 0; i < TRIES; i++) {
    const rtp = await bound(address);
    const port = rtp?.address().port ?? 1;
    const rtcp = port % 2 === 0 ? await bound(address, port + 1) : null;
    const elsewhere = rtcp === null ? null : await bound(address);
    if (rtp && rtcp && elsewhere) return new BehavingMedia(rtp, rtcp, elsewhere, ssrc);
    rtp?.close();
    rtcp?.close();
  }
  throw new Error(`no two neighbouring ports are free on ${address}`);
}
