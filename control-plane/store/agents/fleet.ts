/** Which workers of an organization are meant, and what they have in common. In statements, the worker is `w`. */
import { type RawBuilder, sql } from 'kysely';
import type { FeatureWorkerFields } from '../../contract/worker.ts';
import { texts as textArray } from '../arrays.ts';
import type { Tx } from '../db.ts';

/** What features say about a worker. */
export type WorkerTexts = { readonly [K in keyof FeatureWorkerFields]: RawBuilder<string | null> };

/** Its strictest limit; `limitsOf` (domain/run/plan/capacity.ts) says the same of a row. */
const LIMITED_BY = sql<string>`(select l.name from (values
    (1, 'CONFIGURED', w.capacity::float8),
    (2, 'POLICY', (w.hello #>> '{policy,maxEndpoints}')::float8),
    (3, 'AGENT', coalesce(nullif((w.hello #>> '{limits,own}')::float8, 0), (w.hello ->> 'capacity')::float8)),
    (4, 'OPEN_FILES', nullif((w.hello #>> '{limits,openFileStreams}')::float8, 0)),
    (5, 'PORTS', nullif((w.hello #>> '{limits,portStreams}')::float8, 0))) as l (place, name, endpoints)
  where l.endpoints is not null order by l.endpoints, l.place limit 1)`;

const OWN_TEXTS = {
  state: sql<string>`case when w.public_key is null then 'WAITING' else w.status end`,
  region: sql<string>`w.region`,
  version: sql<string | null>`w.hello ->> 'agentVersion'`,
  limited_by: LIMITED_BY,
};

/** What workers are grouped by, by the names of the parameters that select them; never null. */
const groupingsOf = (texts: WorkerTexts): [by: string, value: RawBuilder<string>][] =>
  Object.entries<RawBuilder<string | null>>({ ...OWN_TEXTS, ...texts }).map(([by, text]) => [
    by,
    sql<string>`coalesce(${text}, 'none')`,
  ]);

export type WorkerQuery = {
  readonly search?: string | undefined;
  readonly texts: WorkerTexts;
  /** The values of which a worker has one, by what workers are grouped by; absent: any. */
  readonly values: Readonly<Record<string, readonly string[] | undefined>>;
};

/** Revoked workers are kept for their runs; they are not among those of the organization, nor among the shared ones. */
export const workersOf = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('workers as w')
    .where((eb) => eb.or([eb('w.organization_id', '=', organizationId), eb('w.organization_id', 'is', null)]))
    .where((eb) => eb.or([eb('w.revoked_at', 'is', null), eb('w.public_key', 'is not', null)]));

/** A condition of a statement about workers: those that are meant. */
export const isMeant = ({ search, texts, values }: WorkerQuery): RawBuilder<boolean> => {
  const conditions = groupingsOf(texts).flatMap(([by, value]) =>
    values[by] ? [sql<boolean>`${value} = any (${textArray(values[by])}::text[])`] : [],
  );
  if (search !== undefined)
    conditions.push(
      sql<boolean>`(strpos(lower(w.name), lower(${search})) > 0 or strpos(lower(w.hello ->> 'hostname'), lower(${search})) > 0)`,
    );
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
};

/** How many of those that are meant have each value; the largest group is first. */
export const countGroups = (tx: Tx, organizationId: string, query: WorkerQuery) => {
  const rows = groupingsOf(query.texts).map(([by, value]) => sql`(${sql.lit(by)}, ${value})`);
  return workersOf(tx, organizationId)
    .where(isMeant(query))
    .innerJoinLateral(
      sql<{ by: string; value: string }>`(values ${sql.join(rows)})`.as<'g'>(sql`g ("by", value)`),
      (join) => join.onTrue(),
    )
    .groupBy(['g.by', 'g.value'])
    .select([
      'g.by',
      'g.value',
      sql<number>`count(*)::int`.as('workers'),
      sql<number>`count(*) filter (where w.status = 'ONLINE')::int`.as('online'),
    ])
    .orderBy('g.by')
    .orderBy('workers', 'desc')
    .orderBy('g.value')
    .execute();
};
