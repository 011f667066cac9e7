/** Applies settings to a stream: tracing, impairment and marks before it starts, then the negotiated format. */
import { traceStream } from '../figures/header-trace.ts';
import { CODECS, DIRECTIONS, type MediaMemory } from '../figures/stream-memory.ts';
import type { StreamProfile } from '../media-engine.ts';
import { isVideo, type PlayableSession } from '../playable.ts';
import type { SocketStack } from '../sockets/socket-stack.ts';

export const rtpSocket = (row: number): number => row * 2;
export const rtcpSocket = (row: number): number => row * 2 + 1;

export function shapeStream(
  { streams, headers }: MediaMemory,
  { sockets, impaired }: SocketStack,
  row: number,
  { stream, dscp, impairment, traced }: StreamProfile,
  address: string,
): void {
  if (traced?.endpoints.includes(streams.endpointNumber[row]!)) traceStream(headers, row, address, traced.packets);
  if (impairment) {
    streams.impaired[row] = 1;
    impaired.impair(row, impairment, stream);
  }
  if (dscp === undefined) return;
  const marked = sockets.setDscp(rtpSocket(row), dscp) && sockets.setDscp(rtcpSocket(row), dscp);
  if (marked) streams.dscp[row] = dscp + 1;
}

export function noteFormat(streams: MediaMemory['streams'], row: number, session: PlayableSession): void {
  const { format, direction } = session;
  streams.reducedSize[row] = session.reducedSize ? 1 : 0;
  streams.extendedReports[row] = session.extendedReports ? 1 : 0;
  streams.codec[row] = CODECS.indexOf(format.codec);
  streams.direction[row] = DIRECTIONS.indexOf(direction);
  streams.sendPayloadType[row] = format.sendPayloadType;
  streams.packetMs[row] = isVideo(session) ? 0 : session.format.packetMs;
}
