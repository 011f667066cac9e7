/** Every row of the catalogue and who answers it; a missing one does not compile. */
import { getTestRunEndpoint, listTestRunEndpoints } from './endpoints.ts';
import { getTestRunMetrics } from './metrics.ts';
import type { Handlers } from './perform.ts';
import { getProbe, listProbeIncidents, listProbeInstances, listProbes, runProbe } from './probes.ts';
import { getProject, listProjects } from './projects.ts';
import { listRegistrars } from './registrars.ts';
import { cancelTestRun } from './run/cancel.ts';
import { runTest } from './run/start.ts';
import { getTestRun, listTestRuns } from './runs.ts';
import { getTest, listTests } from './tests.ts';
import { getTestRunMessage, listTestRunEvents, listTestRunMessages } from './trace.ts';

export const HANDLERS: Handlers = {
  listProjects,
  getProject,
  listTests,
  getTest,
  runTest,
  listTestRuns,
  getTestRun,
  listTestRunEndpoints,
  getTestRunEndpoint,
  listTestRunEvents,
  listTestRunMessages,
  getTestRunMessage,
  getTestRunMetrics,
  cancelTestRun,
  listProbes,
  getProbe,
  listProbeIncidents,
  listProbeInstances,
  runProbe,
  listRegistrars,
};
