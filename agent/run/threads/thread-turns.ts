/**
 * The turns of a signalling thread: every few milliseconds while it has work, rarely otherwise. They also send the
 * facts of its shares to the main thread, and each second its noise.
 */
import { addDelay, createHistogram, toSparse } from '@carillon/media/quality/histogram.ts';
import { nowMs } from '../../clock.ts';
import type { MediaEngine } from '../../rtp/media-engine.ts';
import { busyTurnMs, type Doorbell, IDLE_TURN_MS, keepTurning, loadTurnMs } from '../../sip/turns.ts';
import { takeRefused } from '../../steps.ts';
import type { AllocationShare } from '../allocation/share.ts';
import { receivedMessages } from '../report/facts-buffer.ts';
import type { Places } from './places.ts';
import { type Tell, tellFacts } from './tell-facts.ts';

/** A message to the main thread costs as much as the facts of several calls. */
const FLUSH_MS = 250;
const NOISE_MS = 1000;

type TurningParts = {
  readonly shares: Map<number, AllocationShare>;
  readonly places: Places;
  readonly media: Pick<MediaEngine, 'turn'>;
  /** Whether promises of orders are pending. */
  readonly orders: { readonly isAwaiting: boolean };
  readonly tell: Tell;
  /** Tests set their own clock. */
  readonly clock?: () => number;
};

export class ThreadTurns {
  readonly #shares: TurningParts['shares'];
  readonly #places: Places;
  readonly #media: TurningParts['media'];
  readonly #orders: TurningParts['orders'];
  readonly #tell: Tell;
  readonly #clock: () => number;
  #dueMs: number;
  #waitMs = IDLE_TURN_MS;
  #turnedAtMs: number;
  #flushDueMs = 0;
  #noiseAtMs: number;
  #loopDelayMs = createHistogram();
  #received = 0;
  #countsBefore: Places['counts'];
  #cpuBefore = process.threadCpuUsage();
  #isEnded = false;
  #wake = (): void => undefined;

  constructor({ shares, places, media, orders, tell, clock = nowMs }: TurningParts) {
    this.#shares = shares;
    this.#places = places;
    this.#media = media;
    this.#orders = orders;
    this.#tell = tell;
    this.#clock = clock;
    this.#dueMs = clock();
    this.#turnedAtMs = this.#dueMs;
    this.#noiseAtMs = this.#dueMs;
    this.#countsBefore = places.counts;
  }

  begin(doorbell: Doorbell): void {
    this.#dueMs = this.#clock();
    this.#wake = keepTurning({ turn: () => this.#turn(), needsLoop: () => this.#needsLoop(), doorbell });
  }

  /** Starts the next turn now; has no effect before the first one. */
  wake(): void {
    this.#wake();
  }

  /** Reports the last facts, and ends the turns. */
  end(): void {
    this.#flush(this.#clock());
    this.#isEnded = true;
  }

  #turn(): number | null {
    if (this.#isEnded) return null;
    const now = this.#clock();
    if (this.#isMeasuring()) addDelay(this.#loopDelayMs, Math.max(0, now - this.#dueMs), this.#waitMs);
    for (const share of this.#shares.values()) share.turn(now);
    this.#media.turn();
    this.#places.find(now);
    const came = this.#places.turn(now);
    if (now >= this.#flushDueMs || this.#isUrgent()) this.#flush(now);
    if (now - this.#noiseAtMs >= NOISE_MS) this.#reportNoise(now);
    const isBusy = this.#places.busy || this.#shares.size > 0 || this.#orders.isAwaiting || came > 0;
    // Measured from the end of this turn.
    const nextCallMs = this.#nextCallAtMs() - this.#clock();
    const busyMs = Number.isNaN(nextCallMs) ? busyTurnMs(came, now - this.#turnedAtMs) : loadTurnMs(nextCallMs);
    const wait = isBusy ? busyMs : IDLE_TURN_MS;
    this.#turnedAtMs = now;
    this.#waitMs = wait;
    // Measured from the start of the turn: work that becomes due during a turn counts as waiting, too.
    this.#dueMs = now + wait;
    return wait;
  }

  /** The next call of the loads if this thread has nothing else to do; otherwise NaN. */
  #nextCallAtMs(): number {
    let next = Number.NaN;
    for (const { load } of this.#shares.values()) {
      if (load === null) return Number.NaN;
      next = Number.isNaN(next) ? load.nextAtMs : Math.min(next, load.nextAtMs);
    }
    return next;
  }

  /** Whether the control plane or calls of other threads wait for the facts. */
  #isUrgent(): boolean {
    for (const { facts } of this.#shares.values()) if (facts.isUrgent) return true;
    return false;
  }

  /** Whether the delay of turns counts: creating thousands of endpoints takes time, but must not delay a due call. */
  #isMeasuring(): boolean {
    for (const share of this.#shares.values()) if (share.state === 'RUNNING' || share.state === 'STOPPING') return true;
    return false;
  }

  #needsLoop(): boolean {
    if (this.#places.needsLoop || this.#orders.isAwaiting) return true;
    // TLS handshakes continue in the event loop.
    for (const { plan } of this.#shares.values()) if (plan.group.protocol === 'TLS') return true;
    return false;
  }

  #flush(now: number): void {
    this.#flushDueMs = now + FLUSH_MS;
    const facts = [];
    let isEnd = false;
    for (const [owner, share] of this.#shares) {
      const taken = share.takeFacts(now);
      if (taken) {
        facts.push(taken);
        this.#received += receivedMessages(taken);
      }
      if (!share.isOver) continue;
      this.#shares.delete(owner);
      isEnd = true;
    }
    const uses = (source: string): boolean =>
      [...this.#shares.values()].some(({ plan }) => plan.group.sourceAddress === source);
    this.#places.tidy(uses, now);
    // The report includes what disturbed the end of the run.
    if (isEnd) this.#reportNoise(now);
    if (facts.length > 0) tellFacts(this.#tell, facts);
  }

  #reportNoise(now: number): void {
    const cpu = process.threadCpuUsage(this.#cpuBefore);
    this.#cpuBefore = process.threadCpuUsage();
    const counts = this.#places.counts;
    const before = this.#countsBefore;
    this.#tell({
      op: 'noise',
      loopDelayMs: toSparse(this.#loopDelayMs),
      threadCpu: Math.min(1, (cpu.user + cpu.system) / 1000 / Math.max(1, now - this.#noiseAtMs)),
      receiveDrops: counts.receiveDrops - before.receiveDrops,
      received: this.#received,
      activeEndpoints: [...this.#shares.values()].reduce((n, s) => n + s.openEndpoints, 0),
      malformed: counts.malformed - before.malformed,
      refusedByPolicy: counts.refusedByPolicy - before.refusedByPolicy,
      unclaimed: counts.unclaimed - before.unclaimed,
      withheld: counts.withheld - before.withheld,
      refusedSteps: takeRefused(),
      obstacle: this.#places.own.engines.main.obstacle,
    });
    this.#loopDelayMs = createHistogram();
    this.#countsBefore = counts;
    this.#received = 0;
    this.#noiseAtMs = now;
  }
}
