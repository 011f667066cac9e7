/** Creates, changes and deletes tests. */
import { invalid } from '../../contract/errors.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { GroupBody } from '../../contract/test-settings/test-body.ts';
import { groupDrafts } from '../../domain/project/api-draft.ts';
import { digitFaults } from '../../domain/project/test-draft.ts';
import { scenarioFaults, withScenario } from '../../domain/run/group/scenario.ts';
import { testCallers } from '../../domain/run/load/callers.ts';
import { loadFaults, loadSeconds } from '../../domain/run/load/load.ts';
import { testEndpoints } from '../../domain/run/preflight/needs.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  insertTest,
  lockTest,
  deleteTest as remove,
  type TestColumns,
  updateTest as update,
} from '../../store/project/tests.ts';
import { changing, creating, requireMatch } from '../request/change.ts';
import type { Context } from '../request/perform.ts';
import { byId, known } from '../request/perform.ts';
import { configOf } from './draft.ts';
import { insertUnderSlug } from './slug.ts';
import { testView } from './tests.ts';

type WrittenTest = {
  readonly name: string;
  readonly description: string;
  readonly buildup: number;
  readonly durationSeconds: number;
  readonly config: TestConfig;
};

const columns = ({ buildup, config, ...t }: WrittenTest): TestColumns => ({
  ...t,
  buildupSeconds: buildup,
  endpoints: testEndpoints(config),
  config,
});

type Parts = Pick<TestConfig, 'thresholds' | 'maxExecutionSeconds' | 'load' | 'breaker' | 'abortOn'> & {
  readonly groups: readonly GroupBody[];
  readonly durationSeconds: number;
  readonly buildup?: number;
};

const draw = ({ actor }: Context, tx: Tx, projectId: string, parts: Parts, before: TestConfig | null) =>
  configOf(
    tx,
    { organizationId: actor.organizationId, projectId },
    { ...parts, groups: groupDrafts(parts.groups) },
    before,
  );

export const createTest = creating('createTest', async (context, tx, { projectId, slug, ...body }) => {
  const config = await draw(context, tx, projectId, body, null);
  const { name, description, durationSeconds } = body;
  const id = newId();
  const buildup = loadSeconds(config.load, testCallers(config), body.buildup, durationSeconds);
  const written = columns({ name, description, buildup, durationSeconds, config });
  await insertUnderSlug(tx, { table: 'tests', ownerId: projectId, slug, name, fallback: 'test' }, (free) =>
    insertTest(tx, { id, projectId, slug: free, ...written }),
  );
  return testView(tx, projectId, id);
});

export const updateTest = changing<'updateTest'>(async (context, tx, { projectId, testId, ...change }) => {
  const before = known('test', testId, await byId(testId, () => lockTest(tx, projectId, testId)));
  requireMatch(context, before.version);
  const kept = {
    ...before.config,
    ...(change.thresholds !== undefined && { thresholds: change.thresholds }),
    ...(change.maxExecutionSeconds !== undefined && { maxExecutionSeconds: change.maxExecutionSeconds }),
    ...(change.load !== undefined && { load: change.load }),
    ...(change.breaker !== undefined && { breaker: change.breaker }),
    ...(change.abortOn !== undefined && { abortOn: change.abortOn }),
  };
  const { groups, buildup, durationSeconds = before.durationSeconds } = change;
  if (groups === undefined) refuseUnfit(kept, { buildup, durationSeconds: change.durationSeconds }, durationSeconds);
  const parts = {
    ...kept,
    breaker: kept.breaker ?? null,
    abortOn: kept.abortOn ?? null,
    durationSeconds,
    ...(buildup !== undefined && { buildup }),
  };
  const config = groups === undefined ? kept : await draw(context, tx, projectId, { ...parts, groups }, before.config);
  const written = columns({
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    buildup: loadSeconds(config.load, testCallers(config), buildup ?? before.buildup, durationSeconds),
    durationSeconds,
    config,
  });
  await update(tx, testId, written);
  return testView(tx, projectId, testId);
});

type Lengths = { readonly buildup: number | undefined; readonly durationSeconds: number | undefined };

/** Changes outside the groups must fit the groups. @throws ApiError VALIDATION_ERROR */
function refuseUnfit(config: TestConfig, { buildup, durationSeconds }: Lengths, callSeconds: number): void {
  const late =
    durationSeconds === undefined
      ? []
      : [
          ...digitFaults(config.groups, durationSeconds).map(({ message }) => `dtmf ${message}`),
          ...scenarioFaults(config.groups.map(withScenario), durationSeconds).map(
            ({ message }) => `actions: ${message}`,
          ),
        ];
  const faults = [
    ...late.map((message) => ({ path: ['durationSeconds'], message })),
    ...loadFaults(config.load, testCallers(config), buildup ?? null, callSeconds),
  ];
  if (faults.length > 0) throw invalid(faults);
}

export const deleteTest = changing<'deleteTest'>(async (context, tx, { projectId, testId }) => {
  const test = known('test', testId, await byId(testId, () => lockTest(tx, projectId, testId)));
  requireMatch(context, test.version);
  await remove(tx, testId);
  return { id: testId, deleted: true };
});
