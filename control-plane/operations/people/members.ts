/** Members of an organization, and invitations. */
import type { Output } from '../../contract/catalogue.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { atLeast, type Role } from '../../contract/roles.ts';
import { membershipFault } from '../../domain/membership.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { revokeApiKeysOf } from '../../store/people/api-keys.ts';
import {
  deleteInvitationsOf,
  deleteInvitation as dropInvitation,
  type NewInvitation,
  openInvitations,
  putInvitation,
} from '../../store/people/invitations.ts';
import {
  countMembers,
  deleteMembership,
  isInUse,
  listMembers as list,
  lockMemberships,
  memberOf,
  projectsAmong,
  setMembership,
  userByEmail,
} from '../../store/people/members.ts';
import { deleteSessionsIn } from '../../store/people/sessions.ts';
import { setProjectMembers } from '../../store/project/provision-access.ts';
import { type Actor, hashOf } from '../request/actor.ts';
import { changing, conflict } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Context, type Handler, known } from '../request/perform.ts';
import { newToken } from '../request/session.ts';
import { mailsLinks } from './invitation-mail.ts';

const INVITATION_SECONDS = 7 * 86_400;

type MemberRow = NonNullable<Awaited<ReturnType<typeof memberOf>>>;

const view = ({ allProjects, ...m }: MemberRow): Output<'updateMember'> => ({
  ...m,
  projectIds: allProjects ? null : m.projectIds,
  lastSeenAt: m.lastSeenAt?.toISOString() ?? null,
});

export const listMembers: Handler<'listMembers'> = async ({ ports, actor: { organizationId } }, input) => {
  const { db } = ports.database;
  const total = await countMembers(db, organizationId);
  const found = await listed(input, total, (w) => list(db, organizationId, input.sort, w));
  return { ...found, rows: found.rows.map(view) };
};

export const updateMember = changing<'updateMember'>(async (context, tx, { userId, role, projectIds }) => {
  const { organizationId } = context.actor;
  const from = await requireChange(context, tx, userId, role);
  await setMembership(tx, organizationId, userId, {
    role: role ?? from,
    ...(projectIds !== undefined && { allProjects: projectIds === null }),
  });
  // Invitations made by or for the member under the earlier role must not restore it.
  if ((role !== undefined && !atLeast(role, from)) || projectIds) await deleteInvitationsOf(tx, organizationId, userId);
  if (projectIds !== undefined) {
    await setProjectMembers(tx, organizationId, userId, await requireProjects(tx, organizationId, projectIds));
  }
  return view(known('member', userId, await memberOf(tx, organizationId, userId)));
});

/** Sessions, keys and project roles are deleted too: a later invitation must not revive them. */
export const removeMember = changing<'removeMember'>(async (context, tx, { userId }) => {
  const { actor, ports } = context;
  const { organizationId } = actor;
  await requireChange(context, tx, userId, null);
  await deleteMembership(tx, organizationId, userId);
  await endAccess(tx, organizationId, userId, ports.now());
  return { id: userId, deleted: true };
});

/** Removes a former member's other data. */
export async function endAccess(tx: Tx, organizationId: string, userId: string, at: Date): Promise<void> {
  await setProjectMembers(tx, organizationId, userId, []);
  await deleteSessionsIn(tx, userId, organizationId);
  await revokeApiKeysOf(tx, organizationId, userId, at);
  await deleteInvitationsOf(tx, organizationId, userId);
}

/** Returns the member's present role. `to` undefined: they keep it; null: they leave. */
async function requireChange({ actor }: Context, tx: Tx, userId: string, to: Role | null | undefined): Promise<Role> {
  const { memberships, by } = await lockAll(tx, actor);
  const { role: from } = known(
    'member',
    userId,
    memberships.find((m) => m.userId === userId),
  );
  const owners = memberships.filter((m) => m.role === 'OWNER').length;
  const fault = membershipFault({ by, from, to: to === undefined ? from : to, owners });
  if (fault !== null) throw new ApiError('FORBIDDEN', fault);
  return from;
}

/**
 * Returns the organization's memberships, locked, and the actor's current role, which may have changed since the
 * request was admitted. Members and invitations require access to all projects; others could grant rights that they
 * lack, including to themselves.
 */
