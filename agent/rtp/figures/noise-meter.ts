/**
 * The media thread's own noise: planned and actual work, the difference, and its cost. Figures cover the time since the
 * last reading.
 */
import { copy, type Histogram, since } from '@carillon/media/quality/histogram.ts';
import type { MediaMemory, NoiseColumns } from './stream-memory.ts';

export type MediaNoise = {
  /** The instant of sending minus the planned one, ms. */
  readonly pacingErrorMs: Histogram;
  /** Actual minus planned instant of a turn, ms; counted once per millisecond. */
  readonly turnDelayMs: Histogram;
  /** Packets that were due; packets sent; packets more than a packet time late. */
  readonly slotsPlanned: number;
  readonly slotsSent: number;
  readonly slotsSkipped: number;
  readonly sendErrors: number;
  /** Datagrams of any kind, and those that the kernel dropped because our queue was full. */
  readonly received: number;
  readonly receiveDrops: number;
  readonly clockSteps: number;
  /** The share of one core that the thread used, 0 to 1; 0 while idle. */
  readonly threadCpu: number;
};

type Sums = { -readonly [K in keyof NoiseColumns]: number };

export class NoiseMeter {
  readonly #memory: MediaMemory;
  #sums: Sums;
  #pacingErrorMs: Histogram;
  #turnDelayMs: Histogram;

  constructor(memory: MediaMemory) {
    this.#memory = memory;
    this.#sums = sumsOf(memory.noise);
    this.#pacingErrorMs = copy(memory.pacingErrorMs);
    this.#turnDelayMs = copy(memory.turnDelayMs);
  }

  read(): MediaNoise {
    const before = this.#sums;
    const now = sumsOf(this.#memory.noise);
    const pacingError = copy(this.#memory.pacingErrorMs);
    const turnDelay = copy(this.#memory.turnDelayMs);
    // `cpuAtMs` is 0 until the thread has read its clock for the first time.
    const elapsedMs = before.cpuAtMs > 0 ? now.cpuAtMs - before.cpuAtMs : 0;
    const noise = {
      pacingErrorMs: since(pacingError, this.#pacingErrorMs),
      turnDelayMs: since(turnDelay, this.#turnDelayMs),
      slotsPlanned: now.slotsPlanned - before.slotsPlanned,
      slotsSent: now.slotsSent - before.slotsSent,
      slotsSkipped: now.slotsSkipped - before.slotsSkipped,
      sendErrors: now.sendErrors - before.sendErrors,
      received: now.received - before.received,
      receiveDrops: now.receiveDrops - before.receiveDrops,
      clockSteps: now.clockSteps - before.clockSteps,
      threadCpu: elapsedMs > 0 ? (now.cpuMs - before.cpuMs) / elapsedMs : 0,
    };
    this.#sums = now;
    this.#pacingErrorMs = pacingError;
    this.#turnDelayMs = turnDelay;
    return noise;
  }
}

const sumsOf = (noise: NoiseColumns): Sums =>
  Object.fromEntries(Object.entries(noise).map(([name, column]) => [name, column[0]])) as Sums;
