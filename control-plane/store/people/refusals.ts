/** Refusals, counted in windows of time shared by all replicas. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

export type RefusalWindow = {
  readonly organizationId: string;
  readonly action: string;
  /** '': from any network. */
  readonly network: string;
  readonly windowStart: Date;
};

/** Counts this many more refusals; returns the number in the window. */
export async function countRefusals(tx: Tx, w: RefusalWindow, more: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into refusals as r (organization_id, action, network, window_start, refusals)
    values (${w.organizationId}::uuid, ${w.action}, ${w.network}, ${w.windowStart}::timestamptz, ${more})
    on conflict (organization_id, action, network, window_start) do update set refusals = r.refusals + excluded.refusals
    returning refusals as n`.execute(tx);
  return rows[0]?.n ?? more;
}

/** Removes and returns earlier windows. */
export const takeRefusalWindows = async (
  tx: Tx,
  before: Date,
): Promise<(RefusalWindow & { readonly refusals: number })[]> =>
  (
    await tx
      .deleteFrom('refusals')
      .where('window_start', '<', before)
      .returning([
        'organization_id as organizationId',
        'action',
        'network',
        'window_start as windowStart',
        sql<number>`refusals`.as('refusals'),
      ])
      .execute()
  ).sort((a, b) => a.windowStart.getTime() - b.windowStart.getTime());
