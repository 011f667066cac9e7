/** The agent's own noise, collected from the threads that cause it, and messages from unknown peers. */
import type { wire } from '@carillon/proto';
import type { LinkState } from '../link/link-machine.ts';
import { NoiseMeter } from '../rtp/figures/noise-meter.ts';
import type { MediaThreads } from '../rtp/threads/media-threads.ts';
import type { SignallingNoise } from '../run/report/noise.ts';
import { NoiseCollector } from '../run/report/noise.ts';

/** A signalling thread reports every second, busy or idle. */
const MAX_SILENCE_MS = 5000;

export class AgentNoise {
  /** Counts since the start. */
  readonly strays = { malformed: 0, refusedByPolicy: 0, unclaimed: 0, withheld: 0 };
  readonly #collector: NoiseCollector;
  readonly #startedAtMs: number;
  /** The time of each thread's last report, by listener. */
  readonly #heardAtMs = new Map<number, number>();
  /** The obstacle in each thread's last report, by listener. */
  readonly #obstacles = new Map<number, string | null>();
  readonly #meters: readonly NoiseMeter[];
  readonly #stamps: MediaThreads['stamps'];

  constructor({ memories, stamps }: Pick<MediaThreads, 'memories' | 'stamps'>, atMs: number) {
    this.#collector = new NoiseCollector(atMs);
    this.#startedAtMs = atMs;
    this.#meters = memories.map((memory) => new NoiseMeter(memory));
    this.#stamps = stamps;
  }

  add(one: SignallingNoise, listener: number, atMs: number): void {
    this.#heardAtMs.set(listener, atMs);
    this.#obstacles.set(listener, one.obstacle);
    this.#collector.add(one);
    this.strays.malformed += one.malformed;
    this.strays.refusedByPolicy += one.refusedByPolicy;
    this.strays.unclaimed += one.unclaimed;
    this.strays.withheld += one.withheld;
  }

  /** Why SIP may remain unanswered: a signalling thread does not report; null: all threads report. */
  silence(nowMs: number, listeners: number): string | null {
    for (let listener = 0; listener < listeners; listener++) {
      const silentMs = nowMs - (this.#heardAtMs.get(listener) ?? this.#startedAtMs);
      if (silentMs > MAX_SILENCE_MS)
        return `signalling thread ${listener} has been silent for ${Math.round(silentMs / 1000)} s: it gets no processor time, or it hangs`;
    }
    return null;
  }

  /** Why the agent could do no work now, for readiness; null: it could. */
  obstacle(link: LinkState, nowMs: number, listeners: number): string | null {
    if (link !== 'ONLINE') return 'not connected to the control plane';
    return this.silence(nowMs, listeners) ?? [...this.#obstacles.values()].find((one) => one !== null) ?? null;
  }

  /** The noise of the interval since the last call. */
  take(atMs: number, offsetMs: number): wire.agent.v1.Noise.$Properties {
    const media = this.#meters.map((meter) => meter.read());
    return this.#collector.take(atMs, offsetMs, media, this.#stamps);
  }
}
