/**
 * The agent's Ed25519 key, created on first use; it never leaves the host. During a key change there are two, the next
 * one in its own file, until it is known which one the control plane has: after a kill in between, the agent can
 * continue with either.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, readIfThere, writeDraftSync } from '@carillon/proto/base/files.ts';

export type KeyPair = {
  /** The key as 32 raw bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

const FILE = 'agent.key';
const NEXT = 'agent.key.next';

export class Identity implements KeyPair {
  #current: KeyPair;
  #next: KeyPair | null;
  /**
   * The attempts go through both keys in this order: next, present, next. A change of keys during the attempts happens
   * at most once.
   */
  #refusals = 0;
  readonly #stateDir: string;

  constructor(stateDir: string, current: KeyPair, next: KeyPair | null) {
    this.#stateDir = stateDir;
    this.#current = current;
    this.#next = next;
  }

  /**
   * The key that signs a greeting. The next key is tried first: a control plane that does not know it only refuses it,
   * and then the present one is tried.
   */
  get #active(): KeyPair {
    return this.#next !== null && this.#refusals !== 1 ? this.#next : this.#current;
  }

  /** Whether the next key is the one in use. */
  get isNext(): boolean {
    return this.#active === this.#next;
  }

  get publicKey(): Uint8Array {
    return this.#active.publicKey;
  }

  sign(message: Uint8Array): Uint8Array {
    return this.#active.sign(message);
  }

  /** The key that is valid until another one is accepted. */
  get present(): KeyPair {
    return this.#current;
  }

  /** Both keys, while the key changes and the present one is accepted; otherwise null. */
  get change(): { readonly from: KeyPair; readonly to: KeyPair } | null {
    return this.#next === null ? null : { from: this.#current, to: this.#next };
  }

  /**
   * The control plane does not know this agent. True if there is another key to try, or the next one was accepted since
   * the attempt.
   */
  unknown(): boolean {
    this.#refusals++;
    return this.#next !== null && this.#refusals <= 2;
  }

  /** A new connection: both keys may be tried again. */
  again(): void {
    this.#refusals = 0;
  }

  /**
   * The control plane has this key: if it is the next one, it replaces the present one from now on. True if it was.
   * Throws if it cannot replace the file.
   */
  known(publicKey: Uint8Array): boolean {
    if (this.#next === null || !Buffer.from(this.#next.publicKey).equals(publicKey)) return false;
    renameSync(path.join(this.#stateDir, NEXT), path.join(this.#stateDir, FILE));
    this.#current = this.#next;
    this.#next = null;
    return true;
  }

  /**
   * Creates the next key and writes it to disk before it is announced; returns an existing next key. Throws if it
   * cannot be written.
   */
  prepare(): void {
    if (this.#next !== null) return;
    const { privateKey } = generateKeyPairSync('ed25519');
    const draft = path.join(this.#stateDir, `${NEXT}.draft`);
    writeDraftSync(draft, privateKey.export({ format: 'pem', type: 'pkcs8' }) as string);
    renameSync(draft, path.join(this.#stateDir, NEXT));
    this.#next = keyPair(privateKey);
    // The current connection was opened with the present key.
    this.#refusals = 1;
  }

  /** The control plane refuses this key: if it is the next one, it is deleted. True if it was. */
  abandon(publicKey: Uint8Array): boolean {
    if (this.#next === null || !Buffer.from(this.#next.publicKey).equals(publicKey)) return false;
    this.#next = null;
    rmSync(path.join(this.#stateDir, NEXT), { force: true });
    return true;
  }
}

/** The raw key follows the DER prefix of a SubjectPublicKeyInfo (RFC 8410). */
const rawPublicKey = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);

const keyPair = (key: KeyObject): KeyPair => ({
  publicKey: rawPublicKey(key),
  sign: (message) => sign(null, message, key),
});

/** @throws Error if a key file exists but cannot be read: it is not replaced, because it identifies the worker */
export async function openIdentity(stateDir: string): Promise<Identity> {
  await makeFolder(stateDir, 0o700, "The agent's folder (CARILLON_AGENT_DIR)");
  const current = (await readKey(path.join(stateDir, FILE))) ?? (await makeKey(path.join(stateDir, FILE)));
  const next = await readKey(path.join(stateDir, NEXT));
  return new Identity(stateDir, keyPair(current), next && keyPair(next));
}

async function makeKey(file: string): Promise<KeyObject> {
  const key = generateKeyPairSync('ed25519').privateKey;
  await writeFile(file, key.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  return key;
}

async function readKey(file: string): Promise<KeyObject | null> {
  const pem = await readIfThere("The agent's key", file);
  if (pem === null) return null;
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error(`The agent's key ${file} is damaged. Move it away and enroll the agent again.`);
  }
}
