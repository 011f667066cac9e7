/** Password hashes by scrypt (RFC 7914). The text contains the parameters, so that they can grow. */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { PasswordCost } from '../../ports.ts';

/** 32 MiB and three iterations: this is one of OWASP's recommendations. */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const KEY_BYTES = 32;

const derive = (password: Secret, salt: Buffer, cost: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 256 * cost.N * cost.r;
    scrypt(password.reveal().normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const MIN_LENGTH = 12;

/** True if a new account may have this password. */
export const isLongEnough = (password: Secret): boolean => password.reveal().length >= MIN_LENGTH;

export async function hashPassword(password: Secret, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`;
}

/** Also false if the text is not a hash of this format. */
export async function verifyPassword(password: Secret, hash: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split('$');
  if (kind !== 'scrypt' || !salt || !key) return false;
  const wanted = Buffer.from(key, 'base64');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost);
  return derived.length === wanted.length && timingSafeEqual(derived, wanted);
}
