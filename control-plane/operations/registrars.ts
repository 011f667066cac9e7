import type { PROTOCOLS } from '../contract/registrar.ts';
import { countRegistrars, listRegistrars as list } from '../store/registrars.ts';
import type { Handler } from './perform.ts';

export const listRegistrars: Handler<'listRegistrars'> = async ({ ports }, input) => {
  const rows = await list(ports.database.db, input.projectId, input);
  return {
    rows: rows.map((r) => ({
      ...r,
      protocol: r.protocol as (typeof PROTOCOLS)[number],
      createdAt: r.createdAt.toISOString(),
      updatedAt: r.updatedAt.toISOString(),
    })),
    total: await countRegistrars(ports.database.db, input.projectId),
  };
};
