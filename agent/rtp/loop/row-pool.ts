/** The rows of the shared columns that are available for new streams. */
import { DIGIT_COLUMNS } from '@carillon/media/dtmf/receive-digits.ts';
import { INJECTED_COLUMNS } from '@carillon/media/impairment/injected.ts';
import { clearRow } from '@carillon/media/rtp/columns.ts';
import { RECEIVE_COLUMNS } from '@carillon/media/rtp/receive-columns.ts';
import { TAP_COLUMNS } from '../figures/audio-tap.ts';
import { FREE, type MediaMemory, STREAM_COLUMNS } from '../figures/stream-memory.ts';

export class RowPool {
  readonly #memory: MediaMemory;
  #cursor = 0;

  constructor(memory: MediaMemory) {
    this.#memory = memory;
  }

  /** A free row, prepared; null: all rows are in use or wait for the sampler. */
  take(): number | null {
    const { streams, received, injected, digits, tap, headers, capacity } = this.#memory;
    for (let i = 0; i < capacity; i++) {
      const row = (this.#cursor + i) % capacity;
      if (Atomics.load(streams.state, row) !== FREE) continue;
      this.#cursor = (row + 1) % capacity;
      const generation = streams.generation[row]! + 1;
      clearRow(STREAM_COLUMNS, streams, row);
      clearRow(RECEIVE_COLUMNS, received, row);
      clearRow(INJECTED_COLUMNS, injected, row);
      clearRow(DIGIT_COLUMNS, digits, row);
      clearRow(TAP_COLUMNS, tap, row);
      headers.sentLeft[row] = 0;
      headers.receivedLeft[row] = 0;
      streams.generation[row] = generation;
      return row;
    }
    return null;
  }
}
