/**
 * Rows that only people ask for, in the dashboard: their accounts and sessions, members, API keys, workers, the audit log. No
 * API key may ask for them. How people come in (`by: 'ANYONE'`) is here, too: those answers set the session's cookie.
 */
import * as z from 'zod';
import {
  AcceptInvitation,
  ApiKey,
  AuditEntry,
  CreatedApiKey,
  CreatedInvitation,
  Entrance,
  Invitation,
  Invited,
  LogIn,
  Me,
  Member,
  MemberChange,
  NewApiKey,
  NewInvitation,
  OpenInvitation,
  PasswordChange,
  Session,
  SetUp,
} from './account.ts';
import { Deleted, Page } from './envelope.ts';
import { Organization, OrganizationChange } from './organization.ts';
import type { Row } from './row.ts';
import { EnrolledWorker, NewWorker, WorkerDetail } from './worker.ts';

const sessionId = z.string().describe('session id');
const userId = z.string().describe('user id');
const invitationId = z.string().describe('invitation id');
const apiKeyId = z.string().describe('API key id');
const workerId = z.string().describe('worker id');

const anyone = { by: 'ANYONE', role: 'VIEWER', answers: 'single', status: 200 } as const;
const people = { by: 'SESSION', answers: 'single', status: 200 } as const;
const listed = { ...people, method: 'GET', answers: 'list' } as const;
const gone = { ...people, method: 'DELETE', output: Deleted } as const;

export const ACCOUNTS = {
  getEntrance: {
    ...anyone,
    method: 'GET',
    path: '/entrance',
    summary: 'Can anybody log in yet?',
    input: z.object({}),
    output: Entrance,
  },
  setUp: {
    ...anyone,
    method: 'POST',
    path: '/entrance/set-up',
    summary: 'The first owner comes in by the link that was printed at the start',
    input: z.object(SetUp),
    output: Me,
  },
  logIn: {
    ...anyone,
    method: 'POST',
    path: '/entrance/log-in',
    summary: 'Log in',
    input: z.object(LogIn),
    output: Me,
  },
  openInvitation: {
    ...anyone,
    method: 'POST',
    path: '/entrance/invitation',
    summary: 'What an invitation says',
    input: z.object(OpenInvitation),
    output: Invited,
  },
  acceptInvitation: {
    ...anyone,
    method: 'POST',
    path: '/entrance/accept-invitation',
    summary: 'Accept an invitation, with a new account or the one that the person has',
    input: z.object(AcceptInvitation),
    output: Me,
  },
  getMe: {
    ...people,
    method: 'GET',
    path: '/me',
    summary: 'Who is logged in, where, as what',
    role: 'VIEWER',
    input: z.object({}),
    output: Me,
  },
  switchOrganization: {
    ...people,
    method: 'POST',
    path: '/me/organization',
    summary: 'Look at another organization of mine',
    role: 'VIEWER',
    input: z.object({ organizationId: z.uuid() }),
    output: Me,
  },
  updateOrganization: {
    ...people,
    method: 'PATCH',
    path: '/organization',
    summary: 'Give the organization another name',
    role: 'OWNER',
    input: z.object(OrganizationChange),
    output: Organization,
  },
  changePassword: {
    ...people,
    method: 'POST',
    path: '/me/password',
    summary: 'Change my password; ends my other sessions',
    role: 'VIEWER',
    input: z.object(PasswordChange),
    output: Me,
  },
  listSessions: {
    ...listed,
    path: '/me/sessions',
    summary: 'My sessions, last seen first',
    role: 'VIEWER',
    input: z.object(Page),
    output: Session,
  },
  endSession: {
    ...gone,
    path: '/me/sessions/{sessionId}',
    summary: 'End a session of mine: logging out, or where I forgot to',
    role: 'VIEWER',
    input: z.object({ sessionId }),
  },
  listMembers: {
    ...listed,
    path: '/members',
    summary: 'Members of the organization',
    role: 'ADMIN',
    input: z.object(Page),
    output: Member,
  },
  updateMember: {
    ...people,
    method: 'PATCH',
    path: '/members/{userId}',
    summary: "Change a member's role or reach",
    role: 'ADMIN',
    input: z.object({ userId, ...MemberChange }),
    output: Member,
  },
  removeMember: {
    ...gone,
    path: '/members/{userId}',
    summary: 'Remove a member; his sessions and keys of this organization end',
    role: 'ADMIN',
    input: z.object({ userId }),
  },
  listInvitations: {
    ...listed,
    path: '/invitations',
    summary: 'Invitations that wait to be accepted',
    role: 'ADMIN',
    input: z.object(Page),
    output: Invitation,
  },
  createInvitation: {
    ...people,
    method: 'POST',
    path: '/invitations',
    summary:
      'Invite somebody by a link, good once and for a week; a second one for the same address replaces the first',
    status: 201,
    role: 'ADMIN',
    input: z.object(NewInvitation),
    output: CreatedInvitation,
  },
  deleteInvitation: {
    ...gone,
    path: '/invitations/{invitationId}',
    summary: 'Take an invitation back',
    role: 'ADMIN',
    input: z.object({ invitationId }),
  },
  listApiKeys: {
    ...listed,
    path: '/api-keys',
    summary: 'API keys: mine, or for an ADMIN all of them',
    role: 'EDITOR',
    input: z.object(Page),
    output: ApiKey,
  },
  createApiKey: {
    ...people,
    method: 'POST',
    path: '/api-keys',
    summary: 'Make an API key that acts as I may; it is shown once',
    status: 201,
    role: 'EDITOR',
    input: z.object(NewApiKey),
    output: CreatedApiKey,
  },
  revokeApiKey: {
    ...people,
    method: 'POST',
    path: '/api-keys/{apiKeyId}/revoke',
    summary: 'Revoke an API key, at once and for good',
    role: 'EDITOR',
    input: z.object({ apiKeyId }),
    output: ApiKey,
  },
  listWorkers: {
    ...listed,
    path: '/workers',
    summary: 'Workers of the organization and those that are shared with it',
    role: 'VIEWER',
    input: z.object(Page),
    output: WorkerDetail,
  },
  createWorker: {
    ...people,
    method: 'POST',
    path: '/workers',
    summary: 'Make a worker, and the token that enrols its agent within 15 minutes',
    status: 201,
    role: 'ADMIN',
    input: z.object(NewWorker),
    output: EnrolledWorker,
  },
  renewJoinToken: {
    ...people,
    method: 'POST',
    path: '/workers/{workerId}/join-token',
    summary: 'A new join token; those before it end',
    status: 201,
    role: 'ADMIN',
    input: z.object({ workerId }),
    output: EnrolledWorker,
  },
  drainWorker: {
    ...people,
    method: 'POST',
    path: '/workers/{workerId}/drain',
    summary: 'No new runs on this worker, or again',
    role: 'ADMIN',
    input: z.object({ workerId, draining: z.boolean() }),
    output: WorkerDetail,
  },
  revokeWorker: {
    ...gone,
    path: '/workers/{workerId}',
    summary: 'Revoke a worker: its agent is disconnected and cannot come back with its key',
    role: 'ADMIN',
    input: z.object({ workerId }),
  },
  listAuditEntries: {
    ...listed,
    path: '/audit-entries',
    summary: 'Who did what, when and from where; last first',
    role: 'ADMIN',
    input: z.object(Page),
    output: AuditEntry,
  },
} as const satisfies Record<string, Row>;
