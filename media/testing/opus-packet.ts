/** The duration of a whole Opus packet. */
import { opusSamples } from '../codec/opus-packet.ts';

/** In samples at 48 kHz; null if the packet is invalid. Frame lengths are not checked. */
export const samplesOfOpusPacket = (packet: Uint8Array): number | null =>
  opusSamples(packet[0] ?? 0, packet[1] ?? 0, packet.length) || null;
