/** Every row of the catalogue and who answers it; a missing one does not compile. */
import { getTestRunEndpoint, listTestRunEndpoints } from './endpoints.ts';
import { createMediaFile, deleteMediaFile, getMediaFile, listMediaFiles } from './media-files.ts';
import { getTestRunMetrics } from './metrics.ts';
import type { Handlers } from './perform.ts';
import { createProbe, deleteProbe, updateProbe } from './probe-config.ts';
import { getProbe, listProbeIncidents, listProbeInstances, listProbes, runProbe } from './probes.ts';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects.ts';
import { createRegistrar, deleteRegistrar, getRegistrar, listRegistrars, updateRegistrar } from './registrars.ts';
import { cancelTestRun } from './run/cancel.ts';
import { runTest } from './run/start.ts';
import { getTestRun, listTestRuns } from './runs.ts';
import { createSipAccounts, deleteSipAccount, listSipAccounts, updateSipAccount } from './sip-accounts.ts';
import { createTest, deleteTest, updateTest } from './test-config.ts';
import { getTest, listTests } from './tests.ts';
import { getTestRunMessage, listTestRunEvents, listTestRunMessages } from './trace.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

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
  createProject,
  updateProject,
  deleteProject,
  createRegistrar,
  getRegistrar,
  updateRegistrar,
  deleteRegistrar,
  listSipAccounts,
  createSipAccounts,
  updateSipAccount,
  deleteSipAccount,
  createTest,
  updateTest,
  deleteTest,
  createProbe,
  updateProbe,
  deleteProbe,
  listMediaFiles,
  createMediaFile,
  getMediaFile,
  deleteMediaFile,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
};
