/** Verifies Ed25519 signatures (RFC 8032). */
import { createPublicKey, verify } from 'node:crypto';

/** The DER prefix of an Ed25519 SubjectPublicKeyInfo (RFC 8410): the raw key follows. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** `publicKey`: 32 raw bytes. Also false for an invalid key or signature. */
export function isSignedBy(publicKey: Buffer, signature: Uint8Array, text: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
    return verify(null, text, key, signature);
  } catch {
    return false;
  }
}
