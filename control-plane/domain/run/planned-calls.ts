/** As many calls as a run may come to, those that strangers place included; and whether so many have a row each. Pure. */
import { MOST_CALLS } from '../../contract/test/scenario.ts';
import type { TestConfig } from '../../contract/test/test.ts';
import { callsEach, hasCallAfterCall, testCallers } from './callers.ts';
import { mostCalls } from './load.ts';

type Config = Pick<TestConfig, 'load' | 'groups'>;
type Times = {
  readonly buildupSeconds: number;
  /** Of a call. */
  readonly durationSeconds: number;
};

/** A call that both ends are of the test is one. */
export const plannedCalls = ({ load, groups }: Config, times: Times): number =>
  Math.min(mostCalls(load, testCallers({ groups })) + strangersCalls(groups, times), MOST_CALLS);

/**
 * What callees take that no group of the test calls. Where that is any number, as many calls as follow one another in the time that they wait,
 * each of the test's length: fewer may come, or more that are shorter.
 */
function strangersCalls(groups: Config['groups'], { buildupSeconds, durationSeconds }: Times): number {
  const called = new Set(groups.flatMap(({ callee }) => (callee.mode === 'GROUP' ? [callee.groupId] : [])));
  const oneByOne = Math.ceil((buildupSeconds + durationSeconds) / Math.max(1, durationSeconds));
  const callees = groups
    .filter(({ id, callee }) => callee.mode === 'RECEIVE' && !called.has(id))
    .flatMap(({ subPopulations }) => subPopulations.filter(({ role }) => role === 'CALLEE'));
  return callees.reduce((sum, s) => sum + s.endpoints * (callsEach(s) ?? oneByOne), 0);
}

/** The run has more calls than have a row each: they are added to sums as they end. */
export const isFoldedBeyond = (exactCalls: number, config: Config, times: Times): boolean =>
  config.groups.some(hasCallAfterCall) && !testCallers(config).isPaired && plannedCalls(config, times) > exactCalls;
