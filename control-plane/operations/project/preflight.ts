/** Whether a test can run now, without locks: the answer may be outdated a moment later. */

import { longestRun, planRefusal } from '../../domain/plans.ts';
import { reachChecks } from '../../domain/project/reach.ts';
import { longestRegistering, longestRinging } from '../../domain/run/callers.ts';
import { distribute } from '../../domain/run/distribute.ts';
import { mediaFileIds, missing, testEndpoints } from '../../domain/run/needs.ts';
import { preflight } from '../../domain/run/preflight.ts';
import { EXECUTION_MARGIN_SECONDS } from '../../domain/run/run-machine.ts';
import { listCandidates } from '../../store/agents/workers.ts';
import { admittedRuns, planOf, usedEndpointSeconds } from '../../store/people/usage.ts';
import { mediaChecksums } from '../../store/project/media-files.ts';
import { registrarPlans, sipAccountFacts } from '../../store/project/registrars.ts';
import { findTest } from '../../store/project/tests.ts';
import { lastCheck } from '../../store/run/checks.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { bearerOf, demandsOf, shortage } from '../run/allocate.ts';
import { eligible, nobody } from '../run/eligible.ts';
import { checkIdOf, placesOfTest } from './check-test.ts';

export const preflightTest: Handler<'preflightTest'> = async ({ ports, actor }, { projectId, testId }) => {
  const { db } = ports.database;
  const at = ports.now();
  const { organizationId } = actor;
  const test = known('test', testId, await byId(testId, () => findTest(db, projectId, testId)));
  const { config, buildup: buildupSeconds, durationSeconds } = test;
  const registrars = new Map((await registrarPlans(db, projectId)).map((r) => [r.id, r]));
  const accounts = Map.groupBy(await sipAccountFacts(db, projectId), (a) => a.registrarId);
  const media = await mediaChecksums(db, projectId, mediaFileIds(config));
  const candidates = (await listCandidates(db, organizationId)).filter((c) => c.hello.sipListeners.length > 0);
  const run = { config, buildupSeconds, durationSeconds, avoidWorkerId: null, probeId: null };
  const demands = demandsOf(run, candidates, registrars);
  const unmanned = config.groups.find((g) => eligible(g, candidates, config.groups, registrars).length === 0);
  const drawn = unmanned
    ? null
    : distribute(
        demands,
        candidates.map((c) => bearerOf(c, false)),
      );
  const short = drawn && 'shortOf' in drawn ? shortage(run, drawn.shortOf, demands, candidates) : null;
  const carried = candidates
    .map(({ id, name, hello }) => ({
      name,
      policy: hello.policy,
      carries: demands.filter((d) => d.eligible.includes(id)).map((d) => d.subPopulationId),
    }))
    .filter(({ carries }) => carries.length > 0);
  const plan = await planOf(db, organizationId);
  const limits = ports.settings.plans[plan];
  const maxExecutionSeconds = longestRun(
    limits,
    config.maxExecutionSeconds ??
      buildupSeconds + longestRegistering(config) + longestRinging(config) + durationSeconds + EXECUTION_MARGIN_SECONDS,
  );
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
  return { isReady: checks.every(({ verdict }) => verdict !== 'FAIL'), checks };
};
