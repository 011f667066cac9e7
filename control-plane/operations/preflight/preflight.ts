/** Decides whether a test can run now, without locks: the answer may be outdated a moment later. */

import type { Input } from '../../contract/catalogue.ts';
import { invalid } from '../../contract/errors.ts';
import type { RunOverrides } from '../../contract/run/start.ts';
import { longestExecution } from '../../contract/test-settings/longest.ts';
import { longestRun, planRefusal } from '../../domain/plans.ts';
import { type TestValues, withOverrides } from '../../domain/project/overrides.ts';
import { reachChecks } from '../../domain/project/reach.ts';
import { accountPools } from '../../domain/run/group/accounts.ts';
import { RESERVE_SHARE } from '../../domain/run/plan/capacity.ts';
import { distribute } from '../../domain/run/plan/distribute.ts';
import { blastRadius } from '../../domain/run/preflight/blast-radius.ts';
import { mediaFileIds, missing, testEndpoints } from '../../domain/run/preflight/needs.ts';
import { preflight } from '../../domain/run/preflight/preflight.ts';
import { listCandidates } from '../../store/agents/workers.ts';
import { admittedRuns, tierOf, usedEndpointSeconds } from '../../store/people/usage.ts';
import { mediaChecksums } from '../../store/project/media-files.ts';
import { registrarPlans, sipAccountFacts } from '../../store/project/registrars.ts';
import { findTest } from '../../store/project/tests.ts';
import { lastCheck } from '../../store/run/checks.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { bearerOf, demandsOf, shortage } from '../run/allocate.ts';
import { eligible, inEachRegion, nobody } from '../submission/eligible.ts';
import { checkIdOf, placesOfTest } from './check-test.ts';

export const preflightTest: Handler<'preflightTest'> = async ({ ports, actor }, input) => {
  const { projectId, testId } = input;
  const { db } = ports.database;
  const at = ports.now();
  const { organizationId } = actor;
  const test = known('test', testId, await byId(testId, () => findTest(db, projectId, testId)));
  const { config, buildup: buildupSeconds, durationSeconds } = overridden(test, overridesOf(input));
  const registrars = new Map((await registrarPlans(db, projectId)).map((r) => [r.id, r]));
  const accounts = Map.groupBy(await sipAccountFacts(db, projectId), (a) => a.registrarId);
  const media = await mediaChecksums(db, projectId, mediaFileIds(config));
  const candidates = (await listCandidates(db, organizationId)).filter((c) => c.hello.sipListeners.length > 0);
  const run = { config, buildupSeconds, durationSeconds, avoidWorkerId: null, reserveShare: RESERVE_SHARE.load };
  const demands = demandsOf(run, candidates, registrars);
  const unmanned = inEachRegion(config.groups).find(
    (g) => eligible(g, candidates, config.groups, registrars).length === 0,
  );
  const drawn = unmanned
    ? null
    : distribute(
        demands,
        candidates.map((c) => bearerOf(c, run.reserveShare)),
      );
  const short = drawn && 'shortOf' in drawn ? shortage(run, drawn.shortOf, candidates) : null;
  const carried = candidates
    .map(({ id, name, hello }) => ({
      name,
      policy: hello.policy,
      carries: demands.filter((d) => d.eligible.includes(id)).map((d) => d.subPopulationId),
    }))
    .filter(({ carries }) => carries.length > 0);
  const plan = await tierOf(db, organizationId);
  const limits = ports.settings.plans[plan];
  const maxExecutionSeconds = longestRun(limits, longestExecution(config, buildupSeconds, durationSeconds));
  const size = { endpoints: testEndpoints(config), buildupSeconds, durationSeconds, maxExecutionSeconds };
  const use = {
    open: await admittedRuns(db, organizationId),
    usedEndpointSeconds: await usedEndpointSeconds(db, organizationId, at),
  };
  const checks = [
    ...preflight({
      config,
      buildupSeconds,
      durationSeconds,
      registrars,
      accounts,
      missing: missing(config, registrars, accounts, new Set(media.keys()), durationSeconds),
      beyondPlan: planRefusal(ports.settings.plans, plan, use, size, at),
      plan,
      unmanned: unmanned ? nobody(unmanned, candidates, config.groups, registrars) : null,
      short,
      workers: carried,
    }),
    ...reachChecks(await placesOfTest(db, projectId, config), await lastCheck(db, projectId, checkIdOf(test.id))),
  ];
  const pools = new Set(accountPools(config, registrars, accounts).values());
  const taken = [...pools].reduce(
    (sum, p) => sum + (p.isForEach ? p.needed : Math.min(p.needed, p.accounts.length)),
    0,
  );
  const radius = blastRadius(
    config,
    { buildupSeconds, durationSeconds },
    { registrars, sipAccounts: taken, policies: carried.map(({ policy }) => policy) },
  );
  return { isReady: checks.every(({ verdict }) => verdict !== 'FAIL'), checks, blastRadius: radius };
};

const PARAMETERS = {
  callsPerSecond: 'calls_per_second',
  seconds: 'seconds',
  calls: 'calls',
  buildup: 'buildup',
  durationSeconds: 'duration_seconds',
  endpoints: 'endpoints',
  calleeUri: 'callee_uri',
} as const;
type Overriding = keyof typeof PARAMETERS;

const overridesOf = (input: Input<'preflightTest'>): Partial<RunOverrides> =>
  Object.fromEntries(
    (Object.entries(PARAMETERS) as [Overriding, (typeof PARAMETERS)[Overriding]][]).flatMap(([name, parameter]) =>
      input[parameter] === undefined ? [] : [[name, input[parameter]]],
    ),
  );

/** @throws ApiError VALIDATION_ERROR */
function overridden<T extends TestValues>(test: T, overrides: Partial<RunOverrides>): TestValues {
  if (Object.keys(overrides).length === 0) return test;
  const { values, faults } = withOverrides(test, overrides);
  if (faults.length === 0) return values;
  throw invalid(
    faults.map(({ path: [first, ...rest], message }) => ({
      path: [PARAMETERS[first as Overriding] ?? first ?? '', ...rest],
      message,
    })),
  );
}
