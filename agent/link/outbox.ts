/**
 * Facts on their way: numbered batches, kept until the control plane has committed them, sent again from where it says.
 * What goes to disk stays there until all of it is committed.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { batchOf, decodeFacts, encodeFacts, wire } from '@carillon/proto';
import { inParts, isThin, MAX_PART_BYTES, onlyStates, thin } from './parts.ts';
import type { Reduction } from './quarantine.ts';

type Facts = wire.agent.v1.Facts.$Properties;
type Batch = wire.agent.v1.Batch.$Properties;

export type OutboxCounters = {
  /** Batches that lost their samples, messages and headers of RTP because the outbox was full, or because nothing smaller fits a frame. */
  thinned: number;
  /** Batches that lost facts because the control plane would not have them. */
  refused: number;
  committed: number;
};

/** Above this, samples, messages and headers of RTP are dropped and counted; phases, outcomes, counts and states never are. */
const LIMIT_BYTES = 64 * 1024 * 1024;

export class Outbox {
  readonly id: string;
  readonly counters: OutboxCounters = { thinned: 0, refused: 0, committed: 0 };
  #next: number;
  #bytes = 0;
  #batches: Batch[];
  /** The file that holds batches up to `last`. */
  #saved: { readonly file: string; readonly last: number } | null = null;
  #disk: Promise<void> = Promise.resolve();
  readonly #endedBefore: readonly { readonly number: number; readonly allocationId: Uint8Array }[];

