/** A user's own data: profile, password, sessions. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { beginProof } from '../../limits/attempts.ts';
import { inTurn } from '../../limits/turns.ts';
import { organizationsOf, setPassword, userById } from '../../store/people/members.ts';
import {
  deleteOtherSessions,
  deleteSession,
  moveSession,
  proveSession,
  sessionsOf,
} from '../../store/people/sessions.ts';
import { changing } from '../request/change.ts';
import { byId, type Context, type Handler, known } from '../request/perform.ts';
import { IDLE_SECONDS, profileOf } from '../request/session.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { noteOwnRefusal } from './refusals.ts';
import { requireCode } from './second-factor.ts';
import { requireStrong } from './strength.ts';

const mine = ({ actor: { userId, organizationId, credentialId } }: Context) => ({
  userId,
  organizationId,
  sessionId: credentialId,
});

export const getMe: Handler<'getMe'> = (context) => profileOf(context.ports, context.ports.database.db, mine(context));

export const switchOrganization = changing<'switchOrganization'>(async (context, tx, { organizationId }) => {
  const { userId, credentialId } = context.actor;
  const reached = (await organizationsOf(tx, userId)).find((o) => o.id === organizationId);
  known('organization', organizationId, reached);
  await moveSession(tx, credentialId, organizationId);
  return profileOf(context.ports, tx, { ...mine(context), organizationId });
});

export const changePassword: Handler<'changePassword'> = async (context, { currentPassword, newPassword }) => {
  const { ports, actor, address } = context;
  const user = await requireOwnPassword(context, 'changePassword', 'currentPassword', currentPassword);
  if (newPassword.equals(currentPassword)) throw new ApiError('CONFLICT', 'The new password is the old one.');
  await requireStrong(newPassword, [user.name, user.email, actor.organizationName], 'newPassword');
  const passwordHash = await inTurn(address, () => hashPassword(newPassword, ports.settings.passwordCost));
  return ports.database.transaction(async (tx) => {
    await setPassword(tx, actor.userId, passwordHash);
    await deleteOtherSessions(tx, actor.userId, actor.credentialId);
    await proveSession(tx, actor.credentialId, ports.now());
    return profileOf(ports, tx, mine(context));
  });
};

export const proveMe: Handler<'proveMe'> = async (context, { password, code }) => {
  const { ports, actor } = context;
  const { userId, credentialId } = actor;
  const { email } = await requireOwnPassword(context, 'proveMe', 'password', password);
  await requireCode(ports, { userId, email, place: `session ${credentialId}`, code }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'CODE_REQUIRED')) await noteOwnRefusal(context, 'proveMe');
    throw error;
  });
  return ports.database.transaction(async (tx) => {
    await proveSession(tx, actor.credentialId, ports.now());
    return profileOf(ports, tx, mine(context));
  });
};

/**
 * Verifies the user's own password; guesses are limited by session.
 * @throws ApiError VALIDATION_ERROR at `field`, RATE_LIMITED
 */
async function requireOwnPassword(
  context: Context,
  action: string,
  field: string,
  password: Secret,
): Promise<{ readonly name: string; readonly email: string }> {
  const { ports, actor, address } = context;
  const user = await userById(ports.database.db, actor.userId);
  const note = () => noteOwnRefusal(context, action);
  const attempt = await beginProof(ports, actor.credentialId).catch(async (error: unknown) => {
    await note();
    throw error;
  });
  const hash = user?.passwordHash;
  if (!user || !hash || !(await inTurn(address, () => verifyPassword(password, hash)))) {
    await note();
    throw invalid([{ path: [field], message: 'is not your password' }]);
  }
  await attempt.succeeded();
  return user;
}

export const listSessions: Handler<'listSessions'> = async ({ ports, actor }, { page, per_page }) => {
  const now = ports.now();
  const all = await sessionsOf(ports.database.db, actor.userId, secondsAfter(now, -IDLE_SECONDS), now);
  return {
    rows: all.slice((page - 1) * per_page, page * per_page).map((s) => ({
      ...s,
      isThis: s.id === actor.credentialId,
      createdAt: s.createdAt.toISOString(),
      lastSeenAt: s.lastSeenAt.toISOString(),
      expiresAt: s.expiresAt.toISOString(),
    })),
    total: all.length,
  };
};

export const endSession: Handler<'endSession'> = async ({ ports, actor }, { sessionId }) => {
  const ended = await byId(sessionId, async () =>
    (await deleteSession(ports.database.db, actor.userId, sessionId)) ? true : undefined,
  );
  known('session', sessionId, ended);
  return { id: sessionId, deleted: true };
};
