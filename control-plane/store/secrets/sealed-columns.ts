/**
 * The columns with sealed secrets. Others are not resealed when keys change; a test compares the list with the schema.
 */
import type { SecretRow } from './sealing.ts';

export type SealedTable = {
  readonly table: SecretRow['table'];
  readonly key: 'uuid' | 'bigint';
  /** The column that names the row to its secrets. */
  readonly row: 'id' | 'instance_id';
  readonly columns: readonly string[];
  /** An earlier version left them unsealed. */
  readonly wasClear?: true;
};

export const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'sip_accounts', key: 'uuid', row: 'id', columns: ['password', 'ha1'], wasClear: true },
  { table: 'registrars', key: 'uuid', row: 'id', columns: ['tls_key'], wasClear: true },
  { table: 'webhooks', key: 'uuid', row: 'id', columns: ['secret', 'previous_secret', 'whole_url'], wasClear: true },
  { table: 'worker_commands', key: 'bigint', row: 'instance_id', columns: ['secrets'], wasClear: true },
  { table: 'second_factors', key: 'uuid', row: 'id', columns: ['secret', 'offered'] },
  { table: 'provisioned_entries', key: 'uuid', row: 'id', columns: ['digest'] },
];

/** Where an earlier version left a secret unsealed. */
export const clearColumn = (column: string): string => `clear_${column}`;
