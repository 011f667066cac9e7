/** Counts of SIP messages by direction, method and status. */
import { sql } from 'kysely';
import type { SipCountFacts } from '../../domain/run/facts.ts';
import { booleans, numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

export async function addSipCounts(tx: Tx, runId: string, instanceId: string, c: SipCountFacts): Promise<void> {
  await sql`
    insert into sip_counts as s (run_id, instance_id, sent, method, status, reason, count, retransmissions)
    select ${runId}::uuid, ${instanceId}::uuid, sent, method, status, reason, sum(count), sum(again)
    from unnest(${booleans(c.sent)}::boolean[], ${texts(c.method)}::text[], ${numbers(c.status)}::smallint[],
      ${texts(c.reason)}::text[], ${numbers(c.count)}::bigint[], ${numbers(c.retransmissions)}::bigint[])
      as t (sent, method, status, reason, count, again)
    group by sent, method, status, reason
    order by sent, method, status, reason
    on conflict (run_id, instance_id, sent, method, status, reason)
    do update set count = s.count + excluded.count, retransmissions = s.retransmissions + excluded.retransmissions`.execute(
    tx,
  );
}

export const sipCounts = (tx: Tx, runId: string) =>
  tx
    .selectFrom('sip_counts')
    .where('run_id', '=', runId)
    .groupBy(['sent', 'method', 'status', 'reason'])
    .select([
      'sent',
      'method',
      'status',
      'reason',
      sql<number>`sum(count)::bigint`.as('count'),
      sql<number>`sum(retransmissions)::bigint`.as('retransmissions'),
    ])
    .execute();
