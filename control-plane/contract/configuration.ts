/**
 * The rows that write configuration, and those that read it. They are our extensions, and the operations that the dashboard uses.
 * None of them covers keys, members or plans.
 */
import * as z from 'zod';
import { Deleted, Page } from './envelope.ts';
import { CreatedWebhook, NewWebhook, Webhook, WebhookChange } from './notify/webhook.ts';
import { ProbeDetail } from './probe/probe.ts';
import { MEDIA_BODY_BYTES, MediaFile, NewMediaFile } from './project/media-file.ts';
import { NewProject, ProjectChange, ProjectDetail } from './project/project.ts';
import {
  CreatedSipAccounts,
  NewRegistrar,
  NewSipAccounts,
  Registrar,
  RegistrarChange,
  SipAccount,
  SipAccountChange,
} from './project/registrar.ts';
import { cursorOf } from './query.ts';
import type { OperationRow } from './row.ts';
import { StartedRun } from './run/run.ts';
import { PREFLIGHT_OVERRIDES, Preflight, RegistrarCheck } from './test-settings/preflight.ts';
import { TestDetail } from './test-settings/test.ts';
import { NewProbe, NewTest, ProbeChange, TestChange } from './test-settings/test-body.ts';

const projectId = z.string().describe('project id');
const testId = z.string().describe('test id');
const probeId = z.string().describe('probe id');
const registrarId = z.string().describe('registrar id');
const sipAccountId = z.string().describe('SIP account id');
const mediaFileId = z.string().describe('media file id');
const webhookId = z.string().describe('webhook id');

const single = { answers: 'single', extension: true } as const;
const listed = { method: 'GET', answers: 'list', status: 200, extension: true } as const;
const read = { ...single, method: 'GET', status: 200 } as const;
const made = { ...single, method: 'POST', status: 201, once: true } as const;
const changed = { ...single, method: 'PATCH', status: 200 } as const;
const deleted = { ...single, method: 'DELETE', status: 200, output: Deleted } as const;
const versioned = { versioned: true } as const;

/** The size of 10,000 accounts with the longest names and passwords. */
const ACCOUNTS_BODY_BYTES = 8 * 1024 * 1024;

