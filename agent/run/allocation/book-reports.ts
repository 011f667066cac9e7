/**
 * Collects what the book reports of its allocations: facts of signalling threads, and figures that the samplers read. The
 * outcome of a call waits for the last figures of its streams.
 */
import type { Log } from '../../log.ts';
import type { Policy } from '../../policy/policy.ts';
import type { OpenOpusDecoder } from '../../rtp/figures/audio-meter.ts';
import { takeHeaders, takeMissed } from '../../rtp/figures/header-trace.ts';
import { type SampleBatch, Sampler } from '../../rtp/figures/sampler.ts';
import type { MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { partsOf } from '../../rtp/figures/stream-samples.ts';
import { OpenEnds } from '../outcome/open-ends.ts';
import type { SharePlan } from '../plan.ts';
import type { Closed, ShareFacts } from '../report/facts.ts';
import { type Gathered, gatheredIn, Pending } from '../report/pending.ts';
import { type BookEvents, type HeldAllocation, holdsStreamsOf } from './held-allocation.ts';

type BookReportsParts = {
  readonly memories: readonly MediaMemory[];
  /** Null: Opus cannot be decoded here. */
  readonly openOpus: OpenOpusDecoder | null;
  readonly events: BookEvents;
  readonly heldBy: (owner: number) => HeldAllocation | undefined;
  /** The current policy. */
  readonly mayKeep: () => Policy['mayKeep'];
  readonly log: Log;
};

export class BookReports {
  /** The facts to report, by allocation. */
  readonly #pending = new Map<string, Pending>();
  readonly #ends = new OpenEnds();
  readonly #samplers: readonly Sampler[];
  readonly #parts: BookReportsParts;

  constructor(parts: BookReportsParts) {
    this.#parts = parts;
    this.#samplers = parts.memories.map((memory) => new Sampler(memory, parts.openOpus));
  }

  of(held: HeldAllocation): Pending {
    let pending = this.#pending.get(held.id);
    if (!pending) {
      pending = new Pending(held.id, held.withheld);
      this.#pending.set(held.id, pending);
    }
    return pending;
  }

  /** `plan`: the plan of the share that reports the facts; undefined: it is no longer known. */
  add(held: HeldAllocation, facts: ShareFacts, plan: SharePlan | undefined): void {
    if (plan) {
      const taken = this.#ends.take(facts, plan);
      this.of(held).add(taken.facts);
      for (const closed of taken.closed) this.#close(closed);
    } else this.of(held).add(facts);
  }

  #close(closed: Closed): void {
    const held = this.#parts.heldBy(closed.owner);
    if (held) this.of(held).close(closed);
    this.#parts.events.onOutcome(closed.outcome);
  }

  /** Outcomes need not wait for the next samples: ended streams are read immediately. */
  settle(): void {
    if (!this.#ends.isWaiting) return;
    this.#takeHeaders();
    for (const sampler of this.#samplers) this.#takeBatch(sampler.takeClosed());
  }

  /** Reads the samplers' new samples and records. */
  sample(atMs: number): void {
    this.#takeHeaders();
    for (const sampler of this.#samplers) this.#takeBatch(sampler.sample(atMs));
  }

  /** Closes the open endpoints of an allocation. False: it holds streams whose last figures have not been read. */
  close(held: HeldAllocation): boolean {
    if (this.#parts.memories.some((memory) => holdsStreamsOf(memory, held.owner))) return false;
    for (const closed of this.#ends.flush(held.owner)) this.#close(closed);
    return true;
  }

  /** Figures of streams whose owner is gone are dropped. */
  #takeBatch({ samples, records }: SampleBatch): void {
    const { events, heldBy } = this.#parts;
    events.onSamples(samples);
    for (const [owner, part] of partsOf(samples, (row) => samples.owner[row] as number)) {
      const held = heldBy(owner);
      if (held) this.of(held).addSamples(part);
    }
    for (const record of records) {
      const held = heldBy(record.owner);
      events.onStream(record);
      if (!held) continue;
      this.of(held).addRecord(record);
      const closed = this.#ends.add(record);
      if (closed) this.#close(closed);
    }
  }

  /** Must be called before the rows of ended streams are freed. */
  #takeHeaders(): void {
    const { memories, heldBy, mayKeep, log } = this.#parts;
    const { rtpHeaders } = mayKeep();
    for (const { headers } of memories) {
      for (const header of takeHeaders(headers)) {
        const held = heldBy(header.owner);
        if (held && rtpHeaders) this.of(held).headers.push(header);
      }
      const missed = takeMissed(headers);
      if (missed > 0) log.warn({ missed }, 'headers of RTP packets arrived faster than they were processed');
    }
  }

  /** Returns the collected facts, and starts a new collection. */
  take(): Pending[] {
    const taken = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of taken) pending.complete(this.#parts.mayKeep());
    return taken;
  }

  get gathered(): Gathered {
    return gatheredIn(this.#pending.values());
  }

  forget(held: HeldAllocation): void {
    this.#ends.forget(held.owner);
    this.#pending.delete(held.id);
  }
}
