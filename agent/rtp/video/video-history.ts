/**
 * Recently sent video packets, for retransmission on request (RFC 4585, 6.2.1): only numbers, because the packets
 * belong to the clip.
 */

/** More than a second of 4 Mbit/s. */
const HISTORY_PACKETS = 512;

/** Stands for the lack of a packet. */
const NONE = 0xffff_ffff;

export class VideoHistory {
  readonly #sequences = new Uint32Array(HISTORY_PACKETS).fill(NONE);
  readonly #sentAtMs = new Float64Array(HISTORY_PACKETS);
  /** The packet's number in the clip, by slot. */
  readonly packets = new Uint32Array(HISTORY_PACKETS);
  readonly timestamps = new Uint32Array(HISTORY_PACKETS);
  readonly pictureIds = new Uint32Array(HISTORY_PACKETS);

  /** Forgets all packets, because the clip has changed. */
  clear(): void {
    this.#sequences.fill(NONE);
  }

  add(sequence: number, packet: number, timestamp: number, pictureId: number, atMs: number): void {
    const slot = sequence % HISTORY_PACKETS;
    this.#sequences[slot] = sequence;
    this.packets[slot] = packet;
    this.timestamps[slot] = timestamp;
    this.pictureIds[slot] = pictureId;
    this.#sentAtMs[slot] = atMs;
  }

  /** Returns the slot of a packet that may be sent again: it is known, and was not sent within `quietMs`. -1: it may not be. */
  take(sequence: number, nowMs: number, quietMs: number): number {
    const slot = sequence % HISTORY_PACKETS;
    if (this.#sequences[slot] !== sequence || nowMs - this.#sentAtMs[slot]! < quietMs) return -1;
    this.#sentAtMs[slot] = nowMs;
    return slot;
  }
}
