/** Every row of the catalogue and who answers it; a missing one does not compile. */
import { getTestRunMetrics } from './metrics.ts';
import type { Handlers } from './perform.ts';
import { getProbe, listProbeIncidents, listProbeInstances, listProbes, runProbe } from './probes.ts';
import { getProject, listProjects } from './projects.ts';
import { listRegistrars } from './registrars.ts';
import { cancelTestRun } from './run/cancel.ts';
import { runTest } from './run/start.ts';
import { getTestRun, listTestRunEndpoints, listTestRuns } from './runs.ts';
import { getTest, listTests } from './tests.ts';

export const HANDLERS: Handlers = {
  listProjects,
  getProject,
  listTests,
  getTest,
  runTest,
  listTestRuns,
  getTestRun,
  listTestRunEndpoints,
  getTestRunMetrics,
  cancelTestRun,
  listProbes,
  getProbe,
  listProbeIncidents,
  listProbeInstances,
  runProbe,
  listRegistrars,
};
