/**
 * The agent's own noise by interval: that of media threads, signalling threads and the main thread together
 * (docs/decisions.md, Verdict).
 */
import { readFileSync } from 'node:fs';
import { type SparseHistogram, toSparse } from '@carillon/media/quality/histogram.ts';
import type { wire } from '@carillon/proto';
import { nowMs as clockMs } from '../../clock.ts';
import type { MediaNoise } from '../../rtp/figures/noise-meter.ts';
import { histogram, mergeSparse } from './encode-facts.ts';

type Noise = wire.agent.v1.Noise.$Properties;

/** A signalling thread's own noise since its last report. */
export type SignallingNoise = {
  readonly op: 'noise';
  readonly loopDelayMs: SparseHistogram;
  /** The share of one core, 0 to 1. */
  readonly threadCpu: number;
  readonly receiveDrops: number;
  readonly received: number;
  readonly activeEndpoints: number;
  readonly malformed: number;
  /** SIP messages that the policy kept from being sent or processed. */
  readonly refusedByPolicy: number;
  /** INVITEs and OPTIONS of unknown peers that no endpoint accepted. */
  readonly unclaimed: number;
  /** Responses to unknown peers that were not sent. */
  readonly withheld: number;
  /** The number of refused steps of the tables of shares and endpoints, by step. */
  readonly refusedSteps: Readonly<Record<string, number>>;
  /** Why its SIP engine can neither send nor receive, at the time of the report; null: it can. */
  readonly obstacle: string | null;
};

/** CPU time of the whole host in ticks: total, and stolen by the hypervisor. */
type HostTime = { readonly total: number; readonly stolen: number };

/**
 * The wall clock was set if it moved by more than this against the monotonic one between two readings, beyond the time
 * of the readings themselves.
 */
const STEP_MS = 20;
/** A process compiles its code while it runs. After this time, a call costs what it costs later (docs/benchmarks.md). */
const COLD_SECONDS = 60;

export class NoiseCollector {
  #signalling: SignallingNoise[] = [];
  #host: HostTime | null = hostTime();
  #fromMs: number;
  #mainCpu = process.threadCpuUsage();
  #wallOffsetMs: number;

  constructor(nowMs: number) {
    this.#fromMs = nowMs;
    this.#wallOffsetMs = wallOffsetMs();
  }

  add(noise: SignallingNoise): void {
    this.#signalling.push(noise);
  }

  /** The noise of the interval since the last call. */
  take(nowMs: number, offsetMs: number, media: readonly MediaNoise[], stamps: 'kernel' | 'user'): Noise {
    const seconds = (nowMs - this.#fromMs) / 1000;
    const signalling = this.#signalling;
    const loops = [...signalling.map((s) => s.loopDelayMs), ...media.map((m) => toSparse(m.turnDelayMs))];
    const pacing: SparseHistogram[] = media.map((m) => toSparse(m.pacingErrorMs));
    const main = process.threadCpuUsage(this.#mainCpu);
    const threads = [
      (main.user + main.system) / 1e6 / seconds,
      ...signalling.map((s) => s.threadCpu),
      ...media.map((m) => m.threadCpu),
    ];
    const total = (pick: (m: MediaNoise) => number) => media.reduce((n, m) => n + pick(m), 0);
    const noise: Noise = {
      fromUnixMs: this.#fromMs + offsetMs,
      seconds,
      pacingErrorMs: histogram(mergeSparse(pacing)),
      slotsPlanned: total((m) => m.slotsPlanned),
      slotsSkipped: total((m) => m.slotsSkipped),
      loopDelayMs: histogram(mergeSparse(loops)),
      threadCpu: Math.max(...threads),
      steal: this.#steal(),
      receiveDrops: total((m) => m.receiveDrops) + signalling.reduce((n, s) => n + s.receiveDrops, 0),
      received: total((m) => m.received) + signalling.reduce((n, s) => n + s.received, 0),
      clockSteps: Math.max(
        total((m) => m.clockSteps),
        this.#clockSteps(),
      ),
      stamps,
      coldSeconds: coldSeconds(process.uptime() - seconds, process.uptime()),
    };
    this.#signalling = [];
    this.#fromMs = nowMs;
    this.#mainCpu = process.threadCpuUsage();
    return noise;
  }

  /** Media threads read the clock only while there are streams. */
  #clockSteps(): number {
    const before = this.#wallOffsetMs;
    this.#wallOffsetMs = wallOffsetMs();
    return Math.abs(this.#wallOffsetMs - before) > STEP_MS ? 1 : 0;
  }

  /** NaN if the host does not report it. */
  #steal(): number {
    const before = this.#host;
    const now = hostTime();
    this.#host = now;
    if (!before || !now || now.total <= before.total) return Number.NaN;
    return (now.stolen - before.stolen) / (now.total - before.total);
  }
}

/** The seconds of an interval that were in the first minute of the process; `from` and `to` are its age in seconds. */
export const coldSeconds = (from: number, to: number): number =>
  Math.max(Math.min(to, COLD_SECONDS) - Math.max(from, 0), 0);

/** The difference of both clocks, read together; of some readings, the narrowest counts. */
function wallOffsetMs(): number {
  let best = { widthMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let i = 0; i < 5; i++) {
    const before = clockMs();
    const wall = Date.now();
    const widthMs = clockMs() - before;
    if (widthMs < best.widthMs) best = { widthMs, offsetMs: wall - before };
  }
  return best.offsetMs;
}

/** First line of /proc/stat: user nice system idle iowait irq softirq steal (proc(5)). */
function hostTime(): HostTime | null {
  try {
    const line = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0] ?? '';
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
    if (ticks.length < 8 || ticks.some(Number.isNaN)) return null;
    return { total: ticks.reduce((a, b) => a + b, 0), stolen: ticks[7] as number };
  } catch {
    return null;
  }
}
