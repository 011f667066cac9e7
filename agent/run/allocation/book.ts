/**
 * The agent's allocations, on its main thread: passes shares to signalling threads, collects facts from them and from
 * the samplers, and reports DONE only after the last figure of the last stream.
 */
import type { wire } from '@carillon/proto';
import type { LoadStep } from '@carillon/proto/load/load-step.ts';
import { nowMs } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { OpenOpusDecoder } from '../../rtp/figures/audio-meter.ts';
import type { MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { AllocationRefused } from '../limits/allocation-refused.ts';
import { CallWindow } from '../limits/call-window.ts';
import { beginsOf } from '../limits/check-policy.ts';
import { atOnceOf, decodeAllocation, type HostLimits, type Limits, streamsOf } from '../order/decode-allocation.ts';
import type { SharePlan, TrackPlan } from '../plan.ts';
import type { ReportedState, ShareFacts } from '../report/facts.ts';
import type { Gathered, Pending } from '../report/pending.ts';
import { WithheldDetail } from '../report/withheld-detail.ts';
import { ALLOCATION, type AllocationEvent, isOpen } from './allocation-machine.ts';
import { BookReports } from './book-reports.ts';
import { AGAIN } from './gone-allocations.ts';
import {
  type BookEvents,
  carriedBeside,
  enter,
  type HeldAllocation,
  judgeCalls,
  type MediaHolder,
  NO_LIBRARY,
  type ShareThread,
  type Taken,
  withVideo,
} from './held-allocation.ts';
import { HeldAllocations } from './held-allocations.ts';

const ENDING_SAMPLE_MS = 50;

type BookOptions = {
  readonly threads: readonly ShareThread[];
  readonly memories: readonly MediaMemory[];
  /** The limits at the time of the call. */
  readonly limits: (taken: Taken) => HostLimits;
  readonly log: Log;
  readonly events: BookEvents;
  /** Absent: no media are played. */
  readonly library?: MediaHolder | undefined;
  /** Absent: Opus cannot be decoded here. */
  readonly openOpus?: OpenOpusDecoder;
};

export class Book {
  readonly #allocations = new HeldAllocations();
  readonly #reports: BookReports;
  readonly #threads: readonly ShareThread[];
  readonly #limits: (taken: Taken) => HostLimits;
  readonly #log: Log;
  readonly #events: BookEvents;
  readonly #library: MediaHolder;
  #owners = 0;

  constructor({ threads, memories, limits, log, events, library = NO_LIBRARY, openOpus }: BookOptions) {
    this.#threads = threads;
    this.#limits = limits;
    this.#log = log;
    this.#events = events;
    this.#library = library;
    const heldBy = (owner: number) => this.#allocations.ofOwner(owner);
    const mayKeep = () => this.#limits(this).policy.mayKeep;
    this.#reports = new BookReports({ memories, openOpus: openOpus ?? null, events, heldBy, mayKeep, log });
  }

  /** Allocations whose last facts are not committed yet, for the greeting. */
  get held(): string[] {
    return this.#allocations.ids;
  }

  /** Endpoints that occupy this agent, at work at the same time. */
  get endpoints(): number {
    return this.#allocations.endpoints;
  }

  /** Streams that these endpoints have, or may have. */
  get streams(): number {
    return this.#allocations.streams;
  }

  get isIdle(): boolean {
    return this.#allocations.isIdle;
  }

  /** A repeated order (its receipt was lost) changes nothing. */
  async allocate(id: string, runId: string, allocation: wire.agent.v1.Allocation): Promise<void> {
    if (this.#allocations.get(id)) return;
    const owner = ++this.#owners;
    const endpoints = atOnceOf(allocation);
    const held: HeldAllocation = {
      id,
      owner,
      runId,
      sampleIntervalMs: allocation.sampleIntervalMs,
      shares: new Map(),
      states: new Map(),
      endpoints,
      streams: streamsOf(allocation),
      ...beginsOf(allocation),
      startAtMs: null,
      stopping: false,
      calls: null,
      withheld: null,
      state: ALLOCATION.initial,
      committedBy: null,
    };
    this.#allocations.add(held);
    if (this.#allocations.isGone(id)) return void this.#tellState(held, 'refused', 'REFUSED', 'INTERNAL', AGAIN);
    const judged = () => decodeAllocation(allocation, owner, this.#threads.length, this.#limitsOf(held));
    try {
      const all = [...(await judged()).values()][0]?.group.tracks ?? [];
      const tracks = all.filter((track) => track.direction !== 'RECEIVE');
      if (held.state !== 'JUDGING') return;
      await this.#load(id, tracks);
      // The owner may have changed the policy while they were loaded.
      const shares = held.state === 'JUDGING' ? await judged() : new Map<number, SharePlan>();
      held.shares = new Map([...shares].map(([listener, plan]) => [listener, withVideo(plan, this.#library)]));
      const [plan] = shares.values();
      held.calls = plan?.breaker ? new CallWindow(plan.breaker) : null;
      held.withheld = plan?.keeping ? new WithheldDetail(plan) : null;
    } catch (error) {
      this.#library.release(id);
      const code = error instanceof AllocationRefused ? error.code : 'INTERNAL';
      this.#tellState(held, 'refused', 'REFUSED', code, (error as Error).message);
      this.#log.warn({ allocation: id, run: runId, code, error: (error as Error).message }, 'allocation refused');
      return;
    }
    // The allocation was stopped while its media were loaded.
    if (!this.#enter(held, 'taken')) {
      this.#library.release(id);
      return;
    }
    this.#log.info({ allocation: id, run: runId, endpoints }, 'allocation taken');
    for (const [listener, plan] of held.shares) this.#threads[listener]?.tell({ op: 'allocate', plan });
  }

  /** The current limits. What the allocation itself occupies is not subtracted. */
  #limitsOf(held: HeldAllocation): Limits {
    const limits = this.#limits(this);
    const { room, streamRoom } = limits;
    return {
      ...limits,
      room: room + held.endpoints,
      streamRoom: streamRoom + held.streams,
      carried: carriedBeside([...this.#allocations.all()], held, nowMs()),
    };
  }

  async #load(id: string, tracks: readonly TrackPlan[]): Promise<void> {
    try {
      await this.#library.hold(id, tracks);
    } catch (error) {
      throw new AllocationRefused('MEDIA_MISSING', `its media are not available: ${(error as Error).message}`);
    }
  }

  start(ids: readonly string[], startAtMs: number): void {
    for (const id of ids) {
      const held = this.#allocations.get(id);
      if (held) held.startAtMs = startAtMs;
    }
    this.#each(ids, (held, thread) => thread.tell({ op: 'start', owner: held.owner, startAtMs }));
  }

  finish(ids: readonly string[]): void {
    this.#each(ids, (held, thread) => thread.tell({ op: 'finish', owner: held.owner }));
  }

  stop(ids: readonly string[], reason: string): void {
    for (const id of ids) {
      const held = this.#allocations.get(id);
      if (held && held.shares.size === 0 && isOpen(held.state)) this.#tellState(held, 'stopped', 'DONE', '', reason);
    }
    this.#each(ids, (held, thread) => thread.tell({ op: 'stop', owner: held.owner, reason }));
  }

  /** The control plane no longer knows these: they end, and their facts are dropped. */
  forget(ids: readonly string[], reason: string): void {
    this.stop(ids, reason);
    for (const id of ids) {
      const held = this.#allocations.get(id);
      if (held && !isOpen(held.state)) this.#remove(held, 'forgotten');
    }
  }

  hold(held: boolean): void {
    for (const thread of this.#threads) thread.tell({ op: 'hold', held });
  }

  /** The control plane says that another agent's breaker opened. `untilMs` Infinity: for good. */
  breakOff(ids: readonly string[], untilMs: number, reason: string): void {
    this.#each(ids, (held, thread) => thread.tell({ op: 'breakOff', owner: held.owner, untilMs, reason }));
  }

  changeLoad(ids: readonly string[], steps: readonly LoadStep[]): void {
    this.#each(ids, (held, thread) => thread.tell({ op: 'changeLoad', owner: held.owner, steps }));
  }

  /** Allocations end, the newest first, until no more endpoints than these are left. */
  shrink(endpoints: number, reason: string): void {
    for (const held of [...this.#allocations.all()].reverse()) {
      if (this.#allocations.endpointsGoingOn <= endpoints) return;
      if (isOpen(held.state)) this.stop([held.id], reason);
      held.stopping = true;
    }
  }

  stopAll(reason: string): void {
    this.stop(this.held, reason);
  }

  onFacts(listener: number, facts: ShareFacts): void {
    const held = this.#allocations.ofOwner(facts.owner);
    if (!held) return;
    this.#events.onSip(facts, held.runId);
    this.#reports.add(held, facts, held.shares.get(listener));
    judgeCalls(held, facts);
    // The allocation's other threads call the same target.
    for (const { untilMs, reason } of facts.breaches) this.breakOff([held.id], untilMs, reason);
    if (facts.state === null) return;
    held.states.set(listener, facts.state);
    if (facts.state === 'REFUSED') {
      // The other listeners are stopped first: once the refusal is reported, the allocation counts as ended.
      this.#each([held.id], (e, thread) => thread.tell({ op: 'stop', owner: e.owner, reason: facts.reason }));
      this.#tellState(held, 'refused', 'REFUSED', facts.reasonCode, facts.reason);
      return;
    }
    const all = [...held.shares.keys()].every((l) => held.states.get(l) === facts.state);
    if (all && facts.state === 'READY') this.#tellState(held, 'ready', 'READY', '', '');
    if (all && facts.state === 'DONE') this.#enter(held, 'done');
  }

  /** Outcomes need not wait for the next samples: ended streams are read immediately. */
  settle(): void {
    this.#reports.settle();
  }

  /** Reads the samplers' new samples and records. */
  sample(atMs: number): void {
    this.#reports.sample(atMs);
    for (const held of this.#allocations.all())
      if (held.state === 'ENDING' && this.#reports.close(held)) this.#tellState(held, 'read', 'DONE', '', '');
  }

  /** Collected facts; `left` reports their batch. */
  take(): Pending[] {
    return this.#reports.take();
  }

  /**
   * The taken facts are in batches up to this one: once it is committed, so is the end of allocations reported in it.
   */
  left(number: number): void {
    for (const held of this.#allocations.all()) if (held.state === 'TOLD') held.committedBy ??= number;
  }

  get gathered(): Gathered {
    return this.#reports.gathered;
  }

  /**
   * Interval of samples; short while an allocation ends, so that its end need not wait. Infinity: nothing to sample.
   */
  get sampleIntervalMs(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const e of this.#allocations.all()) {
      if (isOpen(e.state))
        least = Math.min(least, e.state === 'ENDING' ? ENDING_SAMPLE_MS : e.sampleIntervalMs || 1000);
    }
    return least;
  }

  /** Batches up to `number` are committed: allocations whose end is in them are released. */
  committed(number: number): void {
    for (const held of this.#allocations.all()) {
      if (held.committedBy !== null && held.committedBy <= number) this.#remove(held, 'committed');
    }
  }

  /** The numbers of batches that are not committed are lower by this from now on. */
  renumbered(by: number): void {
    for (const held of this.#allocations.all()) if (held.committedBy !== null) held.committedBy -= by;
  }

  #enter(held: HeldAllocation, event: AllocationEvent): boolean {
    return enter(held, event, this.#log);
  }

  #tellState(held: HeldAllocation, event: AllocationEvent, state: ReportedState, code: string, reason: string): void {
    if (!this.#enter(held, event)) return;
    const pending = this.#reports.of(held);
    pending.state = state;
    pending.reasonCode = code;
    pending.reason = reason;
    if (state === 'READY') return;
    this.#library.release(held.id);
    this.#log.info({ allocation: held.id, run: held.runId, state, code }, 'allocation ended');
  }

  #remove(held: HeldAllocation, event: 'committed' | 'forgotten'): void {
    if (!this.#enter(held, event)) return;
    this.#allocations.remove(held);
    this.#reports.forget(held);
  }

  #each(ids: readonly string[], act: (held: HeldAllocation, thread: ShareThread) => void): void {
    this.#allocations.each(this.#threads, ids, act);
  }
}
