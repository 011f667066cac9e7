/** The callers of a test: concurrent calls, total calls, and endpoints with several calls. Pure. */
import type { SubPopulationSettings } from '../../../contract/test-settings/settings.ts';
import type { EndpointType } from '../../../contract/test-settings/words.ts';
import type { FileFault } from '../../../contract/yaml-file.ts';

/** Tests that were stored before this setting existed lack it. */
type SubPopulation = Partial<SubPopulationSettings> & { readonly role: EndpointType; readonly endpoints: number };
type Populated = {
  readonly subPopulations: readonly SubPopulation[];
  readonly callee?: { readonly mode: string } | undefined;
};
type Grouped = { readonly groups: readonly Populated[] };

export type Callers = {
  /** The number of concurrent calls. */
  readonly endpoints: number;
  /** The total number of calls; null: as many as the load has. */
  readonly calls: number | null;
  /** True: they call a group of the test, and both ends of each call are compared when the run settles. */
  readonly isPaired?: boolean;
};

export function testCallers({ groups }: Grouped): Callers {
  const callers = groups.flatMap((g) => g.subPopulations.filter((s) => s.role === 'CALLER'));
  const endpoints = callers.reduce((sum, s) => sum + s.endpoints, 0);
  const isBound = callers.every((s) => callsEach(s) !== null);
  const calls = isBound ? callers.reduce((sum, s) => sum + placesOf(s, s.endpoints), 0) : null;
  const isPaired = groups.some(({ callee }) => callee?.mode === 'GROUP');
  return { endpoints, calls, ...(isPaired && { isPaired }) };
}

export const callsEach = ({ calls }: Partial<SubPopulationSettings>): number | null =>
  calls === undefined ? 1 : calls;

/** True if endpoints place several calls: the load defines when, and each call is given to a free endpoint. */
export const isLasting = (test: Grouped): boolean =>
  test.groups.some((g) => g.subPopulations.some((s) => s.role === 'CALLER' && callsEach(s) !== 1));

/** True if endpoints of the test have several calls, as callers or as callees: every call has its own number and row. */
export const hasCallAfterCall = ({ subPopulations }: Populated): boolean =>
  subPopulations.some((s) => callsEach(s) !== 1);

/** The places of a sub-population among those that share the load: by calls, or by endpoints. */
export const placesOf = (s: Partial<SubPopulationSettings>, endpoints: number): number =>
  endpoints * (callsEach(s) ?? 1);

type Called = Populated & { readonly mode: string };

/** The faults of endpoints that may place several calls. */
export function callerFaults(groups: readonly Called[]): FileFault[] {
  const callers = groups.flatMap((g) => g.subPopulations.filter((s) => s.role === 'CALLER'));
  const isMixed = callers.some((s) => callsEach(s) === null) && callers.some((s) => callsEach(s) !== null);
  return groups.flatMap((group, i) =>
    group.subPopulations.flatMap((s, j) => {
      const path = ['groups', i, 'subPopulations', j, 'calls'];
      const calls = callsEach(s);
      if (calls === 1 || s.role === 'CALLEE') return [];
      const message = obstacle(group) ?? (isMixed && calls === null ? MIXED : null);
      return message === null ? [] : [{ path, message }];
    }),
  );
}

/** The most calls per caller of a group, or the fewest per callee. */
export const maxEach = ({ subPopulations }: Populated): number =>
  Math.max(...subPopulations.map((s) => callsEach(s) ?? Number.POSITIVE_INFINITY));
export const minEach = ({ subPopulations }: Populated): number =>
  Math.min(...subPopulations.map((s) => callsEach(s) ?? Number.POSITIVE_INFINITY));

const MIXED =
  'is null, but other callers of the test have a number: they share one load, so all must have one, or none';

const obstacle = ({ mode }: Called): string | null =>
  mode === 'CALL' ? null : `is for calls; callers of mode ${mode} place none`;
