/** A project as the API returns it, with the ids for changes. */
import type { Output } from '../../contract/catalogue.ts';
import { usage } from '../exit-codes.ts';
import { type Api, everyRow, Refused } from '../session/api.ts';

export type ServerRegistrar = Output<'getRegistrar'> & { readonly accounts: readonly Output<'listSipAccounts'>[] };

export type ServerProject = {
  readonly project: Output<'getProject'>;
  readonly registrars: readonly ServerRegistrar[];
  readonly tests: readonly Output<'getTest'>[];
  readonly probes: readonly Output<'getProbe'>[];
  readonly mediaFiles: readonly Output<'listMediaFiles'>[];
  /** Null: the key is not allowed to see them. */
  readonly webhooks: readonly Output<'listWebhooks'>[] | null;
  readonly workers: readonly { readonly id: string; readonly name: string }[];
};

/** Null: no project has that slug. */
export async function readServerProject(api: Api, slug: string): Promise<ServerProject | null> {
  const found = (await everyRow(api.call, 'listProjects', {})).find((project) => project.slug === slug);
  if (found === undefined) return null;
  const projectId = found.id;
  const registrars: ServerRegistrar[] = [];
  for (const registrar of await everyRow(api.call, 'listRegistrars', { projectId }))
    registrars.push({
      ...registrar,
      accounts: registrar.isCloud
        ? []
        : await everyRow(api.call, 'listSipAccounts', { projectId, registrarId: registrar.id }),
    });
  const tests: Output<'getTest'>[] = [];
  for (const { id } of await everyRow(api.call, 'listTests', { projectId }))
    tests.push(await api.call('getTest', { projectId, testId: id }));
  const probes: Output<'getProbe'>[] = [];
  for (const { id } of await everyRow(api.call, 'listProbes', { projectId }))
    probes.push(await api.call('getProbe', { projectId, probeId: id }));
  return {
    project: await api.call('getProject', { projectId }),
    registrars,
    tests,
    probes,
    mediaFiles: await everyRow(api.call, 'listMediaFiles', { projectId }),
    webhooks: await everyRow(api.call, 'listWebhooks', { projectId }).catch(refusedAsNull),
    workers: await readWorkers(api),
  };
}

export const readWorkers = async (api: Api): Promise<ServerProject['workers']> =>
  (await everyRow(api.call, 'listWorkers', {}).catch(refusedAsNull)) ?? [];

const refusedAsNull = (error: unknown): null => {
  if (error instanceof Refused && error.status === 403) return null;
  throw error;
};

/** Replaces ids in the API's answers with names. @throws Stop if something no longer exists */
export const namesOf = (what: string, rows: readonly { readonly id: string; readonly name: string }[]) => {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id: string): string => {
    const name = names.get(id);
    if (name === undefined) throw usage(`The project names a ${what} ${id} that no longer exists.`);
    return name;
  };
};