async function lockAll(tx: Tx, { organizationId, userId }: Actor) {
  const memberships = await lockMemberships(tx, organizationId);
  const own = memberships.find((m) => m.userId === userId);
  if (!own || !atLeast(own.role, 'ADMIN')) throw new ApiError('FORBIDDEN', 'You are no longer an ADMIN.');
  if (!own.allProjects) throw new ApiError('FORBIDDEN', 'This needs an ADMIN with access to all projects.');
  return { memberships, by: own.role };
}

async function requireProjects(tx: Tx, organizationId: string, ids: readonly string[] | null): Promise<string[]> {
  const found = await projectsAmong(tx, organizationId, ids ?? []);
  const unknown = (ids ?? []).findIndex((id) => !found.includes(id));
  if (unknown >= 0)
    throw invalid([{ path: ['projectIds', unknown], message: 'is not a project of this organization' }]);
  return found;
}

type InvitationRow = Awaited<ReturnType<typeof openInvitations>>[number];

const viewInvitation = (i: InvitationRow): Output<'listInvitations'> => ({
  ...i,
  createdAt: i.createdAt.toISOString(),
  expiresAt: i.expiresAt.toISOString(),
});

export const listInvitations: Handler<'listInvitations'> = async ({ ports, actor }, { page, per_page }) => {
  const all = await openInvitations(ports.database.db, actor.organizationId, ports.now());
  return { rows: all.slice((page - 1) * per_page, page * per_page).map(viewInvitation), total: all.length };
};

export const inUse = (email: string): string =>
  `${email} has an account without a password, and its owner comes in another way. An invitation cannot give it a password: its owner sets one first, in the account's settings.`;
const unmailed = ({ hooks }: Ports, email: string): string =>
  [
    `${email} has an account. A link to it goes only to its owner, and this installation sends no mail (SMTP_URL, CARILLON_PUBLIC_URL).`,
    ...hooks.flatMap(({ lostPassword }) => lostPassword?.adviceFor(email) ?? []),
  ].join(' ');

export const createInvitation = changing<'createInvitation'>(async (context, tx, { email, role, projectIds }) => {
  const { organizationId } = context.actor;
  const { by } = await lockAll(tx, context.actor);
  const user = await userByEmail(tx, email);
  const member = user && (await memberOf(tx, organizationId, user.id));
  if (member?.hasPassword) throw conflict(`${email} is a member already.`);
  // A user without a password was provisioned for their keys, and may be invited to log in with their present role.
  const given = member ? { role: member.role, projectIds: view(member).projectIds } : { role, projectIds };
  const fault = membershipFault({ by, from: member?.role ?? null, to: given.role, owners: 1 });
  if (fault !== null) throw new ApiError('FORBIDDEN', fault);
  await requireProjects(tx, organizationId, projectIds);
  return invite(context, tx, { organizationId, email, ...given });
});

type InvitedMember = Pick<NewInvitation, 'organizationId' | 'email' | 'role' | 'projectIds'>;

/**
 * Whether the person may be invited was decided before. The link for an existing account is mailed; without mail it is
 * shown if it asks for that account's password.
 * @throws ApiError CONFLICT: an account without a password, and no mail
 */
export async function invite(
  { ports, actor }: Context,
  tx: Tx,
  invited: InvitedMember,
): Promise<Output<'createInvitation'>> {
  const { organizationId, email } = invited;
  const user = await userByEmail(tx, email);
  if (user?.passwordHash === null && (await isInUse(tx, user.id))) throw conflict(inUse(email));
  const isMailed = user !== undefined && mailsLinks(ports);
  if (user?.passwordHash === null && !isMailed) throw conflict(unmailed(ports, email));
  const token = newToken();
  const at = ports.now();
  const expiresAt = secondsAfter(at, INVITATION_SECONDS);
  const id = newId();
  await putInvitation(tx, { id, ...invited, hash: hashOf(token), invitedBy: actor.userId, at, expiresAt });
  if (isMailed) await ports.jobs.enqueue(tx, 'invitation.mail', { invitationId: id });
  const open = (await openInvitations(tx, organizationId, at)).find((i) => i.email === email);
  return { ...viewInvitation(known('invitation', id, open)), token: isMailed ? null : token.reveal() };
}

export const deleteInvitation: Handler<'deleteInvitation'> = async ({ ports, actor }, { invitationId }) => {
  const gone = await byId(invitationId, async () =>
    (await dropInvitation(ports.database.db, actor.organizationId, invitationId)) ? true : undefined,
  );
  known('invitation', invitationId, gone);
  return { id: invitationId, deleted: true };
};
