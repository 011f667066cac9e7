/** The duration of the audio that the far end puts into a packet. */
import { meanPacketMs } from '@carillon/media/rtp/packet-duration.ts';
import type { MediaMemory } from './stream-memory.ts';

/** Milliseconds in received packets; before the first packet, as negotiated. */
export const farEndPacketMs = ({ streams, received }: MediaMemory, row: number): number =>
  received.audioPackets[row] === 0 ? streams.packetMs[row]! : meanPacketMs(received, row);
