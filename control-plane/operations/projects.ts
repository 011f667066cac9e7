import { countProjects, listProjects as list, projectDetail } from '../store/projects.ts';
import { type Handler, known } from './perform.ts';

export const listProjects: Handler<'listProjects'> = async ({ ports, actor }, input) => ({
  rows: await list(ports.database.db, actor, input),
  total: await countProjects(ports.database.db, actor),
});

export const getProject: Handler<'getProject'> = async ({ ports }, { projectId }) => {
  const p = known('project', projectId, await projectDetail(ports.database.db, projectId));
  return {
    ...p,
    createdAt: p.createdAt.toISOString(),
    updatedAt: p.updatedAt.toISOString(),
    lastRunAt: p.lastRunAt?.toISOString() ?? null,
    mediaFileCount: 0,
  };
};
