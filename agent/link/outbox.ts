/**
 * Facts on their way: numbered batches, kept until the control plane has committed them, sent again from where it says.
 * On an orderly stop what is left goes to disk, and out with the next connection.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeFacts, type wire } from '@carillon/proto';

type Facts = wire.agent.v1.Facts.$Properties;
type Batch = wire.agent.v1.Batch.$Properties;

export type OutboxCounters = {
  /** Batches that lost their samples and messages because the outbox was full. */
  thinned: number;
  committed: number;
};

/** Above this, samples and messages are dropped and counted; phases, outcomes, counts and states never are. */
const LIMIT_BYTES = 64 * 1024 * 1024;

export class Outbox {
  readonly id: string;
  readonly counters: OutboxCounters = { thinned: 0, committed: 0 };
  #next: number;
  #bytes = 0;
  #batches: Batch[] = [];

  constructor(id: string = randomUUID(), next = 1, batches: Batch[] = []) {
    this.id = id;
    this.#next = next;
    this.#batches = batches;
    this.#bytes = batches.reduce((sum, b) => sum + sizeOf(b), 0);
  }

  /** Batches that wait for their commit. */
  get depth(): number {
    return this.#batches.length;
  }

  append(facts: Facts): void {
    const full = this.#bytes > LIMIT_BYTES;
    if (full) this.counters.thinned++;
    const batch = encodeFacts(this.#next++, full ? thin(facts) : facts);
    this.#batches.push(batch);
    this.#bytes += sizeOf(batch);
  }

  /** The first `limit` batches from `number` on. */
  from(number: number, limit: number): Batch[] {
    const first = this.#batches[0]?.number;
    if (first === undefined) return [];
    const start = Math.max(0, number - Number(first));
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
  }

  /** Number of the last batch that was appended. */
  get last(): number {
    return this.#next - 1;
  }

  async save(stateDir: string): Promise<void> {
    const file = path.join(stateDir, FILE);
    if (this.#batches.length === 0) return rm(file, { force: true });
    const rows = this.#batches.map((b) => ({ ...b, facts: Buffer.from(b.facts as Uint8Array).toString('base64') }));
    await writeFile(file, JSON.stringify({ id: this.id, next: this.#next, batches: rows }), { mode: 0o600 });
  }
}

const FILE = 'outbox.json';

/** What the last process left, or an empty outbox with a new name: a killed process took its numbers with it. */
export async function openOutbox(stateDir: string): Promise<Outbox> {
  const file = path.join(stateDir, FILE);
  try {
    const saved = JSON.parse(await readFile(file, 'utf8')) as {
      id: string;
      next: number;
      batches: { number: number; zstd: boolean; facts: string }[];
    };
    const batches = saved.batches.map((b) => ({ ...b, facts: new Uint8Array(Buffer.from(b.facts, 'base64')) }));
    await rm(file);
    return new Outbox(saved.id, saved.next, batches);
  } catch {
    return new Outbox();
  }
}

const sizeOf = (batch: Batch): number => batch.facts?.length ?? 0;

const thin = (facts: Facts): Facts => ({
  ...facts,
  allocations: (facts.allocations ?? []).map(({ samples: _, messages: __, ...rest }) => rest),
});
