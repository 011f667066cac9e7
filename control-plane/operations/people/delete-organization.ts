/**
 * Deletes an organization. Its runs are stopped immediately, its agents are removed, and every session, key, invitation
 * and membership ends. Its rows are deleted in small statements (retain.ts) after its last run has ended.
 */
import { ApiError, invalid } from '../../contract/errors.ts';
import { retireKeys } from '../../store/agents/agent-keys.ts';
import { deleteJoinTokens, revokeWorker } from '../../store/agents/owned-workers.ts';
import { announceChange } from '../../store/memory.ts';
import {
  closeOrganization,
  lockOrganization,
  noteDeletion,
  openRunsOfOrganization,
  workersOfOrganization,
} from '../../store/people/gone-organizations.ts';
import { lockMemberships, userById } from '../../store/people/members.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { expel } from '../agents/keys.ts';
import { changing } from '../request/change.ts';
import { known } from '../request/perform.ts';
import { cancelRun } from '../run/cancel.ts';

export const deleteOrganization = changing<'deleteOrganization'>(async ({ ports, actor, address }, tx, { name }) => {
  const { organizationId: id, userId } = actor;
  const organization = known('organization', id, await lockOrganization(tx, id));
  const own = (await lockMemberships(tx, id)).find((m) => m.userId === userId);
  if (own?.role !== 'OWNER') throw new ApiError('FORBIDDEN', 'You are no longer an OWNER.');
  if (!own.allProjects) throw new ApiError('FORBIDDEN', 'This needs an OWNER with access to all projects.');
  if (name !== organization.name)
    throw invalid([{ path: ['name'], message: `is not the name of this organization: ${organization.name}` }]);
  const at = ports.now();
  for (const open of await openRunsOfOrganization(tx, id)) {
    const run = await lockRun(tx, open.id);
    if (run) await cancelRun(ports, tx, run);
  }
  for (const worker of await workersOfOrganization(tx, id)) {
    await deleteJoinTokens(tx, worker.id);
    await retireKeys(tx, [worker.id], 'REVOKED', at);
    await revokeWorker(tx, worker.id, at);
    await expel(ports, tx, worker.id);
  }
  const actorName = (await userById(tx, userId))?.name ?? '';
  await noteDeletion(tx, { at, name, actor: actorName, address });
  await closeOrganization(tx, id, at);
  await announceChange(tx);
  await ports.jobs.enqueue(tx, 'data.retain', {});
  ports.log.info({ organizationId: id, name, actor: actorName, address }, 'organization deleted');
  return { id, deleted: true };
});
