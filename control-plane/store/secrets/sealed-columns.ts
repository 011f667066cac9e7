/**
 * The columns with sealed secrets. Other columns are not resealed when keys change; a test compares the list with the
 * schema.
 */
import type { SecretRow } from './sealing.ts';

export type SealedTable = {
  readonly table: SecretRow['table'];
  readonly key: 'uuid' | 'bigint';
  /** The column that identifies the row to its secrets. */
  readonly row: 'id' | 'instance_id';
  readonly columns: readonly string[];
};

export const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'sip_accounts', key: 'uuid', row: 'id', columns: ['password', 'ha1'] },
  { table: 'registrars', key: 'uuid', row: 'id', columns: ['tls_key'] },
  { table: 'webhooks', key: 'uuid', row: 'id', columns: ['secret', 'previous_secret', 'whole_url'] },
  { table: 'worker_commands', key: 'bigint', row: 'instance_id', columns: ['secrets'] },
  { table: 'second_factors', key: 'uuid', row: 'id', columns: ['secret', 'offered'] },
  { table: 'provisioned_entries', key: 'uuid', row: 'id', columns: ['digest'] },
];
