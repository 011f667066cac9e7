/** An organization's use of its plan: open runs now, credits by calendar month. */
import { sql } from 'kysely';
import type { Tier } from '../../contract/people/words.ts';
import type { Tx } from '../db.ts';

export const tierOf = async (tx: Tx, organizationId: string): Promise<Tier> =>
  (await tx.selectFrom('organizations').where('id', '=', organizationId).select('plan').executeTakeFirstOrThrow()).plan;

/**
 * An advisory lock that serializes quota decisions of an organization until the transaction commits. It is taken after
 * the run's lock, and before those of instances and workers. New rows that refer to the organization need not wait.
 */
export const lockUsage = async (tx: Tx, organizationId: string): Promise<Tier> =>
  (
    await tx
      .selectFrom('organizations')
      .where('id', '=', organizationId)
      .select('plan')
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
  ).plan;

/** The runs that were admitted and have not ended. */
export const admittedRuns = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('test_runs')
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .where('status', '!=', 'PENDING')
    .select([
      'endpoints',
      'duration_seconds as durationSeconds',
      'buildup_seconds as buildupSeconds',
      'max_execution_seconds as maxExecutionSeconds',
    ])
    .execute();

/** The format is `2026-11`. */
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The use in the calendar month (UTC) of `at`. */
export const usedInMonth = async (tx: Tx, organizationId: string, at: Date) =>
  (await tx
    .selectFrom('usage_months')
    .where('organization_id', '=', organizationId)
    .where('month', '=', monthOf(at))
    .select(['endpoint_seconds as endpointSeconds', 'runs'])
    .executeTakeFirst()) ?? { endpointSeconds: 0, runs: 0 };

export const usedEndpointSeconds = async (tx: Tx, organizationId: string, at: Date): Promise<number> =>
  (await usedInMonth(tx, organizationId, at)).endpointSeconds;

export const addUsage = (tx: Tx, organizationId: string, at: Date, endpointSeconds: number): Promise<unknown> =>
  tx
    .insertInto('usage_months')
    .values({ organization_id: organizationId, month: monthOf(at), endpoint_seconds: endpointSeconds, runs: 1 })
    .onConflict((c) =>
      c.columns(['organization_id', 'month']).doUpdateSet({
        endpoint_seconds: sql`usage_months.endpoint_seconds + excluded.endpoint_seconds`,
        runs: sql`usage_months.runs + 1`,
      }),
    )
    .execute();
