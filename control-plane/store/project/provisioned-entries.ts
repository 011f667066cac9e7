/** The provisioning file's entry for each of its objects when it was last applied. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import { openIn, SecretUnreadable, sealIn } from '../secrets/sealing.ts';

/** `digest` null: none of the sealing keys opens it. */
export type ProvisionedEntry = { readonly id: string; readonly name: string; readonly digest: Secret | null };

const row = (id: string) => ({ table: 'provisioned_entries', id }) as const;

export const listProvisionedEntries = async (tx: Tx): Promise<ProvisionedEntry[]> =>
  (await tx.selectFrom('provisioned_entries').selectAll().execute()).map(({ id, name, digest }) => ({
    id,
    name,
    digest: opened(tx, id, digest),
  }));

function opened(tx: Tx, id: string, digest: Buffer): Secret | null {
  try {
    return openIn(tx, row(id), digest);
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

const MAX_AT_ONCE = 1000;

/** Entries of the same name are replaced. */
export async function putProvisionedEntries(
  tx: Tx,
  entries: readonly { readonly id: string; readonly name: string; readonly digest: Secret }[],
): Promise<void> {
  await deleteProvisionedEntries(
    tx,
    entries.map(({ name }) => name),
  );
  for (let i = 0; i < entries.length; i += MAX_AT_ONCE) {
    const values = entries
      .slice(i, i + MAX_AT_ONCE)
      .map(({ id, name, digest }) => ({ id, name, digest: sealIn(tx, row(id), digest) }));
    await tx.insertInto('provisioned_entries').values(values).execute();
  }
}

export async function deleteProvisionedEntries(tx: Tx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await tx
    .deleteFrom('provisioned_entries')
    .where('name', '=', sql<string>`any (${names as string[]}::text[])`)
    .execute();
}
