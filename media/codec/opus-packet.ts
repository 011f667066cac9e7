/** Opus packets as RFC 6716, 3 has them: what a packet holds, and several frames in one. Coding itself is a library's. */

/** Samples of 48 kHz in a frame, by configuration number (RFC 6716, table 2). */
const SILK = [480, 960, 1920, 2880];
const HYBRID = [480, 960];
const CELT = [120, 240, 480, 960];
const FRAME_SAMPLES = [...SILK, ...SILK, ...SILK, ...HYBRID, ...HYBRID, ...CELT, ...CELT, ...CELT, ...CELT];
/** A packet carries at most 120 ms (R5). */
const MOST_SAMPLES = 5760;
/** Lengths of a frame that take one byte; above, two (3.2.1). */
const ONE_BYTE_BELOW = 252;

/** What a packet lasts, in samples of 48 kHz; null: it breaks the rules. Frame lengths are not looked at. */
export function opusPacketSamples(packet: Uint8Array): number | null {
  if (packet.length === 0) return null;
  const code = packet[0]! & 3;
  if (code === 3 && packet.length < 2) return null;
  const frames = code === 3 ? packet[1]! & 0x3f : code === 0 ? 1 : 2;
  const samples = frames * FRAME_SAMPLES[packet[0]! >> 3]!;
  return frames === 0 || samples > MOST_SAMPLES ? null : samples;
}

/** No packet that is joined of so many is larger, however long each is: `bytes` is their sum. */
export const joinedBytes = (bytes: number, packets: number): number => bytes + packets;

/**
 * Packets of one frame each (code 0) as one packet of all those frames (code 3, variable lengths; RFC 6716, 3.2.5).
 * @throws RangeError where they differ in configuration, or are no single frames
 */
export function joinOpusFrames(packets: readonly Uint8Array[]): Uint8Array {
  const [first] = packets;
  if (packets.length === 1 && first) return first;
  const toc = first?.[0] ?? 3;
  if ((toc & 3) !== 0 || packets.some((packet) => packet[0] !== toc))
    throw new RangeError('only single frames of one configuration fit into one Opus packet');
  if (packets.length * FRAME_SAMPLES[toc >> 3]! > MOST_SAMPLES)
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
