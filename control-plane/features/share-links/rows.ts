/** Links by which anybody can read one run without an account, until they expire (extensions). */
import * as z from 'zod';
import { Deleted, Id, Page, Timestamp } from '../../contract/envelope.ts';
import { cursorOf } from '../../contract/query.ts';
import type { OperationRow } from '../../contract/row.ts';

const MAX_DAYS = 90;

const ShareLink = z
  .object({
    id: Id,
    createdBy: z.string().nullable().describe('name of the member; null: the account is gone'),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    views: z.int(),
    lastViewedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ShareLink' });

const NewShareLink = ShareLink.extend({
  path: z
    .string()
    .describe('path of the page on this server; returned only in this answer')
    .meta({ example: '/shared/kX3f' }),
  url: z.string().nullable().describe('the whole URL; null: CARILLON_PUBLIC_URL is not set'),
}).meta({ id: 'NewShareLink' });

const ShareLinkOfProject = ShareLink.extend({
  run: z.object({ id: Id, testName: z.string(), submittedAt: Timestamp }),
}).meta({ id: 'ShareLinkOfProject' });

const ref = { projectId: z.string().describe('project id'), testRunId: z.string().describe('test run id') };
const path = '/projects/{projectId}/test-runs/{testRunId}/share-links';

export const ROWS = {
  createShareLink: {
    method: 'POST',
    path,
    summary: 'Create a link to the report of a test run, for readers without an account; it expires and can be revoked',
    role: 'EDITOR',
    input: z.object({
      ...ref,
      expiresInDays: z.int().min(1).max(MAX_DAYS).default(7),
    }),
    output: NewShareLink,
    answers: 'single',
    status: 201,
    extension: true,
  },
  listShareLinks: {
    method: 'GET',
    path,
    summary: 'Valid share links of a test run, without their addresses',
    role: 'EDITOR',
    input: z.object({ ...ref, ...Page, ...cursorOf(['createdAt', '-createdAt', 'expiresAt', '-expiresAt']) }),
    output: ShareLink,
    answers: 'list',
    status: 200,
    extension: true,
  },
  listProjectShareLinks: {
    method: 'GET',
    path: '/projects/{projectId}/share-links',
    summary: 'Valid share links to all test runs of a project, without their addresses',
    role: 'EDITOR',
    input: z.object({
      projectId: ref.projectId,
      ...Page,
      ...cursorOf(['-createdAt', 'createdAt', 'expiresAt', '-expiresAt']),
    }),
    output: ShareLinkOfProject,
    answers: 'list',
    status: 200,
    extension: true,
  },
  deleteShareLink: {
    method: 'DELETE',
    path: `${path}/{shareLinkId}`,
    summary: 'Revoke a share link at once',
    role: 'EDITOR',
    input: z.object({ ...ref, shareLinkId: z.string().describe('share link id') }),
    output: Deleted,
    answers: 'single',
    status: 200,
    extension: true,
  },
} as const satisfies Record<string, OperationRow>;

export const BODIES = { createShareLink: { expiresInDays: 30 } };

type ShareLinkRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends ShareLinkRows {}
}
