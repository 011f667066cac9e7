/** A user of the provisioning file. Name, password, role and projects are applied each for itself. */
import { v7 as uuid } from 'uuid';
import type { ProvisionOrganization } from '../../contract/provision.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { setProjectMembers, upsertMembership, upsertUser, userByEmail } from '../../store/project/provision-access.ts';
import { hashPassword } from '../people/password.ts';
import type { FileEntry } from './entries.ts';

/**
 * The password of the file is a first password: it is set where an account has none, and when the file has another one than
 * before. `isNeeded`: an API key that is new names the user.
 */
export async function applyUser(
  ports: Ports,
  tx: Tx,
  organizationId: string,
  u: ProvisionOrganization['users'][number],
  projectIds: ReadonlyMap<string, string>,
  entry: FileEntry,
  isNeeded: boolean,
): Promise<void> {
  const found = await userByEmail(tx, u.email);
  const word = entry.only('password');
  // A file that says no password says nothing of the one before.
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
          ...{ id: uuid(), email: u.email, name: u.name },
          ...(password && { passwordHash: await hashPassword(password, ports.settings.passwordCost) }),
        });
  if (found && !isMember) return;
  const member = { organizationId, userId, role: u.role, allProjects: u.projects === undefined };
  await upsertMembership(tx, member, { role: isRole, allProjects: isReach });
  if (found && !isReach) return;
  const reached = (u.projects ?? []).flatMap((slug) => projectIds.get(slug) ?? []);
  await setProjectMembers(tx, organizationId, userId, reached);
}
