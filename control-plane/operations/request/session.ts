/** Sessions: their start and owner. They end when unused, at their maximum age, or on request. */

import { randomBytes } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Output } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { PROOFS } from '../../contract/people/account.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { organizationOfInstallation } from '../../store/people/installation.ts';
import { organizationsOf, projectRolesOf, userById } from '../../store/people/members.ts';
import { secondFactorOf } from '../../store/people/second-factors.ts';
import {
  findSession,
  insertSession,
  isStrongSession,
  type SessionHolder,
  sessionProof,
  touchSession,
} from '../../store/people/sessions.ts';
import { type Actor, hashOf, PROOF_SECONDS } from './actor.ts';
import type { Visitor } from './perform.ts';

/** A session ends after this idle time. */
export const IDLE_SECONDS = 12 * 3600;
/** A session ends at this age, even if it is used. */
export const SESSION_SECONDS = 7 * 86_400;
/** A browser is forgotten after this time without a log-in. */
export const DEVICE_SECONDS = 365 * 86_400;
/** The precision of `lastSeenAt`. */
const TOUCH_MS = 60_000;
const TOKEN = /^[\w-]{43}$/;
const MAX_USER_AGENT = 300;

/** A token has 256 random bits; only their SHA-256 is kept. */
export const newToken = (): Secret => new Secret(randomBytes(32).toString('base64url'));

/** @returns the session's token and id; the token is not stored */
export async function beginSession(
  ports: Ports,
  tx: Tx,
  visitor: Visitor,
  whose: { readonly userId: string; readonly organizationId: string; readonly isStrong?: boolean },
): Promise<{ readonly token: Secret; readonly id: string }> {
  const token = newToken();
  const id = newId();
  const at = ports.now();
  await insertSession(tx, {
    id,
    hash: hashOf(token),
    isStrong: false,
    ...whose,
    at,
    expiresAt: secondsAfter(at, SESSION_SECONDS),
    address: visitor.address,
    userAgent: visitor.userAgent.slice(0, MAX_USER_AGENT),
  });
  return { token, id };
}

/**
 * Returns the actor of a session's cookie.
 * @throws ApiError UNAUTHORIZED, the same for every reason
 */
export async function authenticateSession(ports: Ports, token: Secret): Promise<Actor> {
  const now = ports.now();
  const hash = hashOf(token);
  const holder = TOKEN.test(token.reveal())
    ? await ports.memory.access(`session ${hash.toString('base64')}`, () => readSession(ports, hash))
    : undefined;
  if (!holder || isOver(holder, now)) throw new ApiError('UNAUTHORIZED', 'This session is over. Log in again.');
  return { by: 'SESSION', ...holder, scopes: null, onlyProjects: null };
}

async function readSession(ports: Ports, hash: Buffer): Promise<SessionHolder | undefined> {
  const holder = await findSession(ports.database.db, hash);
  const now = ports.now();
  if (holder && !isOver(holder, now) && now.getTime() - holder.lastSeenAt.getTime() > TOUCH_MS) {
    await touchSession(ports.database.db, holder.credentialId, now);
    return { ...holder, lastSeenAt: now };
  }
  return holder;
}

const isOver = ({ suspendedAt, expiresAt, lastSeenAt }: SessionHolder, now: Date): boolean =>
  suspendedAt !== null || expiresAt <= now || secondsAfter(lastSeenAt, IDLE_SECONDS) <= now;

/** A user's identity, organization and role. */
export async function profileOf(
  ports: Ports,
  tx: Tx,
  { userId, organizationId, sessionId }: { userId: string; organizationId: string; sessionId: string },
): Promise<Output<'getMe'>> {
  const user = await userById(tx, userId);
  const organizations = await organizationsOf(tx, userId);
  const here = organizations.find((o) => o.id === organizationId);
  const provedAt = await sessionProof(tx, sessionId);
  const factor = await secondFactorOf(tx, userId);
  const proofs: ((typeof PROOFS)[number] | undefined | null)[] = [user?.passwordHash ? 'PASSWORD' : null];
  for (const { proof } of ports.hooks) proofs.push(await proof?.(ports, tx, userId));
  if (!user || !here || !provedAt) throw new ApiError('UNAUTHORIZED', 'This session is over. Log in again.');
  return {
    user: { id: user.id, name: user.name, email: user.email },
    organization: {
      id: here.id,
      name: here.name,
      plan: here.plan,
      keyDays: here.keyDays,
      needsSecondFactor: here.needsSecondFactor,
      runsInstallation: (await organizationOfInstallation(tx)) === here.id,
    },
    organizations: organizations.map(({ id, name, role }) => ({ id, name, role })),
    role: here.role,
    allProjects: here.allProjects,
    projectRoles: await projectRolesOf(tx, organizationId, userId),
    secondFactor: factor ? { ...factor, confirmedAt: factor.confirmedAt.toISOString() } : null,
    lacksSecondFactor: here.needsSecondFactor && !factor && !(await isStrongSession(tx, sessionId)),
    proofs: PROOFS.filter((one) => proofs.includes(one)),
    sessionId,
    provedUntil: secondsAfter(provedAt, PROOF_SECONDS).toISOString(),
    publicUrl: ports.settings.publicUrl,
  };
}
