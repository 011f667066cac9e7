/** Opus packets (RFC 6716, 3): their contents, and several frames in one packet. A library does the coding. */

/** The samples at 48 kHz in a frame, by configuration number (RFC 6716, table 2). */
const SILK = [480, 960, 1920, 2880];
const HYBRID = [480, 960];
const CELT = [120, 240, 480, 960];
const FRAME_SAMPLES = [...SILK, ...SILK, ...SILK, ...HYBRID, ...HYBRID, ...CELT, ...CELT, ...CELT, ...CELT];
/** A packet carries at most 120 ms (R5). */
const MAX_SAMPLES = 5760;
/** Frame lengths below this take one byte, others two (3.2.1). */
const ONE_BYTE_BELOW = 252;

/** The duration by a packet's first two bytes and its length; 0 if it is invalid. */
export function opusSamples(toc: number, second: number, bytes: number): number {
  const code = toc & 3;
  if (bytes === 0 || (code === 3 && bytes < 2)) return 0;
  const frames = code === 3 ? second & 0x3f : code === 0 ? 1 : 2;
  const samples = frames * FRAME_SAMPLES[toc >> 3]!;
  return samples > MAX_SAMPLES ? 0 : samples;
}

/** Upper bound of the size of a packet joined from this many packets; `bytes` is the sum of their sizes. */
export const joinedBytes = (bytes: number, packets: number): number => bytes + packets;

/**
 * Joins packets of one frame each (code 0) into one packet of all frames (code 3, variable lengths; RFC 6716, 3.2.5).
 * @throws RangeError if they differ in configuration, or do not have one frame each
 */
export function joinOpusFrames(packets: readonly Uint8Array[]): Uint8Array {
  const [first] = packets;
  if (packets.length === 1 && first) return first;
  const toc = first?.[0] ?? 3;
  if ((toc & 3) !== 0 || packets.some((packet) => packet[0] !== toc))
    throw new RangeError('only single frames of one configuration fit into one Opus packet');
  if (packets.length * FRAME_SAMPLES[toc >> 3]! > MAX_SAMPLES)
    throw new RangeError(`${packets.length} frames last longer than 120 ms`);
  const frames = packets.map((packet) => packet.subarray(1));
  const lengths = frames.slice(0, -1).flatMap(({ length }) => {
    if (length < ONE_BYTE_BELOW) return [length];
    const low = ONE_BYTE_BELOW + (length & 3);
    return [low, (length - low) >> 2];
  });
  const head = [toc | 3, 0x80 | packets.length, ...lengths];
  const joined = new Uint8Array(head.length + frames.reduce((sum, frame) => sum + frame.length, 0));
  joined.set(head);
  let at = head.length;
  for (const frame of frames) {
    joined.set(frame, at);
    at += frame.length;
  }
  return joined;
}
