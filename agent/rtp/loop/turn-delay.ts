/** Measures the lateness of turns, and excuses missing packets after a late one. */
import { addDelay } from '@carillon/media/quality/histogram.ts';
import { excuseDelay } from '@carillon/media/rtp/absence.ts';
import { ACTIVE, type MediaMemory } from '../figures/stream-memory.ts';

/** The intended interval of turns while there are streams. */
const TICK_MS = 1;
/** After a stall of this length, packets of our own loopback streams are missing. */
const LONG_DELAY_MS = 250;

export function noteTurnDelay(memory: MediaMemory, delayMs: number): void {
  addDelay(memory.turnDelayMs, delayMs, TICK_MS);
  if (delayMs < LONG_DELAY_MS) return;
  const { state } = memory.streams;
  for (let row = 0; row < memory.capacity; row++) if (state[row] === ACTIVE) excuseDelay(memory.received, row, delayMs);
}
