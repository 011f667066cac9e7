/** A test with the overrides of a start; the result must satisfy the rules of tests. Pure. */
import { lengthOf } from '@carillon/proto/load/load-step.ts';
import { hasBuildup, hasOneRate, isSized, type Load, stepsOf } from '@carillon/proto/load/shapes/shapes.ts';
import type { RunOverrides } from '../../contract/run/start.ts';
import type { Group, TestConfig } from '../../contract/test-settings/test.ts';
import type { FileFault } from '../../contract/yaml-file.ts';
import { completeConfig, scenarioFaults } from '../run/group/scenario.ts';
import { callerFaults, testCallers } from '../run/load/callers.ts';
import { loadFaults, loadSeconds } from '../run/load/load.ts';
import { sharesOf } from '../run/plan/shares.ts';
import { testFaults } from '../run/preflight/needs.ts';
import { digitFaults, uriFaults } from './test-draft.ts';

export type TestValues = {
  readonly config: TestConfig;
  readonly durationSeconds: number;
  /** The seconds over which calls start. */
  readonly buildup: number;
};

type GivenOverrides = Readonly<Partial<RunOverrides>>;

/** Paths of errors start with the name of the override. */
export function withOverrides(
  test: TestValues,
  overrides: GivenOverrides,
): { values: TestValues; faults: FileFault[] } {
  const before = completeConfig(test.config);
  const { durationSeconds = test.durationSeconds } = overrides;
  const load = loadOf(before.load, overrides);
  const changesLoad = load !== before.load;
  const groups = sized(before.groups, overrides.endpoints).map((group) => called(group, overrides.calleeUri));
  const config: TestConfig = {
    ...before,
    load,
    groups: changesLoad && hasLength(load) ? groups.map(asMany) : groups,
    maxExecutionSeconds: overrides.maxExecutionSeconds ?? before.maxExecutionSeconds,
  };
  const faults = [...unfitting(before, overrides, load), ...broken(config, durationSeconds, overrides)];
  if (faults.length > 0) return { values: test, faults };
  const buildup = loadSeconds(load, testCallers(config), overrides.buildup ?? test.buildup, durationSeconds);
  return { values: { config, durationSeconds, buildup }, faults: tooLong(config, buildup + durationSeconds) };
}

function loadOf(load: Load, { load: whole, callsPerSecond, seconds, calls }: GivenOverrides): Load {
  if (whole !== undefined) return whole;
  const length = seconds === undefined && calls === undefined ? null : { seconds, calls };
  if (callsPerSecond !== undefined && !hasOneRate(load.shape)) return { shape: 'RATE', callsPerSecond, ...length };
  if (callsPerSecond === undefined && (length === null || !isSized(load))) return load;
  return { ...load, ...(callsPerSecond !== undefined && { callsPerSecond }), ...length } as Load;
}

const hasLength = (load: Load): boolean =>
  !hasBuildup(load) && (Number.isFinite(lengthOf(stepsOf(load))) || (isSized(load) && load.calls !== undefined));

/** Its endpoints place as many calls as the load has. Endpoints of other modes place none. */
const asMany = (group: Group): Group =>
  group.mode === 'CALL'
    ? { ...group, subPopulations: group.subPopulations.map((s) => ({ ...s, calls: null })) }
    : group;

const called = (group: Group, uri: string | undefined): Group =>
  uri === undefined || group.callee.mode !== 'EXTERNAL_URI'
    ? group
    : { ...group, callee: { mode: 'EXTERNAL_URI', uri } };

/** The groups with this number of callers in total, and as many callees as the groups that call them need. */
function sized(groups: readonly Group[], endpoints: number | undefined): Group[] {
  const callers = groups.flatMap((g) => g.subPopulations.filter((s) => s.role === 'CALLER'));
  if (endpoints === undefined || endpoints < callers.length || callers.length === 0) return [...groups];
  const sizes = new Map(shares(callers, endpoints));
  const placed = groups.map((g) => ({ g, n: g.subPopulations.reduce((sum, s) => sum + (sizes.get(s.id) ?? 0), 0) }));
  return groups.map((group) => {
    const from = placed.filter(({ g }) => g.callee.mode === 'GROUP' && g.callee.groupId === group.id);
    const demand = Math.max(
      group.subPopulations.length,
      from.reduce((sum, { n }) => sum + n, 0),
    );
    const own = from.length > 0 ? new Map(shares(group.subPopulations, demand)) : sizes;
    return {
      ...group,
      subPopulations: group.subPopulations.map((s) => ({ ...s, endpoints: own.get(s.id) ?? s.endpoints })),
    };
  });
}

