/** Tests, probes and runs of all accessible projects, by their names; runs also by their id. */
import { sql } from 'kysely';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { type Viewer, visible } from '../project/projects.ts';

export type NameQuery = {
  readonly viewer: Viewer;
  /** In lower case; a name has all of them. */
  readonly words: readonly string[];
  /** Not null: the run with this id, and no other. */
  readonly id: string | null;
  readonly limit: number;
};

/** The number of last runs of a project that are looked through. */
const LAST_RUNS = 100;

/** All projects that the viewer can access. */
export const namesOfProjects = (tx: Tx, viewer: Viewer) => visible(tx, viewer).select(['p.id', 'p.name']).execute();

const reached = (tx: Tx, { viewer }: NameQuery) => visible(tx, viewer).select(['p.id', 'p.name']).as('p');
const ofProject = ['p.id as projectId', 'p.name as projectName'] as const;
const has = (name: string, { words }: NameQuery) => sql<boolean>`not exists (
  select from unnest(${texts(words)}::text[]) as word where position(word in lower(${sql.ref(name)})) = 0)`;

export const namedTests = (tx: Tx, query: NameQuery) =>
  tx
    .selectFrom('tests as t')
    .innerJoin(reached(tx, query), 'p.id', 't.project_id')
    .where(has('t.name', query))
    .select([...ofProject, 't.id', 't.name'])
    .orderBy('t.name')
    .orderBy('t.id')
    .limit(query.limit)
    .execute();

export const namedProbes = (tx: Tx, query: NameQuery) =>
  tx
    .selectFrom('probes as b')
    .innerJoin(reached(tx, query), 'p.id', 'b.project_id')
    .where(has('b.name', query))
    .select([...ofProject, 'b.id', 'b.name'])
    .orderBy('b.name')
    .orderBy('b.id')
    .limit(query.limit)
    .execute();

/** The last submitted ones first. */
export const namedRuns = (tx: Tx, query: NameQuery) =>
  tx
    .selectFrom(reached(tx, query))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('test_runs')
          .whereRef('project_id', '=', 'p.id')
          .$if(query.id !== null, (q) => q.where('id', '=', query.id))
          .select(['id', 'status', 'test_name', 'submitted_at'])
          .orderBy('submitted_at', 'desc')
          .limit(LAST_RUNS)
          .as('r'),
      (join) => join.onTrue(),
    )
    .$if(query.id === null, (q) => q.where(has('r.test_name', query)))
    .select([...ofProject, 'r.id', 'r.status', 'r.test_name as testName', 'r.submitted_at as submittedAt'])
    .orderBy('r.submitted_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(query.limit)
    .execute();
