/** The expected number of calls of a run, including outside calls, and whether each has a row. Pure. */
import { MAX_CALLS } from '@carillon/proto/load/shapes/shape.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { callsEach, hasCallAfterCall, testCallers } from './callers.ts';
import { maxCalls } from './load.ts';

type Config = Pick<TestConfig, 'load' | 'groups'>;
type Times = {
  readonly buildupSeconds: number;
  readonly durationSeconds: number;
};

/** A call between two endpoints of the test counts once. */
export const plannedCalls = ({ load, groups }: Config, times: Times): number =>
  Math.min(maxCalls(load, testCallers({ groups })) + strangersCalls(groups, times), MAX_CALLS);

/**
 * The number of calls that callees take from outside. If it is unlimited: as many consecutive calls of the test's
 * duration as fit into their waiting time; fewer calls may arrive, or a larger number of shorter ones.
 */
function strangersCalls(groups: Config['groups'], { buildupSeconds, durationSeconds }: Times): number {
  const called = new Set(groups.flatMap(({ callee }) => (callee.mode === 'GROUP' ? [callee.groupId] : [])));
  const oneByOne = Math.ceil((buildupSeconds + durationSeconds) / Math.max(1, durationSeconds));
  const callees = groups
    .filter(({ id, callee }) => callee.mode === 'RECEIVE' && !called.has(id))
    .flatMap(({ subPopulations }) => subPopulations.filter(({ role }) => role === 'CALLEE'));
  return callees.reduce((sum, s) => sum + s.endpoints * (callsEach(s) ?? oneByOne), 0);
}

/** The run has too many calls for rows: they are added to sums as they end. */
export const isFoldedBeyond = (exactCalls: number, config: Config, times: Times): boolean =>
  config.groups.some(hasCallAfterCall) && !testCallers(config).isPaired && plannedCalls(config, times) > exactCalls;
