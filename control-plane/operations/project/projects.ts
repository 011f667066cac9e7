/** Projects: reading, creating, changing and deleting them. */
import type { Output } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { CLOUD_REGISTRAR } from '../../domain/project/cloud.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  countProjects,
  insertProject,
  listProjects as list,
  lockProject,
  projectDetail,
  retireProject,
  updateProject as update,
} from '../../store/project/projects.ts';
import { insertRegistrar } from '../../store/project/registrars.ts';
import { openRunsOfProject } from '../../store/run/run-rows.ts';
import { changing, conflict, creating, requireMatch } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { type Handler, known } from '../request/perform.ts';
import { insertUnderSlug } from './slug.ts';

export const listProjects: Handler<'listProjects'> = async ({ ports, actor }, input) => {
  const { db } = ports.database;
  return listed(input, await countProjects(db, actor), (w) => list(db, actor, input.sort, w));
};

export const getProject: Handler<'getProject'> = ({ ports }, { projectId }) => view(ports.database.db, projectId);

async function view(tx: Tx, projectId: string): Promise<Output<'getProject'>> {
  const p = known('project', projectId, await projectDetail(tx, projectId));
  return {
    ...p,
    createdAt: p.createdAt.toISOString(),
    updatedAt: p.updatedAt.toISOString(),
    lastRunAt: p.lastRunAt?.toISOString() ?? null,
  };
}

export const createProject = creating('createProject', async ({ actor }, tx, { slug, name, description }) => {
  if (!actor.allProjects || actor.onlyProjects !== null) {
    const message = 'This key, or its user, can access only certain projects. Creating a project needs access to all.';
    throw new ApiError('FORBIDDEN', message);
  }
  const id = newId();
  const { organizationId } = actor;
  await insertUnderSlug(tx, { table: 'projects', ownerId: organizationId, slug, name, fallback: 'project' }, (free) =>
    insertProject(tx, { id, organizationId, slug: free, name, description }),
  );
  await insertRegistrar(tx, { id: newId(), projectId: id, ...CLOUD_REGISTRAR });
  return view(tx, id);
});

export const updateProject = changing<'updateProject'>(async (context, tx, { projectId, ...change }) => {
  const project = known('project', projectId, await lockProject(tx, projectId));
  requireMatch(context, project.version);
  await update(tx, projectId, change);
  return view(tx, projectId);
});

export const deleteProject = changing<'deleteProject'>(async (context, tx, { projectId }) => {
  const project = known('project', projectId, await lockProject(tx, projectId));
  requireMatch(context, project.version);
  const open = await openRunsOfProject(tx, projectId);
  if (open > 0) {
    throw conflict(
      `${open} of its test runs ${open === 1 ? 'is' : 'are'} open. Cancel ${open === 1 ? 'it' : 'them'}, or wait.`,
    );
  }
  await retireProject(tx, projectId, context.ports.now());
  await context.ports.jobs.enqueue(tx, 'data.retain', {});
  return { id: projectId, deleted: true };
});
