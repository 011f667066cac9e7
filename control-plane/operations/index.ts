/** Every row of the catalogue and who answers it; a missing one does not compile. */
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { listAuditEntries } from './audit.ts';
import { checkRegistrar } from './check-registrar.ts';
import { getWebhookDelivery, listWebhookDeliveries, resendWebhookDelivery, testWebhook } from './deliveries.ts';
import { getTestRunEndpoint, listTestRunEndpoints } from './endpoints.ts';
import { getProbeIncident, listProbeIncidents, updateProbeIncident } from './incidents.ts';
import { streamTestRun } from './live-run.ts';
import { getMailSettings, updateMailSettings } from './mail-settings.ts';
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  getMaintenanceWindow,
  listMaintenanceWindows,
  updateMaintenanceWindow,
} from './maintenance.ts';
import { changePassword, endSession, getMe, listSessions, switchOrganization } from './me.ts';
import { createMediaFile, deleteMediaFile, downloadMediaFile, getMediaFile, listMediaFiles } from './media-files.ts';
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
  listMembers,
  removeMember,
  updateMember,
} from './members.ts';
import { getTestRunMetrics } from './metrics.ts';
import { getOverview, getPlan, updateOrganization } from './organization.ts';
import type { Handlers } from './perform.ts';
import { preflightTest } from './preflight.ts';
import { createProbe, deleteProbe, updateProbe } from './probe-config.ts';
import { getProbe, listProbeInstances, listProbes, runProbe } from './probes.ts';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects.ts';
import { createRegistrar, deleteRegistrar, getRegistrar, listRegistrars, updateRegistrar } from './registrars.ts';
import { cancelTestRun } from './run/cancel.ts';
import { runTest } from './run/start.ts';
import { exportTestRunEndpoints, exportTestRunReport } from './run-exports.ts';
import { getTestRun, listTestRuns } from './runs.ts';
import { createSipAccounts, deleteSipAccount, listSipAccounts, updateSipAccount } from './sip-accounts.ts';
import { getStatusPage, updateStatusPage } from './status-page.ts';
import { createTest, deleteTest, updateTest } from './test-config.ts';
import { getTest, listTests } from './tests.ts';
import { getTestRunConfiguration, getTestRunHistograms, getTestRunTimeline } from './timeline.ts';
import { getTestRunMessage, listTestRunEvents, listTestRunMessages } from './trace.ts';
import { exportTestRunEndpointTrace, exportTestRunTrace } from './trace-file.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks.ts';
import { changeWorkerKey, createWorker, drainWorker, listWorkers, renewJoinToken, revokeWorker } from './workers.ts';

export const HANDLERS: Handlers = {
  getOverview,
  getPlan,
  updateOrganization,
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
  exportTestRunTrace,
  exportTestRunEndpointTrace,
  getTestRunMetrics,
  getTestRunTimeline,
  getTestRunHistograms,
  getTestRunConfiguration,
  streamTestRun,
  exportTestRunEndpoints,
  exportTestRunReport,
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
  checkRegistrar,
  listSipAccounts,
  createSipAccounts,
  updateSipAccount,
  deleteSipAccount,
  createTest,
  preflightTest,
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
  createWorker,
  renewJoinToken,
  drainWorker,
  revokeWorker,
  changeWorkerKey,
  listAuditEntries,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,
  getMailSettings,
  updateMailSettings,
  getStatusPage,
  updateStatusPage,
};
