/** Every operation of the core with its handler; a missing handler does not compile. */
import type { CoreName, EntranceName } from '../contract/catalogue.ts';

import {
  changeWorkerKey,
  createWorker,
  drainWorker,
  getFleet,
  listRegions,
  listWorkers,
  renewJoinToken,
  revokeWorker,
  updateWorker,
} from './agents/workers.ts';
import { getWebhookDelivery, listWebhookDeliveries, resendWebhookDelivery, testWebhook } from './notify/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './notify/webhooks.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './people/api-keys.ts';
import { exportAuditEntries, listAuditEntries } from './people/audit.ts';
import { deleteOrganization } from './people/delete-organization.ts';
import { changePassword, endSession, getMe, listSessions, proveMe, switchOrganization } from './people/me.ts';
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
  listMembers,
  removeMember,
  updateMember,
} from './people/members.ts';
import { findByName, getOverview, getPlan, updateOrganization } from './people/organization.ts';
import { getWhoami } from './people/whoami.ts';
import { checkRegistrar } from './preflight/check-registrar.ts';
import { checkTest } from './preflight/check-test.ts';
import { preflightTest } from './preflight/preflight.ts';
import { getProbeIncident, listProbeIncidents, updateProbeIncident } from './probe/incidents.ts';
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  getMaintenanceWindow,
  listMaintenanceWindows,
  updateMaintenanceWindow,
} from './probe/maintenance.ts';
import { createProbe, deleteProbe, updateProbe } from './probe/probe-config.ts';
import { getProbe, listProbeInstances, listProbes, runProbe } from './probe/probes.ts';
import {
  createMediaFile,
  deleteMediaFile,
  downloadMediaFile,
  getMediaFile,
  listMediaFiles,
} from './project/media-files.ts';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './project/projects.ts';
import {
  createRegistrar,
  deleteRegistrar,
  getRegistrar,
  listRegistrars,
  updateRegistrar,
} from './project/registrars.ts';
import { createSipAccounts, deleteSipAccount, listSipAccounts, updateSipAccount } from './project/sip-accounts.ts';
import { createTest, deleteTest, updateTest } from './project/test-config.ts';
import { getTest, listTests } from './project/tests.ts';
import type { Handlers } from './request/perform.ts';
import { updateTestRunBaseline } from './run/baseline.ts';
import { cancelTestRun } from './run/cancel.ts';
import { updateTestRunLoad } from './run/change-load.ts';
import { deleteTestRun } from './run/delete.ts';
import { replayTestRun } from './run/replay.ts';
import { runTest } from './run/start.ts';
import { listTestRunCalls, listTestRunEndpointCalls } from './run-view/calls.ts';
import { getTestRunEndpoint, listTestRunEndpoints } from './run-view/endpoints.ts';
import { findCalls, listCalls, listFailedCalls } from './run-view/found-calls.ts';
import { streamTestRun } from './run-view/live-run.ts';
import { getTestRunMetrics } from './run-view/metrics.ts';
import { listTestRuns } from './run-view/run-list.ts';
import { getTestRun } from './run-view/runs.ts';
import { getTestRunConfiguration, getTestRunHistograms, getTestRunTimeline } from './run-view/timeline.ts';
import { getTestRunMessage, listTestRunEvents, listTestRunMessages } from './run-view/trace/trace.ts';

export const CORE_HANDLERS: Pick<Handlers, Exclude<CoreName, EntranceName>> = {
  getOverview,
  findByName,
  getPlan,
  getWhoami,
  listRegions,
  updateOrganization,
  deleteOrganization,
  listProjects,
  getProject,
  listTests,
  getTest,
  runTest,
  listTestRuns,
  getTestRun,
  listTestRunEndpoints,
  listTestRunCalls,
  listTestRunEndpointCalls,
  getTestRunEndpoint,
  listTestRunEvents,
  listTestRunMessages,
  getTestRunMessage,
  getTestRunMetrics,
  getTestRunTimeline,
  getTestRunHistograms,
  getTestRunConfiguration,
  listCalls,
  listFailedCalls,
  findCalls,
  updateTestRunBaseline,
  replayTestRun,
  streamTestRun,
  cancelTestRun,
  deleteTestRun,
  updateTestRunLoad,
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
  checkRegistrar,
  listSipAccounts,
  createSipAccounts,
  updateSipAccount,
  deleteSipAccount,
  createTest,
  preflightTest,
  checkTest,
  updateTest,
  deleteTest,
  createProbe,
  updateProbe,
  deleteProbe,
  listMediaFiles,
  createMediaFile,
  getMediaFile,
  downloadMediaFile,
  deleteMediaFile,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  getProbeIncident,
  updateProbeIncident,
  listMaintenanceWindows,
  createMaintenanceWindow,
  getMaintenanceWindow,
  updateMaintenanceWindow,
  deleteMaintenanceWindow,
  getMe,
  switchOrganization,
  changePassword,
  proveMe,
  listSessions,
  endSession,
  listMembers,
  updateMember,
  removeMember,
  listInvitations,
  createInvitation,
  deleteInvitation,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listWorkers,
  getFleet,
  createWorker,
  renewJoinToken,
  drainWorker,
  revokeWorker,
  updateWorker,
  changeWorkerKey,
  listAuditEntries,
  exportAuditEntries,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,
};
