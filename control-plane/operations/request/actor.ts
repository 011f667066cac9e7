/** The actor of a request. An API key acts with its creator's present role and reach (docs/contract.md, Keys). */

import { createHash, timingSafeEqual } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/people/words.ts';
import { requireApiAccess } from '../../domain/plans.ts';
import type { Ports } from '../../ports.ts';
import { type CredentialHolder, findKey, type KeyHolder, touchKey } from '../../store/people/key-holders.ts';

export type Actor = CredentialHolder & {
  /** KEY: an API key; SESSION: a person's session in the dashboard. */
  readonly by: 'KEY' | 'SESSION';
  /** The scopes of a key; null: the user's permissions. */
  readonly scopes: readonly Scope[] | null;
  /** The projects of a key; null: all projects of the user. */
  readonly onlyProjects: readonly string[] | null;
  /** The last time at which the user of a session confirmed their identity. */
  readonly provedAt: Date | null;
  /** True for a session if the organization requires a second factor, and the user has none. */
  readonly lacksSecondFactor: boolean;
};

/** How long after a confirmation a session may change keys, members and secrets. */
export const PROOF_SECONDS = 3600;
/** The precision of `lastUsedAt`. */
const TOUCH_MS = 60_000;
const KEY = /^crl_[0-9a-f]{32}$/;
export const hashOf = (secret: Secret): Buffer => createHash('sha256').update(secret.reveal()).digest();
/** The address of a page that opens with a token, for the only answer or mail that has it. */
export const addressWith = (address: string, token: Secret): string => `${address}${token.reveal()}`;
/** The last four characters, by which people recognize a key. */
export const lastFourOf = (key: Secret): string => key.reveal().slice(-4);

const refused = () =>
  new ApiError('UNAUTHORIZED', 'Invalid or expired API key. Send a valid one as: Authorization: Bearer crl_…');

/**
 * Returns the actor of an Authorization header.
 * @throws ApiError UNAUTHORIZED, the same for every reason: a key is valid or it is not; FORBIDDEN: a plan without the
 * API
 */
export async function authenticate(ports: Ports, authorization: string | undefined): Promise<Actor> {
  if (authorization === undefined) {
    throw new ApiError('UNAUTHORIZED', 'This needs an API key. Send it as: Authorization: Bearer crl_…');
  }
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  if (!KEY.test(key)) throw refused();
  const hash = hashOf(new Secret(key));
  const holder = await ports.memory.access(`key ${hash.toString('base64')}`, () => readKey(ports, hash));
  const now = ports.now();
  if (!holder || !timingSafeEqual(holder.hash, hash)) throw refused();
  if (!isValid(holder, now)) throw refused();
  requireApiAccess(ports.settings.plans, holder.plan);
  return { by: 'KEY', ...holder, provedAt: null, lacksSecondFactor: false };
}

async function readKey(ports: Ports, hash: Buffer): Promise<KeyHolder | undefined> {
  const holder = await findKey(ports.database.db, hash);
  const now = ports.now();
  if (holder && isValid(holder, now) && now.getTime() - (holder.lastUsedAt?.getTime() ?? 0) > TOUCH_MS) {
    await touchKey(ports.database.db, holder.credentialId, now);
  }
  return holder;
}

const isValid = ({ revokedAt, suspendedAt, expiresAt }: KeyHolder, now: Date): boolean =>
  revokedAt === null && suspendedAt === null && (expiresAt === null || expiresAt > now);
