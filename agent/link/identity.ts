/** The agent's Ed25519 key, made on first use; it never leaves the host. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type Identity = {
  /** 32 raw bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

/** Raw key behind the DER prefix of a SubjectPublicKeyInfo (RFC 8410). */
const rawPublicKey = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);

/** @throws Error if the key file is there and cannot be read: it is not replaced, for the worker is known by it */
export async function openIdentity(stateDir: string): Promise<Identity> {
  const file = path.join(stateDir, 'agent.key');
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The agent's key ${file} cannot be read: ${error.message}`);
  });
  let key: KeyObject;
  if (pem === null) {
    key = generateKeyPairSync('ed25519').privateKey;
    await writeFile(file, key.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  } else {
    try {
      key = createPrivateKey(pem);
    } catch {
      throw new Error(`The agent's key ${file} is damaged. Move it away and enrol the agent again.`);
    }
  }
  return { publicKey: rawPublicKey(key), sign: (message) => sign(null, message, key) };
}
