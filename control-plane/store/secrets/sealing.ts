/**
 * A secret in its column: AES-256-GCM with a random nonce, preceded by its key's id. The row is authenticated with it:
 * it cannot be opened in another row.
 *
 * version (1)   key's id (8)   nonce (12)   ciphertext   tag (16)
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import { ApiError } from '../../contract/errors.ts';
import { ringOf, type Tx } from '../db.ts';
import { KEY_ID_BYTES } from './key-ring.ts';

/** The row that a secret belongs to. `id`: a UUID; for an order, its instance's; for a second factor, its user's. */
export type SecretRow = {
  readonly table:
    | 'sip_accounts'
    | 'registrars'
    | 'webhooks'
    | 'worker_commands'
    | 'second_factors'
    | 'provisioned_entries';
  readonly id: string;
};

const VERSION = 1;
const NONCE_AT = 1 + KEY_ID_BYTES;
const TEXT_AT = NONCE_AT + 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/**
 * A secret in the database that none of the sealing keys opens: operations that need it are refused, everything else
 * continues.
 */
export class SecretUnreadable extends ApiError {
  constructor({ table, id }: SecretRow, why: string) {
    const cure = 'Add the key that sealed it to the sealing keys (docs/guide/security.md), or set the secret again';
    super('CONFLICT', `A secret of ${table} ${id} cannot be read: ${why}. ${cure}.`);
  }
}

export function sealIn(tx: Tx, row: SecretRow, secret: Secret): Buffer {
  const key = ringOf(tx).current();
  const nonce = randomBytes(TEXT_AT - NONCE_AT);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(nameOf(row));
  const text = cipher.update(secret.reveal(), 'utf8');
  return Buffer.concat([Buffer.of(VERSION), key.id, nonce, text, cipher.final(), cipher.getAuthTag()]);
}

/** @throws SecretUnreadable */
export function openIn(tx: Tx, row: SecretRow, sealed: Buffer): Secret {
  const ring = ringOf(tx);
  if (sealed[0] !== VERSION || sealed.length < TEXT_AT + TAG_BYTES)
    throw new SecretUnreadable(row, 'it is not a sealed secret');
  const id = sealed.subarray(1, NONCE_AT);
  const key = ring.find(id);
  if (!key) throw new SecretUnreadable(row, `key ${id.toString('hex')} is not in ${ring.where}`);
  const textEnd = sealed.length - TAG_BYTES;
  const cipher = createDecipheriv(CIPHER, key.bytes, sealed.subarray(NONCE_AT, TEXT_AT))
    .setAAD(nameOf(row))
    .setAuthTag(sealed.subarray(textEnd));
  try {
    const text = cipher.update(sealed.subarray(TEXT_AT, textEnd), undefined, 'utf8');
    return new Secret(text + cipher.final('utf8'));
  } catch {
    throw new SecretUnreadable(row, 'it was changed, or belongs to another row');
  }
}

const nameOf = ({ table, id }: SecretRow): Buffer => Buffer.from(`${table} ${id}`);

/** The current value if it is equal, so that rewriting a row with its own secret does not change it. */
export function sealedAgain(tx: Tx, row: SecretRow, secret: Secret, present: Buffer | null): Buffer {
  if (present !== null && isSame(tx, row, secret, present)) return present;
  return sealIn(tx, row, secret);
}

function isSame(tx: Tx, row: SecretRow, secret: Secret, present: Buffer): boolean {
  try {
    return openIn(tx, row, present).equals(secret);
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}