type Sized = { readonly id: string; readonly endpoints: number };

/** Distributes `total` in the given proportions, at least one each. */
function shares(parts: readonly Sized[], total: number): [string, number][] {
  const spare = sharesOf(
    parts.map(({ endpoints }) => endpoints),
    total - parts.length,
  );
  return parts.map(({ id }, i) => [id, 1 + (spare[i] as number)]);
}

const fault = (path: readonly PropertyKey[], message: string): FileFault => ({ path, message });

/** An override without effect on this test, which must not be ignored silently. */
function unfitting(before: TestConfig, overrides: GivenOverrides, load: Load): FileFault[] {
  const callers = before.groups.flatMap((g) => g.subPopulations.filter((s) => s.role === 'CALLER'));
  const faults: FileFault[] = [];
  const { seconds, calls, endpoints, calleeUri, buildup } = overrides;
  if (!isSized(load) && (seconds ?? calls) !== undefined)
    faults.push(
      fault([seconds === undefined ? 'calls' : 'seconds'], `needs callsPerSecond: the test says ${load.shape}`),
    );
  if (!hasBuildup(load) && buildup !== undefined)
    faults.push(fault(['buildup'], `is for loads of shape BUILDUP; this one is ${load.shape}`));
  if (endpoints !== undefined && callers.length === 0) faults.push(fault(['endpoints'], 'the test has no callers'));
  else if (endpoints !== undefined && endpoints < callers.length)
    faults.push(
      fault(['endpoints'], `the test has ${callers.length} sub-populations of callers: use at least as many`),
    );
  if (calleeUri !== undefined && before.groups.every(({ callee }) => callee.mode !== 'EXTERNAL_URI'))
    faults.push(fault(['calleeUri'], 'no group of the test calls an address outside of it'));
  return faults;
}

/** The rules that the result violates, each with the most likely override. */
function broken(config: TestConfig, durationSeconds: number, overrides: GivenOverrides): FileFault[] {
  const { groups, load } = config;
  const at = (names: readonly (keyof GivenOverrides)[]) =>
    names.filter((name) => overrides[name] !== undefined).slice(0, 1);
  const under = (names: readonly (keyof GivenOverrides)[], faults: readonly { readonly message: string }[]) =>
    faults.map(({ message }) => fault(at(names), message));
  const ofLoad = loadFaults(load, testCallers(config), null, durationSeconds).map(({ path, message }) => {
    const name = path.at(-1) as keyof GivenOverrides;
    if (overrides.load !== undefined) return fault(path, message);
    const places = [name, 'callsPerSecond', 'seconds', 'calls', 'endpoints', 'durationSeconds'] as const;
    return fault(at(places), `load ${message}`);
  });
  return [
    ...(overrides.calleeUri === undefined ? [] : uriFaults(overrides.calleeUri, ['calleeUri'])),
    ...under(
      ['durationSeconds'],
      [...digitFaults(groups, durationSeconds), ...scenarioFaults(groups, durationSeconds)],
    ),
    ...under(['load', 'seconds', 'calls', 'callsPerSecond'], callerFaults(groups)),
    ...ofLoad,
    ...under(['endpoints', 'load', 'seconds', 'calls'], testFaults(config)),
  ];
}

function tooLong({ maxExecutionSeconds }: TestConfig, seconds: number): FileFault[] {
  if (maxExecutionSeconds === null || seconds <= maxExecutionSeconds) return [];
  const message = `takes ${seconds} s, and the test ends runs after ${maxExecutionSeconds} s: set maxExecutionSeconds, too`;
  return [fault(['maxExecutionSeconds'], message)];
}
