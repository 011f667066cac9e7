/**
 * The duration of the audio in a packet. If the encoding determines it, it is the payload's own duration, whatever the
 * timestamps claim: G.711 and G.722 have 8 octets a millisecond (RFC 3551, 4.5.14 and 4.5.2), L16 at 8 kHz has 16
 * (4.5.11), Opus packets name their frames (RFC 6716, 3.1). Otherwise it is the distance of neighbouring timestamps, or
 * the negotiated duration.
 */
import { opusSamples } from '../codec/opus-packet.ts';
import type { Columns } from './columns.ts';
import type { RtpPacket } from './header.ts';

export const BY_TIMESTAMPS = 0;
export const OPUS_FRAMES = 255;
const OPUS_SAMPLES_PER_MS = 48;
/** No sender puts more into one packet (RFC 3551, 4.2). */
export const MAX_PACKET_MS = 200;

export const DURATION_COLUMNS = {
  framing: 'u8', // BY_TIMESTAMPS, OPUS_FRAMES, or the octets of a millisecond
  packetLengthMs: 'f64', // as negotiated; Infinity: packets without duration (video)
  packetUnits: 'u32', // as sent: a step between neighbours that occurred twice in a row, in timestamp units; 0: not known yet
  lastUnits: 'u32', // the step between the last two neighbours
  audioMs: 'f64', // sum of all packets of audio
  audioPackets: 'u32',
} as const;
export type DurationColumns = Columns<typeof DURATION_COLUMNS> & { readonly unitsPerMs: Float64Array };

/** The milliseconds of audio in this packet; 0: none, or video. */
export function packetMsOf(c: DurationColumns, row: number, packet: RtpPacket): number {
  const framing = c.framing[row]!;
  if (framing === BY_TIMESTAMPS) return usualMs(c, row);
  if (framing === OPUS_FRAMES)
    return opusSamples(packet.head >>> 8, packet.head & 0xff, packet.payloadBytes) / OPUS_SAMPLES_PER_MS;
  return packet.payloadBytes / framing;
}

/** Counts a packet of audio. */
export function noteDuration(c: DurationColumns, row: number, packet: RtpPacket): void {
  c.audioMs[row]! += packetMsOf(c, row, packet);
  c.audioPackets[row]! += 1;
}

/**
 * Learns the duration of a packet; `units`: the step between the timestamps of two neighbours. A single step may be a
 * pause.
 */
export function notePacketTime(c: DurationColumns, row: number, units: number): void {
  if (units === c.lastUnits[row] && units > 0 && units <= MAX_PACKET_MS * c.unitsPerMs[row]!) {
    c.packetUnits[row] = units;
  }
  c.lastUnits[row] = units;
}

/** The milliseconds of audio in a packet of this stream, as received; before the first one as negotiated. Video: 0. */
export const meanPacketMs = (c: DurationColumns, row: number): number =>
  c.audioMs[row]! > 0 ? c.audioMs[row]! / c.audioPackets[row]! : usualMs(c, row);

const usualMs = (c: DurationColumns, row: number): number => {
  if (c.packetLengthMs[row] === Number.POSITIVE_INFINITY) return 0;
  return c.packetUnits[row] === 0 ? c.packetLengthMs[row]! : c.packetUnits[row]! / c.unitsPerMs[row]!;
};
