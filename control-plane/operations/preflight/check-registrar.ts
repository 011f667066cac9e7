/**
 * Checks whether a SIP server answers with the project's settings: a run of one endpoint in the mode of probes, over a
 * real agent, with results as for any run.
 */

import { EXECUTION_MARGIN_SECONDS, longestRinging } from '../../contract/test-settings/longest.ts';
import { defaultsOf, PROBE_SETTINGS } from '../../contract/test-settings/settings.ts';
import { callDraft } from '../../domain/project/api-draft.ts';
import { newId } from '../../store/new-id.ts';
import { findRegistrar } from '../../store/project/registrars.ts';
import { configOf } from '../project/draft.ts';
import { conflict, creating } from '../request/change.ts';
import { byId, known } from '../request/perform.ts';
import { submitRun } from '../submission/submit.ts';

const DURATION_SECONDS = 1;

export const checkRegistrar = creating('checkRegistrar', async ({ ports, actor }, tx, input) => {
  const { projectId, registrarId, region, sipAccountId } = input;
  const registrar = known(
    'registrar',
    registrarId,
    await byId(registrarId, () => findRegistrar(tx, projectId, registrarId)),
  );
  if (registrar.isCloud) throw conflict('The built-in registrar is not a SIP server: agents call each other.');
  const call = {
    registrarId,
    callee: { mode: 'EXTERNAL_URI' as const, uri: registrar.uri },
    placement: { mode: 'REGION' as const, region },
    ...defaultsOf(PROBE_SETTINGS),
  };
  const draft = callDraft(call, registrar.register ? 'REGISTER' : 'OPTIONS');
  const groups = draft.groups.map((g) => ({
    ...g,
    subPopulations: g.subPopulations.map((s) => ({
      ...s,
      accounts: sipAccountId === undefined ? null : [sipAccountId],
    })),
  }));
  const place = { organizationId: actor.organizationId, projectId };
  const config = await configOf(tx, place, { ...draft, groups }, null, () => ['sipAccountId']);
  const at = ports.now();
  const id = newId();
  await submitRun(
    ports,
    tx,
    {
      id,
      projectId,
      organizationId: actor.organizationId,
      testId: registrarId,
      testName: `Check of ${registrar.name}`,
      endpoints: 1,
      durationSeconds: DURATION_SECONDS,
      buildupSeconds: 0,
      maxExecutionSeconds: longestRinging(config) + DURATION_SECONDS + EXECUTION_MARGIN_SECONDS,
      config,
      startedBy: actor.userId,
    },
    at,
  );
  return { id, testRunId: id, testId: registrarId, status: 'PENDING', createdAt: at.toISOString() };
});
