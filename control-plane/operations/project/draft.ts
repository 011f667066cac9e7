/**
 * Turns a draft of a request into a test's configuration: references are looked up, and held until the transaction
 * ends.
 */
import { invalid } from '../../contract/errors.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import {
  draftFaults,
  type References,
  type Surroundings,
  type TestDraft,
  toTestConfig,
} from '../../domain/project/test-draft.ts';
import { holdWorkers } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { holdMediaFiles } from '../../store/project/media-files.ts';
import { holdRegistrars } from '../../store/project/registrars.ts';
import { accountColumns, holdSipAccounts } from '../../store/project/sip-accounts.ts';
import { identifiers } from '../request/change.ts';

const WORDS: Surroundings['words'] = {
  registrar: { field: 'registrarId', by: 'id' },
  workers: { field: 'workerIds', by: 'id' },
  accounts: 'sipAccountIds',
  mediaFile: 'mediaFileId',
};

/** Requests refer to things by their ids. */
const REFERENCES: References = {
  registrarId: (id) => id,
  workerId: (id) => id,
  accountId: (_registrar, id) => id,
  newId,
};

type ProjectIds = { readonly organizationId: string; readonly projectId: string };

/**
 * `placeOf` converts the path of an error, which starts with `groups`, to one of the request.
 * @throws ApiError VALIDATION_ERROR
 */
export async function configOf(
  tx: Tx,
  place: ProjectIds,
  draft: TestDraft,
  before: TestConfig | null,
  placeOf: (path: readonly PropertyKey[]) => readonly PropertyKey[] = (path) => path,
): Promise<TestConfig> {
  const faults = draftFaults(draft, await surroundings(tx, place, draft));
  if (faults.length > 0) throw invalid(faults.map((f) => ({ ...f, path: placeOf(f.path) })));
  return toTestConfig(draft, REFERENCES, before);
}

async function surroundings(
  tx: Tx,
  { organizationId, projectId }: ProjectIds,
  { groups }: TestDraft,
): Promise<Surroundings> {
  const named = {
    registrars: identifiers(groups.map((g) => g.registrar)),
    workers: identifiers(groups.flatMap((g) => (g.placement.mode === 'WORKERS' ? g.placement.workers : []))),
    accounts: identifiers(groups.flatMap((g) => g.subPopulations.flatMap((s) => s.accounts ?? []))),
    mediaFiles: identifiers(groups.flatMap((g) => g.mediaTracks.flatMap((t) => t.mediaFile ?? []))),
  };
  const registrars = await holdRegistrars(tx, projectId, named.registrars);
  const accounts = named.accounts.length > 0 ? await holdSipAccounts(tx, projectId, named.accounts) : [];
  return {
    registrars: new Map(registrars.map((r) => [r.id, r])),
    workers: new Set(named.workers.length > 0 ? await holdWorkers(tx, organizationId, named.workers) : []),
    accounts: new Map(
      [...Map.groupBy(accounts, (a) => a.registrarId)].map(([id, of]) => [id, new Set(of.map((a) => a.id))]),
    ),
    columns: await accountColumns(tx, projectId, named.registrars),
    mediaFiles: new Map(
      (named.mediaFiles.length > 0 ? await holdMediaFiles(tx, projectId, named.mediaFiles) : []).map((file) => [
        file.id,
        file,
      ]),
    ),
    words: WORDS,
  };
}
