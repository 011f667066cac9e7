/**
 * Recordings and their encodings on disk: files named by checksum, so that their contents can be verified. Files are
 * created by renaming, so a killed process leaves no partial file; a damaged file is removed when it is read.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '@carillon/proto/base/files.ts';

const SHA256_BYTES = 32;
const MAX_BYTES = 512 * 1024 * 1024;
const TEMPORARY = '.part';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

export class MediaCache {
  readonly #dir: string;
  readonly #maxBytes: number;

  /** `dir` must belong to the cache only. `maxBytes`: above this size the least recently used files are removed. */
  constructor(dir: string, maxBytes = MAX_BYTES) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
  }

  /** Creates the folder, and removes temporary files of a killed process. */
  async open(): Promise<void> {
    await makeFolder(this.#dir, 0o700);
    const left = (await readdir(this.#dir)).filter((name) => name.endsWith(TEMPORARY));
    await Promise.all(left.map((name) => rm(path.join(this.#dir, name), { force: true })));
  }

  /** Null: missing or damaged. */
  async read(name: string): Promise<Uint8Array | null> {
    const file = path.join(this.#dir, name);
    const bytes = await readFile(file).catch(() => null);
    if (bytes === null) return null;
    const content = bytes.subarray(SHA256_BYTES);
    if (bytes.length < SHA256_BYTES || !sha256(content).equals(bytes.subarray(0, SHA256_BYTES))) {
      await rm(file, { force: true });
      return null;
    }
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    return content;
  }

  /** Rejects if the disk does not accept the file. */
  async write(name: string, content: Uint8Array): Promise<void> {
    const part = path.join(this.#dir, `${name}-${randomUUID()}${TEMPORARY}`);
    try {
      await writeFile(part, Buffer.concat([sha256(content), content]), { mode: 0o600 });
      await rename(part, path.join(this.#dir, name));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await this.#shrink();
  }

  async #shrink(): Promise<void> {
    const names = (await readdir(this.#dir)).filter((name) => !name.endsWith(TEMPORARY));
    const files = await Promise.all(
      names.map(async (name) => {
        const at = await stat(path.join(this.#dir, name)).catch(() => null);
        return { name, bytes: at?.size ?? 0, usedAtMs: at?.mtimeMs ?? 0 };
      }),
    );
    let total = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const { name, bytes } of files.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (total <= this.#maxBytes) return;
      await rm(path.join(this.#dir, name), { force: true });
      total -= bytes;
    }
  }
}
