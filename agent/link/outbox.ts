/**
 * Facts to send: numbered batches, kept until the control plane has committed them, and sent again from the number that
 * it asks for, even if it had committed them before. Batches on disk stay there until all are committed.
 */
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { batchOf, encodeFacts, type wire } from '@carillon/proto';
import { readRegular, writeDraft, writeDraftSync } from '@carillon/proto/base/files.ts';
import { endsOf, factsOf, inventory } from './batch-contents.ts';
import { KEPT_BYTES, KeptBatches, sizeOf } from './kept-batches.ts';
import { inParts, isThin, MAX_PART_BYTES, onlyStates, thin } from './parts.ts';
import type { Reduction } from './quarantine.ts';

type Facts = wire.agent.v1.Facts.$Properties;
type Batch = wire.agent.v1.Batch.$Properties;

export type OutboxCounters = {
  /**
   * Batches that lost their samples, messages and RTP headers because the outbox was full, or because a batch did not
   * fit into a frame.
   */
  thinned: number;
  /** Batches that lost facts because the control plane refused them. */
  refused: number;
  committed: number;
};

/** Batches that were committed, but are neither known to the control plane nor kept here. */
export type Forgotten = {
  /** The outbox in which they had these numbers. */
  readonly outboxId: string;
  readonly first: number;
  readonly last: number;
  /** When they were made; 0: not known. */
  readonly fromUnixMs: number;
  readonly toUnixMs: number;
};

/**
 * Above this limit, samples, messages and headers of RTP are dropped and counted; phases, outcomes, counts and states
 * never are.
 */
const LIMIT_BYTES = 64 * 1024 * 1024;

export class Outbox {
  #id: string;
  readonly counters: OutboxCounters = { thinned: 0, refused: 0, committed: 0 };
  #next: number;
  #bytes = 0;
  #batches: Batch[];
  /** The file with the batches up to `last`. */
  #saved: { readonly file: string; readonly last: number } | null = null;
  #disk: Promise<void> = Promise.resolve();
  #endedBefore: readonly { readonly number: number; readonly allocationId: Uint8Array }[];
  #forgotten: Forgotten | null = null;
  /** The loss before this outbox began; null: nothing was lost, or the process was restarted since. */
  #lostBefore: Forgotten | null = null;
  readonly #keptBatches: KeptBatches;

  constructor(
    id: string = randomUUID(),
    next = 1,
    batches: Batch[] = [],
    file: string | null = null,
    keptBytes: number = KEPT_BYTES,
  ) {
    this.#id = id;
    this.#keptBatches = new KeptBatches(keptBytes);
    this.#next = next;
    this.#batches = batches;
    this.#bytes = batches.reduce((sum, b) => sum + sizeOf(b), 0);
    if (file !== null) this.#saved = { file, last: next - 1 };
    this.#endedBefore = endsOf(batches);
  }

  /** The id of the sequence to which its numbers belong. */
  get id(): string {
    return this.#id;
  }

  /** The loss to report with the next greeting; null: nothing was lost, or the loss is already reported. */
  get forgotten(): Forgotten | null {
    return this.#forgotten;
  }

  /** The number of batches that wait for their commit. */
  get depth(): number {
    return this.#batches.length;
  }

