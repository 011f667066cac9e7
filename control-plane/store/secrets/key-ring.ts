/**
 * The keys that seal secrets in the database: the first one seals, all of them open. They come from the environment, or
 * from a file that is read again when it changes, so that a rotation needs no restart.
 */
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { readRegularSync } from '@carillon/proto/base/files.ts';
import { Secret } from '@carillon/proto/base/secret.ts';

export type SealingKey = { readonly id: Buffer; readonly bytes: Buffer };
type KeySource = { readonly keys: Secret } | { readonly file: string };

const KEY_BYTES = 32;
/** No file of keys reaches this size. */
const MAX_FILE_BYTES = 1024 * 1024;
export const KEY_ID_BYTES = 8;

const HEAD =
  "# The keys to the secrets in Carillon's database, 32 bytes in base64 each. The first one seals, all of them open.\n" +
  '# Without them the secrets in a backup cannot be read: keep a copy of this file, apart from the backups.\n';

export const newKey = (): Secret => new Secret(randomBytes(KEY_BYTES).toString('base64'));

/** @throws Error that names the invalid key */
function parseKeys(text: string, where: string): SealingKey[] {
  const words = text.replace(/^#.*$/gm, '').split(/[\s,]+/);
  return words
    .filter((word) => word !== '')
    .map((word, i) => {
      const bytes = Buffer.from(word, 'base64');
      if (bytes.length === KEY_BYTES && /^[\w+/-]{43}=?$/.test(word)) return { id: idOf(bytes), bytes };
      const cure = 'A key is 32 bytes in base64, as `openssl rand -base64 32` prints them';
      throw new Error(`Sealing key ${i + 1} in ${where} is not valid. ${cure}.`);
    });
}

const idOf = (key: Buffer): Buffer =>
  createHash('sha256').update('carillon sealing key').update(key).digest().subarray(0, KEY_ID_BYTES);

export class KeyRing {
  readonly #source: KeySource;
  #keys: readonly SealingKey[] = [];
  /** The content of the file when it was last read. */
  #seen = '';
  #requestKeys: { readonly of: readonly SealingKey[]; readonly keys: readonly Buffer[] } = { of: [], keys: [] };

  /** @throws Error if a key is invalid, or the file cannot be read; a missing file has no keys */
  constructor(source: KeySource) {
    this.#source = source;
    if ('keys' in source) this.#keys = parseKeys(source.keys.reveal(), 'CARILLON_SEALING_KEYS');
    else this.#readAgain();
  }

  /** Null: the keys come from the environment. */
  get file(): string | null {
    return 'file' in this.#source ? this.#source.file : null;
  }

  /** The place where the operator finds the keys. */
  get where(): string {
    return this.file ?? 'CARILLON_SEALING_KEYS';
  }

  /** The key that seals. */
  current(): SealingKey {
    this.#readAgain();
    const [key] = this.#keys;
    if (!key) throw new Error(`There is no sealing key in ${this.where}.`);
    return key;
  }

  all(): readonly SealingKey[] {
    this.#readAgain();
    return this.#keys;
  }

  find(id: Buffer): SealingKey | undefined {
    const known = this.#keys.find((key) => key.id.equals(id));
    return known ?? this.all().find((key) => key.id.equals(id));
  }

  /** The HMAC-SHA256 under each key, the current key first. */
  macs(text: string): [Buffer, ...Buffer[]] {
    this.current();
    if (this.#requestKeys.of !== this.#keys) {
      const keys = this.#keys.map(({ bytes }) => Buffer.from(hkdfSync('sha256', bytes, '', 'carillon requests', 32)));
      this.#requestKeys = { of: this.#keys, keys };
    }
    return this.#requestKeys.keys.map((key) => createHmac('sha256', key).update(text).digest()) as [Buffer];
  }

  /** False: another process has created the file in the meantime, which is fine. */
  makeFile(): boolean {
    const { file } = this;
    if (file === null) return false;
    const temporary = withFileNamed(file, 'made', () => written(file, `${HEAD}${newKey().reveal()}\n`));
    try {
      linkSync(temporary, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(temporary);
      this.#readAgain();
    }
  }

  /**
   * The file has either these keys, in this order, or its old content, and never a mixture. @throws if the environment
   * has the keys
   */
  write(keys: readonly SealingKey[]): void {
    const { file } = this;
    if (file === null) throw new Error('The keys come from CARILLON_SEALING_KEYS: change them there, and start again.');
    renameSync(written(file, `${HEAD}${keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('')}`), file);
    this.#readAgain();
  }

  #readAgain(): void {
    const { file } = this;
    if (file === null) return;
    const found = withFileNamed(file, 'read', () => statSync(file, { throwIfNoEntry: false }));
    // A temporarily missing file does not remove keys from a process that has read it.
    if (!found) return;
    const seen = `${found.ino} ${found.mtimeMs} ${found.size}`;
    if (seen === this.#seen) return;
    const text = withFileNamed(file, 'read', () => readRegularSync(file, MAX_FILE_BYTES));
    this.#keys = parseKeys(text, file);
    this.#seen = seen;
  }
}

/** Adds the file and its purpose to errors of the file system. */
function withFileNamed<T>(file: string, what: 'read' | 'made', act: () => T): T {
  try {
    return act();
  } catch (error) {
    const message = `The file of sealing keys ${file} (CARILLON_SEALING_KEYS_FILE) cannot be ${what}: ${(error as Error).message}`;
    throw new Error(message, { cause: error });
  }
}

export const parseKey = (key: Secret): SealingKey => parseKeys(key.reveal(), 'memory')[0] as SealingKey;

/** Writes a new file next to `file`, readable only by its owner, which is on disk before it gets its name. */
function written(file: string, text: string): string {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}`);
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return temporary;
}