export const CONFIGURATION = {
  createProject: {
    ...made,
    ...versioned,
    path: '/projects',
    summary: 'Create a project with the built-in registrar',
    role: 'ADMIN',
    input: z.object(NewProject),
    output: ProjectDetail,
  },
  updateProject: {
    ...changed,
    ...versioned,
    path: '/projects/{projectId}',
    summary: 'Change a project',
    role: 'ADMIN',
    input: z.object({ projectId, ...ProjectChange }),
    output: ProjectDetail,
  },
  deleteProject: {
    ...deleted,
    ...versioned,
    path: '/projects/{projectId}',
    summary: 'Delete a project with all its contents; refused while one of its runs is open',
    role: 'ADMIN',
    input: z.object({ projectId }),
  },
  createRegistrar: {
    ...made,
    ...versioned,
    path: '/projects/{projectId}/registrars',
    summary: 'Create a SIP registrar',
    role: 'EDITOR',
    input: z.object({ projectId, ...NewRegistrar }),
    output: Registrar,
  },
  getRegistrar: {
    ...read,
    ...versioned,
    path: '/projects/{projectId}/registrars/{registrarId}',
    summary: 'One SIP registrar',
    role: 'VIEWER',
    input: z.object({ projectId, registrarId }),
    output: Registrar,
  },
  updateRegistrar: {
    ...changed,
    ...versioned,
    path: '/projects/{projectId}/registrars/{registrarId}',
    summary: 'Change a SIP registrar; the built-in one cannot be changed',
    role: 'EDITOR',
    input: z.object({ projectId, registrarId, ...RegistrarChange }),
    output: Registrar,
  },
  deleteRegistrar: {
    ...deleted,
    ...versioned,
    path: '/projects/{projectId}/registrars/{registrarId}',
    summary: 'Delete a SIP registrar with its accounts; refused while tests or probes use it',
    role: 'EDITOR',
    input: z.object({ projectId, registrarId }),
  },
  checkRegistrar: {
    ...made,
    path: '/projects/{projectId}/registrars/{registrarId}/check',
    summary:
      'Check whether a SIP server answers: a run of one endpoint that registers and un-registers or, for a trunk, sends OPTIONS',
    role: 'TESTER',
    input: z.object({ projectId, registrarId, ...RegistrarCheck }),
    output: StartedRun,
  },
  listSipAccounts: {
    ...listed,
    path: '/projects/{projectId}/registrars/{registrarId}/sip-accounts',
    summary: 'SIP accounts of a registrar, by user name, without passwords',
    role: 'VIEWER',
    input: z.object({
      projectId,
      registrarId,
      ...Page,
      ...cursorOf(['username', '-username', 'createdAt', '-createdAt']),
    }),
    output: SipAccount,
  },
  createSipAccounts: {
    ...made,
    proof: true,
    path: '/projects/{projectId}/registrars/{registrarId}/sip-accounts',
    summary: 'Create up to 10,000 SIP accounts: all of them or none',
    role: 'EDITOR',
    input: z.object({ projectId, registrarId, ...NewSipAccounts }),
    output: CreatedSipAccounts,
    bodyLimitBytes: ACCOUNTS_BODY_BYTES,
  },
  updateSipAccount: {
    ...changed,
    proof: true,
    path: '/projects/{projectId}/registrars/{registrarId}/sip-accounts/{sipAccountId}',
    summary: 'Change the user name or the password of a SIP account',
    role: 'EDITOR',
    input: z.object({ projectId, registrarId, sipAccountId, ...SipAccountChange }),
    output: SipAccount,
  },
  deleteSipAccount: {
    ...deleted,
    path: '/projects/{projectId}/registrars/{registrarId}/sip-accounts/{sipAccountId}',
    summary: 'Delete a SIP account; refused while tests name it',
    role: 'EDITOR',
    input: z.object({ projectId, registrarId, sipAccountId }),
  },
  createTest: {
    ...made,
    ...versioned,
    path: '/projects/{projectId}/tests',
    summary: 'Create a test',
    role: 'EDITOR',
    input: z.object({ projectId, ...NewTest }),
    output: TestDetail,
  },
  preflightTest: {
    ...read,
    path: '/projects/{projectId}/tests/{testId}/preflight',
    summary:
      'Preflight of a test: whether it can run now (registrars, accounts, media, plan, workers, their capacity and policies, latest server checks), and what it would send. With the values that a start may override',
    role: 'VIEWER',
    input: z.object({ projectId, testId, ...PREFLIGHT_OVERRIDES }),
    output: Preflight,
  },
  checkTest: {
    ...made,
    path: '/projects/{projectId}/tests/{testId}/check',
    summary:
      'Check the servers that a test needs, from its agents: a run of one endpoint for each SIP server, gateway and STUN server. The preflight has the results',
    role: 'TESTER',
    input: z.object({ projectId, testId }),
    output: StartedRun,
  },
  updateTest: {
    ...changed,
    ...versioned,
    path: '/projects/{projectId}/tests/{testId}',
    summary: 'Change a test: given fields are replaced',
    role: 'EDITOR',
    input: z.object({ projectId, testId, ...TestChange }),
    output: TestDetail,
  },
  deleteTest: {
    ...deleted,
    ...versioned,
    path: '/projects/{projectId}/tests/{testId}',
    summary: 'Delete a test; its runs stay',
    role: 'EDITOR',
    input: z.object({ projectId, testId }),
  },
  createProbe: {
    ...made,
    ...versioned,
    path: '/projects/{projectId}/probes',
    summary: 'Create a probe, if the plan allows another one',
    role: 'EDITOR',
    input: z.object({ projectId, ...NewProbe }),
    output: ProbeDetail,
  },
  updateProbe: {
    ...changed,
    ...versioned,
    path: '/projects/{projectId}/probes/{probeId}',
    summary: 'Change a probe: given fields are replaced; enabling it ends an automatic pause',
    role: 'EDITOR',
    input: z.object({ projectId, probeId, ...ProbeChange }),
    output: ProbeDetail,
  },
  deleteProbe: {
    ...deleted,
    ...versioned,
    path: '/projects/{projectId}/probes/{probeId}',
    summary: 'Delete a probe with its executions and incidents; its runs stay',
    role: 'EDITOR',
    input: z.object({ projectId, probeId }),
  },
  listMediaFiles: {
    ...listed,
    path: '/projects/{projectId}/media-files',
    summary: 'Recordings of a project, by name',
    role: 'VIEWER',
    input: z.object({
      projectId,
      ...Page,
      ...cursorOf(['name', '-name', 'createdAt', '-createdAt', 'sizeBytes', '-sizeBytes']),
    }),
    output: MediaFile,
  },
  createMediaFile: {
    ...made,
    path: '/projects/{projectId}/media-files',
    summary: 'Store a recording',
    role: 'EDITOR',
    input: z.object({ projectId, ...NewMediaFile }),
    output: MediaFile,
    bodyLimitBytes: MEDIA_BODY_BYTES,
  },
  getMediaFile: {
    ...read,
    path: '/projects/{projectId}/media-files/{mediaFileId}',
    summary: 'One recording with its format and length',
    role: 'VIEWER',
    input: z.object({ projectId, mediaFileId }),
    output: MediaFile,
  },
  downloadMediaFile: {
    method: 'GET',
    status: 200,
    answers: 'file',
    extension: true,
    path: '/projects/{projectId}/media-files/{mediaFileId}/content',
    summary: 'The bytes of one recording, as they were stored',
    role: 'VIEWER',
    input: z.object({ projectId, mediaFileId }),
    output: z.file(),
    contentType: 'application/octet-stream',
  },
  deleteMediaFile: {
    ...deleted,
    path: '/projects/{projectId}/media-files/{mediaFileId}',
    summary: 'Delete a recording; refused while tests play it',
    role: 'EDITOR',
    input: z.object({ projectId, mediaFileId }),
  },
  listWebhooks: {
    ...listed,
    path: '/projects/{projectId}/webhooks',
    summary: 'Webhooks of a project, without secrets',
    role: 'ADMIN',
    input: z.object({ projectId, ...Page, ...cursorOf(['url', '-url', 'createdAt', '-createdAt']) }),
    output: Webhook,
  },
  createWebhook: {
    ...made,
    ...versioned,
    proof: true,
    path: '/projects/{projectId}/webhooks',
    summary: 'Create a webhook; only this answer contains its secret',
    role: 'ADMIN',
    input: z.object({ projectId, ...NewWebhook }),
    output: CreatedWebhook,
  },
  getWebhook: {
    ...read,
    ...versioned,
    path: '/projects/{projectId}/webhooks/{webhookId}',
    summary: 'One webhook, without its secret',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId }),
    output: Webhook,
  },
  updateWebhook: {
    ...changed,
    ...versioned,
    proof: true,
    path: '/projects/{projectId}/webhooks/{webhookId}',
    summary: 'Change a webhook or its secret',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId, ...WebhookChange }),
    output: Webhook,
  },
  deleteWebhook: {
    ...deleted,
    ...versioned,
    path: '/projects/{projectId}/webhooks/{webhookId}',
    summary: 'Delete a webhook',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId }),
  },
} as const satisfies Record<string, OperationRow>;
