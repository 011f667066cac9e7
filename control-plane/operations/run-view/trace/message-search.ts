/**
 * Searches the texts of SIP messages. They are stored in compressed chunks, so a search unpacks chunks in order of
 * time, and stops at a reported limit; the user then narrows the search or continues from there.
 */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Listed, Paged } from '../../../contract/envelope.ts';
import { MAX_CHUNK_BYTES } from '../../../domain/run/facts.ts';
import type { Tx } from '../../../store/db.ts';
import {
  type ChunkKey,
  type Cursor,
  chunksOf,
  type MessageQuery,
  type MessageRow,
  messagesAfter,
  type TimedMessageRow,
} from '../../../store/measured/messages.ts';

/** The number of messages that one request looks at, and of bytes that it unpacks. */
export const MAX_MESSAGES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** The number of index rows and of chunks per statement. */
const STEP_MESSAGES = 1000;
const STEP_CHUNKS = 50;
/** The size of the cache of unpacked chunks: messages of a chunk are close in time. */
const KEPT_BYTES = 16 * 1024 * 1024;

const unpack = promisify(zstdDecompress);

/** Null: it cannot be read. */
export const unpacked = (text: Buffer): Promise<Buffer | null> =>
  unpack(text, { maxOutputLength: MAX_CHUNK_BYTES }).catch(() => null);

/** A message's text in its chunk. Invalid UTF-8 is decoded byte by byte. */
export function textAt(chunk: Buffer | null, { offset, length }: Pick<MessageRow, 'offset' | 'length'>) {
  const bytes = chunk?.subarray(offset, offset + length) ?? null;
  const encoding = bytes === null || isUtf8(bytes) ? ('utf8' as const) : ('latin1' as const);
  return { text: bytes?.toString(encoding) ?? null, encoding };
}

/** Returns a page of messages that contain `text`, case-insensitive; `total` counts the matches in the searched part. */
export async function searchMessages(
  tx: Tx,
  runId: string,
  filter: MessageQuery,
  text: string,
  { page, per_page }: Paged,
): Promise<Listed<MessageRow>> {
  const wanted = text.toLowerCase();
  const chunks = new Chunks(tx, runId);
  const rows: MessageRow[] = [];
  let total = 0;
  let scanned = 0;
  let last: MessageRow | null = null;
  const searched = (complete: boolean) => {
    const until = complete ? null : (last?.at.toISOString() ?? null);
    return { rows, total, search: { scanned, limit: MAX_MESSAGES, complete, until } };
  };
  for await (const group of inOrderOfTime(tx, runId, filter)) {
    if (chunks.unpackedBytes >= MAX_BYTES) return searched(false);
    await chunks.fetch(group);
    for (const message of group) {
      if (scanned >= MAX_MESSAGES) return searched(false);
      scanned++;
      last = message;
      if (!textAt(chunks.of(message), message).text?.toLowerCase().includes(wanted)) continue;
      if (total >= (page - 1) * per_page && rows.length < per_page) rows.push(message);
      total++;
    }
  }
  return searched(true);
}

/** Messages in groups that share few chunks. */
export async function* inOrderOfTime(tx: Tx, runId: string, filter: MessageQuery): AsyncGenerator<TimedMessageRow[]> {
  let after: Cursor = { at: '-infinity', endpoint: -1, number: -1 };
  for (;;) {
    const step = await messagesAfter(tx, runId, filter, after, STEP_MESSAGES);
    let group: TimedMessageRow[] = [];
    let names = new Set<string>();
    for (const message of step) {
      if (names.size >= STEP_CHUNKS && !names.has(name(message))) {
        yield group;
        group = [];
        names = new Set();
      }
      group.push(message);
      names.add(name(message));
    }
    const last = step.at(-1);
    if (last === undefined) return;
    yield group;
    if (step.length < STEP_MESSAGES) return;
    after = { at: last.cursor, endpoint: last.endpoint, number: last.number };
  }
}

type Chunk = { readonly bytes: Buffer | null; readonly localAddress: string | null };

/** The unpacked chunks of a run, with a cache of the latest ones. */
export class Chunks {
  unpackedBytes = 0;
  readonly #tx: Tx;
  readonly #runId: string;
  readonly #chunks = new Map<string, Chunk>();
  #chunkBytes = 0;

  constructor(tx: Tx, runId: string) {
    this.#tx = tx;
    this.#runId = runId;
  }

  of(key: ChunkKey): Buffer | null {
    return this.#chunks.get(name(key))?.bytes ?? null;
  }

  /** The agent's address; null: unknown. */
  localAddressOf(key: ChunkKey): string | null {
    return this.#chunks.get(name(key))?.localAddress ?? null;
  }

  /** Loads the chunks of these keys, for `of`. */
  async fetch(keys: readonly ChunkKey[]): Promise<void> {
    const needed = new Map(keys.map((key) => [name(key), key]));
    this.#makeRoom(needed);
    const missing = [...needed].filter(([key]) => !this.#chunks.has(key)).map(([, key]) => key);
    if (missing.length === 0) return;
    const found = await chunksOf(this.#tx, this.#runId, missing);
    const texts = await Promise.all(found.map(({ text }) => unpacked(text)));
    for (const [i, key] of found.entries()) {
      const bytes = texts[i] ?? null;
      this.#chunks.set(name(key), { bytes, localAddress: key.localAddress });
      this.#chunkBytes += bytes?.length ?? 0;
      this.unpackedBytes += bytes?.length ?? 0;
    }
  }

  /** Deletes the oldest chunks, unless they are needed now. */
  #makeRoom(needed: ReadonlyMap<string, ChunkKey>): void {
    for (const [key, { bytes }] of this.#chunks) {
      if (this.#chunkBytes <= KEPT_BYTES) return;
      if (needed.has(key)) continue;
      this.#chunks.delete(key);
      this.#chunkBytes -= bytes?.length ?? 0;
    }
  }
}

const name = ({ chunkEndpoint, chunk }: ChunkKey): string => `${chunkEndpoint} ${chunk}`;
