/** A test as somebody has written it, before the server returns it. The text itself: `test-yaml.ts`, which is loaded where it is needed. */
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { DEFAULT_GROUP, DEFAULT_SUB_POPULATION, DEFAULT_TRACK } from '../../../contract/test-settings/defaults.ts';

type Test = Output<'getTest'>;
export type TestBody = Omit<CallInput<'createTest'>, 'projectId'>;
// biome-ignore lint/suspicious/noExplicitAny: what somebody wrote, before the server has judged it
type Any = any;

/** The names of things by their ids. */
export type Names = {
  readonly registrars: ReadonlyMap<string, string>;
  readonly workers: ReadonlyMap<string, string>;
  readonly accounts: ReadonlyMap<string, string>;
  readonly mediaFiles: ReadonlyMap<string, string>;
};

const trackOf = (track: Any) => ({
  source: track.kind === 'VIDEO' ? 'PATTERN' : 'TONE',
  mediaFileId: null,
  ...DEFAULT_TRACK,
  ...track,
});

/** Values of settings that the text does not mention, for a new test and for an existing one. */
export const TEST_DEFAULTS: Pick<Test, 'description' | 'maxExecutionSeconds' | 'thresholds' | 'load'> = {
  description: '',
  maxExecutionSeconds: null,
  thresholds: [],
  load: { shape: 'BUILDUP' },
};

/** The test as the server would return it, as far as the form needs it. It is for tests that are not stored yet. */
export function asTest(body: TestBody, before: Test | null): Test {
  const { groups: given, ...rest } = body as Any;
  const groups = [given ?? []].flat();
  const idOf = (name: unknown) => groups.find((g: Any) => g.name === name)?.id ?? name;
  return {
    ...before,
    ...TEST_DEFAULTS,
    buildup: 0,
    breaker: before?.breaker,
    slug: before?.slug ?? '',
    ...rest,
    groups: groups.map((g: Any) => ({
      ...DEFAULT_GROUP,
      ...g,
      id: g.id ?? g.name,
      callee:
        g.callee?.mode === 'GROUP' ? { mode: 'GROUP', groupId: g.callee.groupId ?? idOf(g.callee.group) } : g.callee,
      mediaTracks: (g.mediaTracks ?? [{ kind: 'AUDIO' }]).map(trackOf),
      subPopulations: (g.subPopulations ?? []).map((s: Any) => ({
        sipAccountIds: null,
        ...DEFAULT_SUB_POPULATION,
        ...s,
      })),
    })),
  };
}
