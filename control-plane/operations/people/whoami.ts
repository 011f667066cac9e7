/** The owner and permissions of a key. */
import { SCOPES } from '../../contract/people/words.ts';
import { apiKeyById } from '../../store/people/api-keys.ts';
import { userById } from '../../store/people/members.ts';
import { projectsReached } from '../../store/project/projects.ts';
import { VERSION } from '../../version.ts';
import { type Handler, known } from '../request/perform.ts';

export const getWhoami: Handler<'getWhoami'> = async ({ ports, actor }) => {
  const { db } = ports.database;
  const { userId, organizationId, plan } = actor;
  const { name, email } = known('user', userId, await userById(db, userId));
  const key = actor.by === 'KEY' ? await apiKeyById(db, { organizationId, userId }, actor.credentialId) : undefined;
  const reachesAll = actor.allProjects && actor.onlyProjects === null;
  return {
    by: actor.by,
    key: key
      ? {
          id: key.id,
          name: key.name,
          lastFour: key.lastFour,
          createdAt: key.createdAt.toISOString(),
          expiresAt: key.expiresAt?.toISOString() ?? null,
        }
      : null,
    user: { id: userId, name, email },
    organization: { id: organizationId, name: actor.organizationName },
    role: actor.role,
    scopes: [...(actor.scopes ?? SCOPES)],
    projectIds: reachesAll ? null : await projectsReached(db, actor, null),
    plan: { name: plan, limits: ports.settings.plans[plan] },
    version: VERSION,
  };
};