  constructor(id: string = randomUUID(), next = 1, batches: Batch[] = [], file: string | null = null) {
    this.id = id;
    this.#next = next;
    this.#batches = batches;
    this.#bytes = batches.reduce((sum, b) => sum + sizeOf(b), 0);
    if (file !== null) this.#saved = { file, last: next - 1 };
    this.#endedBefore = batches.flatMap((b) =>
      endsIn(b).map((allocationId) => ({ number: Number(b.number), allocationId })),
    );
  }

  /** Batches that wait for their commit. */
  get depth(): number {
    return this.#batches.length;
  }

  /** That they have, compressed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** In one batch, or in as many as frames can carry; `last` is the one that ends them. */
  append(facts: Facts): void {
    const full = this.#bytes > LIMIT_BYTES && !isThin(facts);
    if (full) this.counters.thinned++;
    for (const part of inParts(full ? thin(facts) : facts, MAX_PART_BYTES)) {
      if (part.thinned) this.counters.thinned++;
      const batch = batchOf(this.#next++, part.bytes);
      this.#batches.push(batch);
      this.#bytes += sizeOf(batch);
    }
  }

  /** The first `limit` batches from `number` on. */
  from(number: number, limit: number): Batch[] {
    const start = Math.max(0, number - this.first);
    return this.#batches.slice(start, start + limit);
  }

  /** Committed up to and with `number`: forgotten. */
  acknowledge(number: number): void {
    let done = 0;
    while (done < this.#batches.length && Number(this.#batches[done]?.number) <= number) {
      this.#bytes -= sizeOf(this.#batches[done] as Batch);
      done++;
    }
    this.counters.committed += done;
    this.#batches.splice(0, done);
    // A process that was killed between a commit and its receipt left an older state on disk than the control plane has.
    this.#next = Math.max(this.#next, number + 1);
    if (this.#saved === null || number < this.#saved.last) return;
    const { file } = this.#saved;
    this.#saved = null;
    this.#disk = this.#disk.then(() => rm(file, { force: true })).catch(() => undefined);
  }

  /** Makes batch `number` smaller. Returns how much of what it gave up, for the log; null if it waits no more. */
  reduce(number: number, to: Reduction): Record<string, number> | null {
    const at = number - this.first;
    const batch = this.#batches[at];
    if (batch === undefined) return null;
    const facts = factsOf(batch);
    const reduced = encodeFacts(number, to === 'STATES' ? onlyStates(facts) : {});
    this.#bytes += sizeOf(reduced) - sizeOf(batch);
    this.#batches[at] = reduced;
    this.counters.refused++;
    return inventory(facts, to);
  }

  /** Number of the oldest batch that waits; one more than the last where none does. */
  get first(): number {
    return Number(this.#batches[0]?.number ?? this.#next);
  }

  /** Number of the last batch that was appended. */
  get last(): number {
    return this.#next - 1;
  }

  /** Allocations that ended in a process before this one, and whose end is not committed yet: still held. */
  get endedBefore(): Uint8Array[] {
    return this.#endedBefore.filter((e) => e.number >= this.first).map((e) => e.allocationId);
  }

  /** Writes what waits to disk; it stays there until it is committed, or a later save replaces it. */
  save(stateDir: string): Promise<void> {
    const file = path.join(stateDir, FILE);
    const written = this.#disk.then(() => this.#write(file));
    this.#disk = written.catch(() => undefined);
    return written;
  }

  async #write(file: string): Promise<void> {
    if (this.#batches.length === 0) return rm(file, { force: true });
    const rows = this.#batches.map((b) => ({ ...b, facts: Buffer.from(b.facts as Uint8Array).toString('base64') }));
    this.#saved = { file, last: this.last };
    const whole = JSON.stringify({ id: this.id, next: this.#next, batches: rows });
    await writeFile(`${file}.new`, whole, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}

const FILE = 'outbox.json';

const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/**
 * What the last process left, or an empty outbox with a new name: a killed process took its numbers with it. A file that cannot be read is
 * moved aside, and `onDamage` told: what it held is lost to the control plane.
 */
export async function openOutbox(
  stateDir: string,
  onDamage: (damage: { readonly file: string; readonly error: string }) => void = () => undefined,
): Promise<Outbox> {
  const file = path.join(stateDir, FILE);
  try {
    const text = await readFile(file, 'utf8').catch(absent);
    if (text === null) return new Outbox();
    const saved = JSON.parse(text) as {
      id: string;
      next: number;
      batches: { number: number; zstd: boolean; facts: string }[];
    };
    const batches = saved.batches.map((b) => ({ ...b, facts: new Uint8Array(Buffer.from(b.facts, 'base64')) }));
    return new Outbox(saved.id, saved.next, batches, file);
  } catch (error) {
    const aside = `${file}.damaged`;
    await rename(file, aside).catch(() => undefined);
    onDamage({ file: aside, error: (error as Error).message });
    return new Outbox();
  }
}

const sizeOf = (batch: Batch): number => batch.facts?.length ?? 0;

/** None where they cannot be read: then nobody else can read them, either. */
function factsOf(batch: Batch): wire.agent.v1.Facts {
  try {
    return decodeFacts(batch);
  } catch {
    return decodeFacts({});
  }
}

const { DONE, REFUSED } = wire.agent.v1.AllocationState;

const endsIn = (batch: Batch): Uint8Array[] =>
  factsOf(batch)
    .allocations.filter((a) => a.state === DONE || a.state === REFUSED)
    .map((a) => a.allocationId as Uint8Array);

function inventory({ allocations, noise }: wire.agent.v1.Facts, to: Reduction): Record<string, number> {
  const count = (of: (a: (typeof allocations)[number]) => ArrayLike<unknown> | null | undefined): number =>
    allocations.reduce((n, a) => n + (of(a)?.length ?? 0), 0);
  return {
    phases: count((a) => a.phases?.endpoint),
    outcomes: count((a) => a.outcomes),
    sipCounts: count((a) => a.sipCounts?.count),
    messages:
      count((a) => a.messages?.flatMap((m) => m.length ?? [])) +
      count((a) => a.messageBlocks?.flatMap((m) => m.length ?? [])),
    samples: count((a) => a.samples?.endpoint),
    rtpHeaders: count((a) => a.rtpHeaders?.flatMap((h) => h.headerBytes ?? [])),
    streams: count((a) => a.streams),
    noise: noise.length,
    states: to === 'NOTHING' ? allocations.filter((a) => a.state).length : 0,
  };
}
