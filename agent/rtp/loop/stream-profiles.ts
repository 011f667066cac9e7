/** What is known of a stream before it starts takes effect: its marks, what is done to what it receives, whose headers are kept. */
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { traceStream } from '../figures/header-trace.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { StreamProfile } from '../media-engine.ts';
import type { ImpairedSockets } from '../sockets/impaired-sockets.ts';

export const rtpSocket = (row: number): number => row * 2;
export const rtcpSocket = (row: number): number => row * 2 + 1;

export class StreamProfiles {
  private readonly memory: MediaMemory;
  private readonly sockets: StreamSockets;
  private readonly impaired: ImpairedSockets;

  constructor(memory: MediaMemory, sockets: StreamSockets, impaired: ImpairedSockets) {
    this.memory = memory;
    this.sockets = sockets;
    this.impaired = impaired;
  }

  apply(row: number, { stream, dscp, impairment, traced }: StreamProfile, address: string): void {
    const { streams, headers } = this.memory;
    if (traced?.endpoints.includes(streams.endpointNumber[row]!)) traceStream(headers, row, address, traced.packets);
    if (impairment) {
      streams.impaired[row] = 1;
      this.impaired.impair(row, impairment, stream);
    }
    if (dscp === undefined) return;
    const marked = this.sockets.setDscp(rtpSocket(row), dscp) && this.sockets.setDscp(rtcpSocket(row), dscp);
    if (marked) streams.dscp[row] = dscp + 1;
  }
}
