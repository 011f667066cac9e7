/** RTP and RTCP of one stream between a far end and a media program: counted, and dropped during the given time. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { UdpAddress } from '../b2bua/media-relay.ts';

/** Since the first packet that was forwarded in that direction; towards the far end, since the first keyframe. */
export type LossHole = { readonly fromMs: number; readonly untilMs: number };

export type RelayedPacket = {
  /** RTP. */
  packets: number;
  dropped: number;
  /** By their markers: a frame ends with one. */
  frames: number;
  droppedFrames: number;
  plis: number;
  nacks: number;
  firs: number;
  /** When RTP was written to the socket, and when that was over: Unix ms. */
  readonly sent: {
    readonly beforeMs: number;
    afterMs: number;
    readonly marker: boolean;
    readonly isKey: boolean;
    readonly afterHole: boolean;
  }[];
};

export type StreamRelay = {
  /** The address in the description for the far end. */
  readonly front: { readonly rtp: number; readonly rtcp: number };
  /** Where the media program sends. */
  readonly back: { readonly rtp: number; readonly rtcp: number };
  readonly toFarEnd: RelayedPacket;
  readonly fromFarEnd: RelayedPacket;
  /** Packets of the far end are counted and forwarded from now on. `program`: where it listens. */
  aim(farEnd: UdpAddress, farRtcpPort: number, program: { readonly rtp: number; readonly rtcp: number }): void;
  /** Those of the media program are forwarded from now on. */
  open(): void;
  /** Nothing is forwarded after; packets of the far end are still counted. */
  shut(): void;
  close(): void;
};

const nothing = (): RelayedPacket => ({
  packets: 0,
  dropped: 0,
  frames: 0,
  droppedFrames: 0,
  plis: 0,
  nacks: 0,
  firs: 0,
  sent: [],
});
const unixMs = (): number => performance.timeOrigin + performance.now();

export async function openRelay(
  address: string,
  holes: { readonly toFarEnd?: LossHole; readonly fromFarEnd?: LossHole } = {},
): Promise<StreamRelay> {
  const [frontRtp, frontRtcp, backRtp, backRtcp] = await Promise.all([1, 2, 3, 4].map(() => bound(address)));
  const sockets = [frontRtp, frontRtcp, backRtp, backRtcp] as Socket[];
  const [toFarEnd, fromFarEnd] = [nothing(), nothing()];
  let route: { far: UdpAddress; farRtcp: number; program: { rtp: number; rtcp: number } } | null = null;
  let isOpen = false;
  let isShut = false;

  const passRtp = (
    bytes: Buffer,
    counts: RelayedPacket,
    hole: LossHole | undefined,
    out: Socket,
    to: UdpAddress,
  ): void => {
    const at = unixMs();
    const marker = (bytes.readUInt8(1) & 0x80) !== 0;
    const since = counts === toFarEnd ? counts.sent.find((one) => one.isKey) : counts.sent[0];
    const sinceMs = at - (since?.beforeMs ?? at);
    if (hole && sinceMs >= hole.fromMs && sinceMs < hole.untilMs) {
      counts.dropped += 1;
      if (marker) counts.droppedFrames += 1;
      return;
    }
    counts.packets += 1;
    if (marker) counts.frames += 1;
    // RFC 7741, 4.2 and 9.1, of a payload descriptor of one byte: the first packet of a frame, and P of VP8's own header.
    const isKey = bytes.length > 13 && (bytes.readUInt8(12) & 0x97) === 0x10 && (bytes.readUInt8(13) & 1) === 0;
    const one = { beforeMs: at, afterMs: at, marker, isKey, afterHole: counts.dropped > 0 };
    counts.sent.push(one);
    if (isShut) return;
    out.send(bytes, to.port, to.address, () => {
      one.afterMs = unixMs();
    });
  };

  frontRtp!.on('message', (bytes) => {
    if (!route || bytes.length < 12) return;
    passRtp(bytes, fromFarEnd, holes.fromFarEnd, backRtp!, { address, port: route.program.rtp });
  });
  backRtp!.on('message', (bytes) => {
    if (route && isOpen && !isShut) passRtp(bytes, toFarEnd, holes.toFarEnd, frontRtp!, route.far);
  });
  frontRtcp!.on('message', (bytes) => {
    if (!route) return;
    noteFeedback(bytes, fromFarEnd);
    if (isShut) return;
    backRtcp!.send(bytes, route.program.rtcp, address);
  });
  backRtcp!.on('message', (bytes) => {
    if (!route || !isOpen || isShut) return;
    noteFeedback(bytes, toFarEnd);
    frontRtcp!.send(bytes, route.farRtcp, route.far.address);
  });

  return {
    front: { rtp: frontRtp!.address().port, rtcp: frontRtcp!.address().port },
    back: { rtp: backRtp!.address().port, rtcp: backRtcp!.address().port },
    toFarEnd,
    fromFarEnd,
    aim(far, farRtcp, program) {
      route = { far, farRtcp, program };
    },
    open() {
      isOpen = true;
    },
    shut() {
      isShut = true;
    },
    close() {
      for (const socket of sockets) socket.close();
    },
  };
}

async function bound(address: string): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, sendBufferSize: 1 << 20 });
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

/** RFC 4585, 6.1, and RFC 5104, 4.3.1: each packet of a compound by its type and format. */
function noteFeedback(bytes: Buffer, counts: RelayedPacket): void {
  for (let at = 0; at + 4 <= bytes.length; at += 4 * (bytes.readUInt16BE(at + 2) + 1)) {
    const [format, type] = [bytes.readUInt8(at) & 0x1f, bytes.readUInt8(at + 1)];
    if (type === 205 && format === 1) counts.nacks += 1;
    if (type === 206 && format === 1) counts.plis += 1;
    if (type === 206 && format === 4) counts.firs += 1;
  }
}
