/**
 * The agent's allocations, on its main thread: passes shares to signalling threads, collects facts from them and from
 * the samplers, and reports DONE only after the last figure of the last stream.
 */
import type { wire } from '@carillon/proto';
import type { LoadStep } from '@carillon/proto/load/load-clock.ts';
import { nowMs } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { OpenOpusDecoder } from '../../rtp/figures/audio-meter.ts';
import { takeHeaders, takeMissed } from '../../rtp/figures/header-trace.ts';
import { type SampleBatch, Sampler } from '../../rtp/figures/sampler.ts';
import type { MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { partsOf } from '../../rtp/figures/stream-samples.ts';
import { AllocationRefused } from '../limits/allocation-refused.ts';
import { CallWindow } from '../limits/call-window.ts';
import { beginsOf } from '../limits/check-policy.ts';
import { atOnceOf, decodeAllocation, type HostLimits, type Limits, streamsOf } from '../order/decode-allocation.ts';
import { OpenEnds } from '../outcome/open-ends.ts';
import type { SharePlan, TrackPlan } from '../plan.ts';
import type { Closed, ReportedState, ShareFacts } from '../report/facts.ts';
import { type Gathered, gatheredIn, Pending } from '../report/pending.ts';
import { WithheldDetail } from '../report/withheld-detail.ts';
import { ALLOCATION, type AllocationEvent, isOpen } from './allocation-machine.ts';
import { AGAIN, GoneAllocations } from './gone-allocations.ts';
import {
  type BookEvents,
  carriedBeside,
  enter,
  type HeldAllocation,
  holdsStreamsOf,
  judgeCalls,
  type MediaHolder,
  NO_LIBRARY,
  type ShareThread,
  type Taken,
  withVideo,
} from './held-allocation.ts';

const ENDING_SAMPLE_MS = 50;

export class Book {
  readonly #allocations = new Map<string, HeldAllocation>();
  readonly #byOwner = new Map<number, HeldAllocation>();
  readonly #pending = new Map<string, Pending>();
  readonly #gone = new GoneAllocations();
  readonly #ends = new OpenEnds();
  readonly #threads: readonly ShareThread[];
  readonly #samplers: readonly Sampler[];
  readonly #memories: readonly MediaMemory[];
  readonly #limits: (taken: Taken) => HostLimits;
  readonly #log: Log;
  readonly #events: BookEvents;
  readonly #library: MediaHolder;
  #owners = 0;

  constructor(
    threads: readonly ShareThread[],
    memories: readonly MediaMemory[],
    limits: (taken: Taken) => HostLimits,
    log: Log,
    events: BookEvents,
    library: MediaHolder = NO_LIBRARY,
    openOpus: OpenOpusDecoder | null = null,
  ) {
    this.#threads = threads;
    this.#memories = memories;
    this.#samplers = memories.map((memory) => new Sampler(memory, openOpus));
    this.#limits = limits;
    this.#log = log;
    this.#events = events;
    this.#library = library;
  }

  /** Allocations whose last facts are not committed yet, for the greeting. */
  get held(): string[] {
    return [...this.#allocations.keys()];
  }

  /** Endpoints that occupy this agent, at work at the same time. */
  get endpoints(): number {
    let n = 0;
    for (const held of this.#allocations.values()) if (isOpen(held.state)) n += held.endpoints;
    return n;
  }

  /** Streams that these endpoints have, or may have. */
  get streams(): number {
    let n = 0;
    for (const held of this.#allocations.values()) if (isOpen(held.state)) n += held.streams;
    return n;
  }

  get isIdle(): boolean {
    return [...this.#allocations.values()].every((e) => !isOpen(e.state));
  }

  /** A repeated order (its receipt was lost) changes nothing. */
  async allocate(id: string, runId: string, allocation: wire.agent.v1.Allocation): Promise<void> {
    if (this.#allocations.has(id)) return;
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
    this.#allocations.set(id, held);
    this.#byOwner.set(owner, held);
    if (this.#gone.has(id)) return void this.#tellState(held, 'refused', 'REFUSED', 'INTERNAL', AGAIN);
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
    // Stopped while its media were loaded.
    if (!this.#enter(held, 'taken')) {
      this.#library.release(id);
      return;
    }
    this.#log.info({ allocation: id, run: runId, endpoints }, 'allocation taken');
    for (const [listener, plan] of held.shares) this.#threads[listener]?.tell({ op: 'allocate', plan });
  }

  /** As they are now. What the allocation itself occupies is not taken from it. */
  #limitsOf(held: HeldAllocation): Limits {
    const limits = this.#limits(this);
    const { room, streamRoom } = limits;
    return {
      ...limits,
      room: room + held.endpoints,
      streamRoom: streamRoom + held.streams,
      carried: carriedBeside([...this.#allocations.values()], held, nowMs()),
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
    for (const held of [...this.#allocations.values()].reverse()) {
      if (this.#endpointsGoingOn <= endpoints) return;
      if (isOpen(held.state)) this.stop([held.id], reason);
      held.stopping = true;
    }
  }

  get #endpointsGoingOn(): number {
    let n = 0;
    for (const held of this.#allocations.values()) if (isOpen(held.state) && !held.stopping) n += held.endpoints;
    return n;
  }

  stopAll(reason: string): void {
    this.stop(this.held, reason);
  }

  onFacts(listener: number, facts: ShareFacts): void {
    const held = this.#byOwner.get(facts.owner);
    if (!held) return;
    const plan = held.shares.get(listener);
    if (plan) {
      const taken = this.#ends.take(facts, plan);
      this.#pendingOf(held).add(taken.facts);
      for (const closed of taken.closed) this.#close(closed);
    } else this.#pendingOf(held).add(facts);
    this.#events.onSip(facts, held.runId);
    judgeCalls(held, facts);
    // Its other threads call the same target.
    for (const { untilMs, reason } of facts.breaches) this.breakOff([held.id], untilMs, reason);
    if (facts.state === null) return;
    held.states.set(listener, facts.state);
    if (facts.state === 'REFUSED') {
      // The other listeners first: once the refusal is reported, the allocation counts as ended.
      this.#each([held.id], (e, thread) => thread.tell({ op: 'stop', owner: e.owner, reason: facts.reason }));
      this.#tellState(held, 'refused', 'REFUSED', facts.reasonCode, facts.reason);
      return;
    }
    const all = [...held.shares.keys()].every((l) => held.states.get(l) === facts.state);
    if (all && facts.state === 'READY') this.#tellState(held, 'ready', 'READY', '', '');
    if (all && facts.state === 'DONE') this.#enter(held, 'done');
  }

  #close(closed: Closed): void {
    const held = this.#byOwner.get(closed.owner);
    if (held) this.#pendingOf(held).close(closed);
    this.#events.onOutcome(closed.outcome);
  }

  /** Outcomes need not wait for the next samples: ended streams are read immediately. */
  settle(): void {
    if (!this.#ends.isWaiting) return;
    this.#takeHeaders();
    for (const sampler of this.#samplers) this.#takeBatch(sampler.takeClosed());
  }

  /** Figures of streams whose owner is gone are dropped. */
  #takeBatch({ samples, records }: SampleBatch): void {
    this.#events.onSamples(samples);
    for (const [owner, part] of partsOf(samples, (row) => samples.owner[row] as number)) {
      const held = this.#byOwner.get(owner);
      if (held) this.#pendingOf(held).addSamples(part);
    }
    for (const record of records) {
      const held = this.#byOwner.get(record.owner);
      this.#events.onStream(record);
      if (!held) continue;
      this.#pendingOf(held).addRecord(record);
      const closed = this.#ends.add(record);
      if (closed) this.#close(closed);
    }
  }

  /** Reads the samplers. */
  sample(atMs: number): void {
    this.#takeHeaders();
    for (const sampler of this.#samplers) this.#takeBatch(sampler.sample(atMs));
    for (const held of this.#allocations.values()) {
      if (held.state !== 'ENDING') continue;
      if (this.#memories.some((memory) => holdsStreamsOf(memory, held.owner))) continue;
      for (const closed of this.#ends.flush(held.owner)) this.#close(closed);
      this.#tellState(held, 'read', 'DONE', '', '');
    }
  }

  /** Before the rows of streams that have ended are free. */
  #takeHeaders(): void {
    const { mayKeep } = this.#limits(this).policy;
    for (const { headers } of this.#memories) {
      for (const header of takeHeaders(headers)) {
        const held = this.#byOwner.get(header.owner);
        if (held && mayKeep.rtpHeaders) this.#pendingOf(held).headers.push(header);
      }
      const missed = takeMissed(headers);
      if (missed > 0) this.#log.warn({ missed }, 'headers of RTP packets came faster than they were taken');
    }
  }

  /** Collected facts; `left` reports their batch. */
  take(): Pending[] {
    const taken = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of taken) pending.complete(this.#limits(this).policy.mayKeep);
    return taken;
  }

  /**
   * The taken facts are in batches up to this one: once it is committed, so is the end of allocations reported in it.
   */
  left(number: number): void {
    for (const held of this.#allocations.values()) if (held.state === 'TOLD') held.committedBy ??= number;
  }

  get gathered(): Gathered {
    return gatheredIn(this.#pending.values());
  }

  /**
   * Interval of samples; short while an allocation ends, so that its end need not wait. Infinity: nothing to sample.
   */
  get sampleIntervalMs(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const e of this.#allocations.values()) {
      if (isOpen(e.state))
        least = Math.min(least, e.state === 'ENDING' ? ENDING_SAMPLE_MS : e.sampleIntervalMs || 1000);
    }
    return least;
  }

  /** Batches up to `number` are committed: allocations whose end is in them are released. */
  committed(number: number): void {
    for (const held of this.#allocations.values()) {
      if (held.committedBy !== null && held.committedBy <= number) this.#remove(held, 'committed');
    }
  }

  /** Batches that are not committed have numbers that are less by this. */
  renumbered(by: number): void {
    for (const held of this.#allocations.values()) if (held.committedBy !== null) held.committedBy -= by;
  }

  #enter(held: HeldAllocation, event: AllocationEvent): boolean {
    return enter(held, event, this.#log);
  }

  #tellState(held: HeldAllocation, event: AllocationEvent, state: ReportedState, code: string, reason: string): void {
    if (!this.#enter(held, event)) return;
    const pending = this.#pendingOf(held);
    pending.state = state;
    pending.reasonCode = code;
    pending.reason = reason;
    if (state === 'READY') return;
    this.#library.release(held.id);
    this.#log.info({ allocation: held.id, run: held.runId, state, code }, 'allocation ended');
  }

  #remove(held: HeldAllocation, event: 'committed' | 'forgotten'): void {
    if (!this.#enter(held, event)) return;
    this.#allocations.delete(held.id);
    this.#gone.add(held.id);
    this.#byOwner.delete(held.owner);
    this.#ends.forget(held.owner);
    this.#pending.delete(held.id);
  }

  #pendingOf(held: HeldAllocation): Pending {
    let pending = this.#pending.get(held.id);
    if (!pending) {
      pending = new Pending(held.id, held.withheld);
      this.#pending.set(held.id, pending);
    }
    return pending;
  }

  #each(ids: readonly string[], act: (held: HeldAllocation, thread: ShareThread) => void): void {
    for (const id of ids) {
      const held = this.#allocations.get(id);
      if (!held || !isOpen(held.state)) continue;
      for (const listener of held.shares.keys()) {
        const thread = this.#threads[listener];
        if (thread) act(held, thread);
      }
    }
  }
}
