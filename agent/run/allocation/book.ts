/**
 * The agent's allocations, on its main thread: hands shares to signalling threads, gathers what they and the samplers tell,
 * and says DONE only after the last figure of the last stream.
 */
import type { wire } from '@carillon/proto';
import { nowMs } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { OpenOpusDecoder } from '../../rtp/figures/audio-meter.ts';
import { takeHeaders, takeMissed } from '../../rtp/figures/header-trace.ts';
import { byOwner, type SampleBatch, Sampler } from '../../rtp/figures/sampler.ts';
import type { MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { AllocationRefused } from '../limits/allocation-refused.ts';
import { CallWindow } from '../limits/call-window.ts';
import { type CarriedCalls, callsOf } from '../limits/check-policy.ts';
import { decodeAllocation, type HostLimits, type Limits, streamsOf } from '../order/decode-allocation.ts';
import type { SharePlan, TrackPlan } from '../order/plan.ts';
import { type Closed, OpenEnds } from '../outcome/open-ends.ts';
import type { ReportedState, ShareFacts } from '../report/facts.ts';
import type { SignallingThread } from '../threads/signalling-host.ts';
import {
  type BookEvents,
  type Entry,
  enter,
  holdsStreamsOf,
  type MediaShelf,
  NO_SHELF,
  newPending,
  type Pending,
  withVideo,
} from './book-entry.ts';
import { ENTRY, type EntryEvent, isOpen } from './entry-machine.ts';

const ENDING_SAMPLE_MS = 50;

/** What the allocations of the book occupy. */
type Taken = { readonly endpoints: number; readonly streams: number };

export class Book {
  readonly #entries = new Map<string, Entry>();
  readonly #byOwner = new Map<number, Entry>();
  readonly #pending = new Map<string, Pending>();
  readonly #ends = new OpenEnds();
  readonly #threads: readonly SignallingThread[];
  readonly #samplers: readonly Sampler[];
  readonly #memories: readonly MediaMemory[];
  readonly #limits: (taken: Taken) => HostLimits;
  readonly #log: Log;
  readonly #events: BookEvents;
  readonly #shelf: MediaShelf;
  #owners = 0;

  constructor(
    threads: readonly SignallingThread[],
    memories: readonly MediaMemory[],
    limits: (taken: Taken) => HostLimits,
    log: Log,
    events: BookEvents,
    shelf: MediaShelf = NO_SHELF,
    openOpus: OpenOpusDecoder | null = null,
  ) {
    this.#threads = threads;
    this.#memories = memories;
    this.#samplers = memories.map((memory) => new Sampler(memory, openOpus));
    this.#limits = limits;
    this.#log = log;
    this.#events = events;
    this.#shelf = shelf;
  }

  /** Allocations whose last facts are not committed yet: what the greeting names. */
  get held(): string[] {
    return [...this.#entries.keys()];
  }

  /** Endpoints that occupy this agent. */
  get endpoints(): number {
    let n = 0;
    for (const entry of this.#entries.values()) if (isOpen(entry.state)) n += entry.endpoints;
    return n;
  }

  /** Streams that these endpoints have, or may have. */
  get streams(): number {
    let n = 0;
    for (const entry of this.#entries.values()) if (isOpen(entry.state)) n += entry.streams;
    return n;
  }

  get isIdle(): boolean {
    return [...this.#entries.values()].every((e) => !isOpen(e.state));
  }

  /** An order that comes again (its receipt was lost) changes nothing. */
  async allocate(id: string, runId: string, allocation: wire.agent.v1.Allocation): Promise<void> {
    if (this.#entries.has(id)) return;
    const owner = ++this.#owners;
    const endpoints = allocation.endpoints?.number?.length ?? 0;
    const entry: Entry = {
      id,
      owner,
      runId,
      sampleIntervalMs: allocation.sampleIntervalMs,
      shares: new Map(),
      states: new Map(),
      endpoints,
      streams: streamsOf(allocation),
      callAtMs: callsOf(allocation),
      startAtMs: null,
      stopping: false,
      calls: null,
      state: ENTRY.initial,
      committedBy: null,
    };
    this.#entries.set(id, entry);
    this.#byOwner.set(owner, entry);
    const judged = () => decodeAllocation(allocation, owner, this.#threads.length, this.#limitsOf(entry));
    try {
      const all = [...(await judged()).values()][0]?.group.tracks ?? [];
      const tracks = all.filter((track) => track.direction !== 'RECEIVE');
      if (entry.state !== 'JUDGING') return;
      await this.#load(id, tracks);
      // The owner may have changed his mind while they were loaded.
      const shares = entry.state === 'JUDGING' ? await judged() : new Map<number, SharePlan>();
      entry.shares = new Map([...shares].map(([listener, plan]) => [listener, withVideo(plan, this.#shelf)]));
      const breaker = [...shares.values()][0]?.breaker ?? null;
      entry.calls = breaker && new CallWindow(breaker);
    } catch (error) {
      this.#shelf.release(id);
      const code = error instanceof AllocationRefused ? error.code : 'INTERNAL';
      this.#tellState(entry, 'refused', 'REFUSED', code, (error as Error).message);
      this.#log.warn({ allocation: id, run: runId, code, error: (error as Error).message }, 'allocation refused');
      return;
    }
    // Stopped while its media were loaded.
    if (!this.#enter(entry, 'taken')) {
      this.#shelf.release(id);
      return;
    }
    this.#log.info({ allocation: id, run: runId, endpoints }, 'allocation taken');
    for (const [listener, plan] of entry.shares) this.#threads[listener]?.tell({ op: 'allocate', plan });
  }

  /** As they are now. What the allocation itself occupies is not taken from it. */
  #limitsOf(entry: Entry): Limits {
    const limits = this.#limits(this);
    const { room, streamRoom } = limits;
    return {
      ...limits,
      room: room + entry.endpoints,
      streamRoom: streamRoom + entry.streams,
      carried: this.#carried(entry),
    };
  }

  async #load(id: string, tracks: readonly TrackPlan[]): Promise<void> {
    try {
      await this.#shelf.hold(id, tracks);
    } catch (error) {
      throw new AllocationRefused('MEDIA_MISSING', `its media are not available: ${(error as Error).message}`);
    }
  }

  start(ids: readonly string[], startAtMs: number): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry) entry.startAtMs = startAtMs;
    }
    this.#each(ids, (entry, thread) => thread.tell({ op: 'start', owner: entry.owner, startAtMs }));
  }

  finish(ids: readonly string[]): void {
    this.#each(ids, (entry, thread) => thread.tell({ op: 'finish', owner: entry.owner }));
  }

  stop(ids: readonly string[], reason: string): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry && entry.shares.size === 0 && isOpen(entry.state))
        this.#tellState(entry, 'stopped', 'DONE', '', reason);
    }
    this.#each(ids, (entry, thread) => thread.tell({ op: 'stop', owner: entry.owner, reason }));
  }

  /** The control plane does not know these any more: they end, and nobody waits for their facts. */
  forget(ids: readonly string[], reason: string): void {
    this.stop(ids, reason);
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry && !isOpen(entry.state)) this.#remove(entry, 'forgotten');
    }
  }

  hold(held: boolean): void {
    for (const thread of this.#threads) thread.tell({ op: 'hold', held });
  }

  /** The control plane says that another agent's breaker opened. `untilMs` Infinity: for good. */
  breakOff(ids: readonly string[], untilMs: number, reason: string): void {
    this.#each(ids, (entry, thread) => thread.tell({ op: 'breakOff', owner: entry.owner, untilMs, reason }));
  }

  /** Allocations end, the newest first, until no more endpoints than these are left. */
  shrink(endpoints: number, reason: string): void {
    for (const entry of [...this.#entries.values()].reverse()) {
      if (this.#endpointsGoingOn <= endpoints) return;
      if (isOpen(entry.state)) this.stop([entry.id], reason);
      entry.stopping = true;
    }
  }

  get #endpointsGoingOn(): number {
    let n = 0;
    for (const entry of this.#entries.values()) if (isOpen(entry.state) && !entry.stopping) n += entry.endpoints;
    return n;
  }

  stopAll(reason: string): void {
    this.stop(this.held, reason);
  }

  onFacts(listener: number, facts: ShareFacts): void {
    const entry = this.#byOwner.get(facts.owner);
    if (!entry) return;
    const plan = entry.shares.get(listener);
    if (plan) {
      const taken = this.#ends.take(facts, plan);
      this.#pendingOf(entry).facts.push(taken.facts);
      for (const closed of taken.closed) this.#close(closed);
    } else this.#pendingOf(entry).facts.push(facts);
    this.#events.onSip(facts, entry.runId);
    this.#judge(entry, facts);
    // Its other threads call the same target.
    for (const { untilMs, reason } of facts.breaches) this.breakOff([entry.id], untilMs, reason);
    if (facts.state === null) return;
    entry.states.set(listener, facts.state);
    if (facts.state === 'REFUSED') {
      // The other listeners first: once the refusal is told, the allocation counts as ended.
      this.#each([entry.id], (e, thread) => thread.tell({ op: 'stop', owner: e.owner, reason: facts.reason }));
      this.#tellState(entry, 'refused', 'REFUSED', facts.reasonCode, facts.reason);
      return;
    }
    const all = [...entry.shares.keys()].every((l) => entry.states.get(l) === facts.state);
    if (all && facts.state === 'READY') this.#tellState(entry, 'ready', 'READY', '', '');
    if (all && facts.state === 'DONE') this.#enter(entry, 'done');
  }

  /** No thread may have seen enough, and all of them together have. */
  #judge(entry: Entry, { tally, breaches }: ShareFacts): void {
    if (breaches.some(({ untilMs }) => untilMs === Number.POSITIVE_INFINITY)) entry.calls = null;
    if (entry.calls === null || tally === null) return;
    const reason = entry.calls.count(tally.atMs, tally);
    if (reason === null) return;
    entry.calls = null;
    breaches.push({ atMs: tally.atMs, untilMs: Number.POSITIVE_INFINITY, reason });
  }

  #close(closed: Closed): void {
    const entry = this.#byOwner.get(closed.owner);
    if (entry) this.#pendingOf(entry).closed.push(closed);
    this.#events.onOutcome(closed.outcome);
  }

  /** Ends of calls need not wait for the next samples: streams that are over are read at once. */
  settle(): void {
    if (!this.#ends.isWaiting) return;
    this.#takeHeaders();
    for (const sampler of this.#samplers) this.#takeBatch(sampler.takeClosed());
  }

  /** Figures of streams whose owner is gone are dropped. */
  #takeBatch({ samples, records }: SampleBatch): void {
    this.#events.onSamples(samples);
    for (const [owner, part] of byOwner(samples)) {
      const entry = this.#byOwner.get(owner);
      if (entry) this.#pendingOf(entry).samples.push(part);
    }
    for (const record of records) {
      const entry = this.#byOwner.get(record.owner);
      this.#events.onStream(record);
      if (!entry) continue;
      this.#pendingOf(entry).records.push(record);
      const closed = this.#ends.add(record);
      if (closed) this.#close(closed);
    }
  }

  /** Reads the samplers. */
  sample(atMs: number): void {
    this.#takeHeaders();
    for (const sampler of this.#samplers) this.#takeBatch(sampler.sample(atMs));
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'ENDING') continue;
      if (this.#memories.some((memory) => holdsStreamsOf(memory, entry.owner))) continue;
      for (const closed of this.#ends.flush(entry.owner)) this.#close(closed);
      this.#tellState(entry, 'read', 'DONE', '', '');
    }
  }

  /** Before the rows of streams that have ended are free. */
  #takeHeaders(): void {
    const { mayKeep } = this.#limits(this).policy;
    for (const { headers } of this.#memories) {
      for (const header of takeHeaders(headers)) {
        const entry = this.#byOwner.get(header.owner);
        if (entry && mayKeep.rtpHeaders) this.#pendingOf(entry).headers.push(header);
      }
      const missed = takeMissed(headers);
      if (missed > 0) this.#log.warn({ missed }, 'headers of RTP packets came faster than they were taken');
    }
  }

  /** What has gathered; `left` says in which batch it went. */
  take(): Pending[] {
    const taken = [...this.#pending.values()];
    this.#pending.clear();
    return taken;
  }

  /** What was taken is in batches up to this one: once it is committed, so is the end of allocations told in it. */
  left(number: number): void {
    for (const entry of this.#entries.values()) if (entry.state === 'TOLD') entry.committedBy ??= number;
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** How often samples are taken; shortly while an allocation ends, so that its end need not wait. Infinity: nothing to sample. */
  get sampleIntervalMs(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const e of this.#entries.values()) {
      if (isOpen(e.state))
        least = Math.min(least, e.state === 'ENDING' ? ENDING_SAMPLE_MS : e.sampleIntervalMs || 1000);
    }
    return least;
  }

  /** Batches up to `number` are committed: allocations that ended in them are no longer held. */
  committed(number: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.committedBy !== null && entry.committedBy <= number) this.#remove(entry, 'committed');
    }
  }

  /** Calls that have yet to begin, by the other open allocations. */
  #carried({ id, runId }: Entry): CarriedCalls[] {
    const now = nowMs();
    return [...this.#entries.values()]
      .filter((e) => isOpen(e.state) && e.id !== id)
      .map(({ startAtMs, ...e }) => ({
        runId: e.runId,
        isSameRun: e.runId === runId,
        callAtMs: startAtMs === null ? e.callAtMs : e.callAtMs.filter((at) => startAtMs + at > now),
      }));
  }

  #enter(entry: Entry, event: EntryEvent): boolean {
    return enter(entry, event, this.#log);
  }

  #tellState(entry: Entry, event: EntryEvent, state: ReportedState, code: string, reason: string): void {
    if (!this.#enter(entry, event)) return;
    const pending = this.#pendingOf(entry);
    pending.state = state;
    pending.reasonCode = code;
    pending.reason = reason;
    if (state === 'READY') return;
    this.#shelf.release(entry.id);
    this.#log.info({ allocation: entry.id, run: entry.runId, state, code }, 'allocation ended');
  }

  #remove(entry: Entry, event: 'committed' | 'forgotten'): void {
    if (!this.#enter(entry, event)) return;
    this.#entries.delete(entry.id);
    this.#byOwner.delete(entry.owner);
    this.#ends.forget(entry.owner);
    this.#pending.delete(entry.id);
  }

  #pendingOf(entry: Entry): Pending {
    let pending = this.#pending.get(entry.id);
    if (!pending) {
      pending = newPending(entry);
      this.#pending.set(entry.id, pending);
    }
    return pending;
  }

  #each(ids: readonly string[], act: (entry: Entry, thread: SignallingThread) => void): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (!entry || !isOpen(entry.state)) continue;
      for (const listener of entry.shares.keys()) {
        const thread = this.#threads[listener];
        if (thread) act(entry, thread);
      }
    }
  }
}
