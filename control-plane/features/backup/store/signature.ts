/**
 * Proves who made a backup: HMAC-SHA256 over its manifest with a key that is derived from a sealing key. The sealing
 * keys are never in a backup, and a restored database does not start without them.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { SealingKey } from '../../../store/secrets/key-ring.ts';

export type Keys = { readonly where: string; all(): readonly SealingKey[] };

const Signature = z.strictObject({ key: z.string(), mac: z.string().regex(/^[0-9a-f]{64}$/) });

const macOf = ({ bytes }: SealingKey, manifest: Buffer): Buffer =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', bytes, '', 'carillon backup', 32)))
    .update(manifest)
    .digest();

/** The signature by the key that seals; null: the installation has no key. */
export function signatureOf(keys: Keys, manifest: Buffer): z.infer<typeof Signature> | null {
  const [key] = keys.all();
  return key ? { key: key.id.toString('hex'), mac: macOf(key, manifest).toString('hex') } : null;
}

const UNSIGNED = 'Add --unsigned if you trust where the file has been: a change of it decides what the database holds.';

/** The reason why the signature does not prove who made the backup; null: it does. `text` null: the backup has no signature. */
export function signatureFault(keys: Keys, manifest: Buffer, text: Buffer | null): string | null {
  if (text === null) return `it is not signed: it is of an older Carillon, or of one without sealing keys. ${UNSIGNED}`;
  const given = Signature.safeParse(json(text));
  if (!given.success) return 'its signature cannot be read';
  const key = keys.all().find(({ id }) => id.toString('hex') === given.data.key);
  if (!key) {
    const cure = 'Put the keys of the installation there that made it: it needs them at its start, too';
    return `it is signed with sealing key ${given.data.key.slice(0, 16)}, which is not in ${keys.where}. ${cure}. ${UNSIGNED}`;
  }
  if (timingSafeEqual(Buffer.from(given.data.mac, 'hex'), macOf(key, manifest))) return null;
  return 'it was changed after it was made: its signature is not that of its contents';
}

function json(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