  /** The size of these batches, compressed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds facts in one batch, or as many as frames need; `last` is the final one. `unixMs`: the current time; NaN: unknown. */
  append(facts: Facts, unixMs = Number.NaN): void {
    const full = this.#bytes > LIMIT_BYTES && !isThin(facts);
    if (full) this.counters.thinned++;
    for (const part of inParts(full ? thin(facts) : facts, MAX_PART_BYTES)) {
      if (part.thinned) this.counters.thinned++;
      this.#keptBatches.made(this.#next, unixMs);
      const batch = batchOf(this.#next++, part.bytes);
      this.#batches.push(batch);
      this.#bytes += sizeOf(batch);
    }
  }

  /** The amounts of everything that waits. */
  contents(): Record<string, number> {
    const sum: Record<string, number> = {};
    for (const batch of this.#batches)
      for (const [name, n] of Object.entries(inventory(factsOf(batch), 'NOTHING'))) sum[name] = (sum[name] ?? 0) + n;
    return sum;
  }

  /** The first `limit` batches from `number` on. */
  from(number: number, limit: number): Batch[] {
    const start = Math.max(0, number - this.first);
    return this.#batches.slice(start, start + limit);
  }

  /**
   * At the greeting the control plane asked for batch `next`. Batches that it had committed but lost (its database was
   * reset to an older state) are queued again if still kept. False: something is lost that the control plane does not
   * know; then the outbox gets a new name, and waiting batches are numbered from 1.
   */
  resume(next: number): boolean {
    // The greeting has reported it.
    this.#forgotten = null;
    if (next >= this.first) {
      this.acknowledge(next - 1);
      return true;
    }
    const again = this.#keptBatches.takeFrom(next);
    this.#batches = [...again, ...this.#batches];
    this.#bytes += again.reduce((sum, b) => sum + sizeOf(b), 0);
    const isWhole = this.first === next;
    // A database older than this outbox does not know that loss either, and may lack more: the start of its loss is unknown.
    const earlier = next === 1 && this.#lostBefore !== null ? { ...this.#lostBefore, fromUnixMs: 0 } : null;
    if (!isWhole) this.#beginAgain(this.#missing(next, earlier));
    else if (earlier) this.#beginAgain(earlier);
    this.#endedBefore = endsOf(this.#batches);
    return isWhole && earlier === null;
  }

  #missing(from: number, earlier: Forgotten | null): Forgotten {
    const last = this.first - 1;
    const fromUnixMs = earlier ? earlier.fromUnixMs : this.#keptBatches.madeAt(from);
    return { outboxId: this.#id, first: from, last, fromUnixMs, toUnixMs: this.#keptBatches.madeAt(last) };
  }

  #beginAgain(lost: Forgotten): void {
    const before = this.first - 1;
    this.#forgotten = lost;
    this.#lostBefore = lost;
    this.#id = randomUUID();
    this.#keptBatches.clear();
    this.#batches = this.#batches.map((b) => ({ ...b, number: Number(b.number) - before }));
    this.#next -= before;
    if (this.#saved === null) return;
    // If the old name stayed on disk, a process that is killed now would send the same facts twice.
    const { file } = this.#saved;
    try {
      writeDraftSync(`${file}.new`, this.#whole());
      renameSync(`${file}.new`, file);
      this.#saved = { file, last: this.last };
    } catch {
      rmSync(file, { force: true });
      this.#saved = null;
    }
  }

  /** Batches up to and including `number` are committed: they are kept for a while only. */
  acknowledge(number: number): void {
    let done = 0;
    while (done < this.#batches.length && Number(this.#batches[done]?.number) <= number) {
      this.#bytes -= sizeOf(this.#batches[done] as Batch);
      done++;
    }
    this.counters.committed += done;
    this.#keptBatches.add(this.#batches.splice(0, done));
    // A process that was killed between a commit and its receipt left an older state on disk than the control plane has.
    this.#next = Math.max(this.#next, number + 1);
    if (this.#saved === null || number < this.#saved.last) return;
    const { file } = this.#saved;
    this.#saved = null;
    this.#disk = this.#disk.then(() => rm(file, { force: true })).catch(() => undefined);
  }

  /** Shrinks batch `number`. Returns how much was removed, for the log; null if it is no longer waiting. */
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

  /** The number of the oldest waiting batch; the last number plus one if no batch waits. */
  get first(): number {
    return Number(this.#batches[0]?.number ?? this.#next);
  }

  /** The number of the last batch that was appended. */
  get last(): number {
    return this.#next - 1;
  }

  /** Allocations that are no longer in the book, but whose end is not committed: still held. */
  get endedBefore(): Uint8Array[] {
    return this.#endedBefore.filter((e) => e.number >= this.first).map((e) => e.allocationId);
  }

  /** Writes waiting batches to disk; they stay there until committed, or until a later save replaces them. */
  save(stateDir: string): Promise<void> {
    const file = path.join(stateDir, FILE);
    const written = this.#disk.then(() => this.#write(file));
    this.#disk = written.catch(() => undefined);
    return written;
  }

  async #write(file: string): Promise<void> {
    if (this.#batches.length === 0) return rm(file, { force: true });
    this.#saved = { file, last: this.last };
    await writeDraft(`${file}.new`, this.#whole());
    await rename(`${file}.new`, file);
  }

  #whole(): string {
    const rows = this.#batches.map((b) => ({ ...b, facts: Buffer.from(b.facts as Uint8Array).toString('base64') }));
    return JSON.stringify({ id: this.id, next: this.#next, batches: rows });
  }
}

const FILE = 'outbox.json';

/** The limit for the file: the kept batches are smaller (KEPT_BYTES), in base64. */
const MAX_FILE_BYTES = 2 * 1024 * 1024 * 1024;

const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/**
 * Restores the state of the last process, or an empty outbox with a new name: a killed process lost its numbers. An
 * unreadable file is moved aside, and `onDamage` called: its content is lost.
 */
export async function openOutbox(
  stateDir: string,
  onDamage: (damage: { readonly file: string; readonly error: string }) => void = () => undefined,
): Promise<Outbox> {
  const file = path.join(stateDir, FILE);
  try {
    const text = await readRegular(file, MAX_FILE_BYTES).catch(absent);
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
