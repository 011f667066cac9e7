/** A user of the provisioning file. The name, password, role and projects are each applied on their own. */
import type { ProvisionOrganization } from '../../contract/provision.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { deleteInvitationsOf } from '../../store/people/invitations.ts';
import { setProjectMembers, upsertMembership, upsertUser, userByEmail } from '../../store/project/provision-access.ts';
import { hashPassword } from '../people/password.ts';
import type { FileEntry } from './entries.ts';

type ProvisionedUser = {
  readonly organizationId: string;
  readonly said: ProvisionOrganization['users'][number];
  readonly entry: FileEntry;
  /** A new API key names the user. */
  readonly isNeeded: boolean;
};

/**
 * The password of the file is a first password: it is set if an account has none, or if the file has another one than
 * at the last start.
 */
export async function applyUser(
  ports: Ports,
  tx: Tx,
  { organizationId, said: u, entry, isNeeded }: ProvisionedUser,
  projectIds: ReadonlyMap<string, string>,
): Promise<void> {
  const found = await userByEmail(tx, u.email);
  const word = entry.only('password');
  // A file without a password leaves the previous one as it is.
  if (u.password === undefined) word.leave();
  const isNamed = entry.only('name').isNew;
  const isGiven = u.password !== undefined && word.isNew && (found?.passwordHash === null || word.isKnown);
  const [isRole, isReach] = [entry.only('role').isNew, entry.only('projects').isNew];
  const isMember = isRole || isReach;
  if (!found && !isNamed && !isMember && !isNeeded) return;
  const password = !found || isGiven ? u.password : undefined;
  const userId =
    found && !isNamed && password === undefined
      ? found.id
      : await upsertUser(tx, {
          id: newId(),
          email: u.email,
          name: u.name,
          ...(password && { passwordHash: await hashPassword(password, ports.settings.passwordCost) }),
        });
  if (found && !isMember) return;
  const member = { organizationId, userId, role: u.role, allProjects: u.projects === undefined };
  await upsertMembership(tx, member, { role: isRole, allProjects: isReach });
  // An invitation under the earlier role must not restore it, as when people change a member.
  if (found) await deleteInvitationsOf(tx, organizationId, userId);
  if (found && !isReach) return;
  const reached = (u.projects ?? []).flatMap((slug) => projectIds.get(slug) ?? []);
  await setProjectMembers(tx, organizationId, userId, reached);
}
