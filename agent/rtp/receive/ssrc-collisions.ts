/** Detects a peer whose packets have our own SSRC (RFC 3550, 8.2): an echo of our packets, or a collision. */
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';

/** A packet that returns within this time is an echo: another source is unlikely to have our timestamps. */
const MAX_ECHO_MS = 60_000;
/**
 * Ten report intervals: a source that follows our changes of SSRC within this time is a mirror or an attacker, and we
 * keep ours (8.2).
 */
const FORGOTTEN_MS = 50_000;

const COLUMNS = { collidedAtMs: 'f64' } as const;

export class SsrcCollisions {
  readonly #memory: MediaMemory;
  readonly #columns;

  constructor(memory: MediaMemory) {
    this.#memory = memory;
    const bytes = columnsBytes(COLUMNS, memory.capacity);
    this.#columns = mapColumns(COLUMNS, memory.capacity, new ArrayBuffer(bytes));
  }

  begin(row: number): void {
    this.#columns.collidedAtMs[row] = Number.NEGATIVE_INFINITY;
  }

  /**
   * Whether we need another SSRC: a packet with ours has arrived, with `timestamp`, when our own was `ownTimestamp`.
   */
  collides(row: number, timestamp: number, ownTimestamp: number, atMs: number): boolean {
    const { streams, received } = this.#memory;
    const ago = (ownTimestamp - timestamp) >>> 0;
    if (streams.packetsSent[row]! > 0 && ago < MAX_ECHO_MS * received.unitsPerMs[row]!) return false;
    if (atMs - this.#columns.collidedAtMs[row]! < FORGOTTEN_MS) return false;
    this.#columns.collidedAtMs[row] = atMs;
    streams.ssrcCollisions[row]! += 1;
    return true;
  }
}
