/** The agent's own noise, gathered from the threads that make it; and what came to them from nobody that they know. */
import type { wire } from '@carillon/proto';
import { NoiseMeter } from '../rtp/figures/noise-meter.ts';
import type { MediaThreads } from '../rtp/threads/media-threads.ts';
import type { SignallingNoise } from '../run/report/noise.ts';
import { NoiseCollector } from '../run/report/noise.ts';

export class AgentNoise {
  /** Since the start. */
  readonly strays = { malformed: 0, refusedByPolicy: 0, unclaimed: 0 };
  readonly #collector: NoiseCollector;
  readonly #meters: readonly NoiseMeter[];
  readonly #stamps: MediaThreads['stamps'];

  constructor({ memories, stamps }: Pick<MediaThreads, 'memories' | 'stamps'>, atMs: number) {
    this.#collector = new NoiseCollector(atMs);
    this.#meters = memories.map((memory) => new NoiseMeter(memory));
    this.#stamps = stamps;
  }

  add(one: SignallingNoise): void {
    this.#collector.add(one);
    this.strays.malformed += one.malformed;
    this.strays.refusedByPolicy += one.refusedByPolicy;
    this.strays.unclaimed += one.unclaimed;
  }

  /** The interval since the last call. */
  take(atMs: number, offsetMs: number): wire.agent.v1.Noise.$Properties {
    const media = this.#meters.map((meter) => meter.read());
    return this.#collector.take(atMs, offsetMs, media, this.#stamps);
  }
}
