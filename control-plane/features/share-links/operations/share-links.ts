/** Share links: anyone with the address reads the report of one run, until the link expires or is revoked. */
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { notFound } from '../../../contract/errors.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import { type Actor, addressWith, hashOf } from '../../../operations/request/actor.ts';
import { changing, conflict } from '../../../operations/request/change.ts';
import { listed } from '../../../operations/request/listed.ts';
import { byId, type Handler, known } from '../../../operations/request/perform.ts';
import { newToken } from '../../../operations/request/session.ts';
import { runReport } from '../../../operations/run-view/run-report.ts';
import { knownRun } from '../../../operations/run-view/runs.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { newId } from '../../../store/new-id.ts';
import {
  countProjectShareLinks,
  countShareLinks,
  countShareLinksOf,
  dropShareLinks,
  insertShareLink,
  listShareLinks as list,
  listProjectShareLinks as listAll,
  lockShareLinks,
  deleteShareLink as remove,
  shareLinkById,
  viewShared,
} from '../store/share-links.ts';

const DAY_SECONDS = 86_400;
/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

type Row = NonNullable<Awaited<ReturnType<typeof shareLinkById>>>;
const view = (link: Row): Output<'listShareLinks'> => ({
  ...link,
  createdAt: link.createdAt.toISOString(),
  expiresAt: link.expiresAt.toISOString(),
  lastViewedAt: link.lastViewedAt?.toISOString() ?? null,
});

export const createShareLink = changing<'createShareLink'>(async ({ ports, actor }, tx, { expiresInDays, ...ref }) => {
  const run = await knownRun(tx, ref);
  await requireRoom(tx, actor.organizationId, run.id, ports.now());
  const token = newToken();
  const [id, now] = [newId(), ports.now()];
  const expiresAt = secondsAfter(now, expiresInDays * DAY_SECONDS);
  const link = { id, runId: run.id, hash: hashOf(token), createdBy: actor.userId, createdAt: now, expiresAt };
  await insertShareLink(tx, link);
  const path = addressWith('/shared/', token);
  const { publicUrl } = ports.settings;
  return {
    ...view(known('share link', id, await shareLinkById(tx, run.id, id, now))),
    path,
    url: publicUrl === null ? null : new URL(path, publicUrl).href,
  };
});

const MAX_LINKS = { run: 20, organization: 1000 };

async function requireRoom(tx: Tx, organizationId: string, runId: string, now: Date): Promise<void> {
  await lockShareLinks(tx, organizationId);
  if ((await countShareLinks(tx, runId, now)) >= MAX_LINKS.run)
    throw conflict(`The run has ${MAX_LINKS.run} share links: revoke one that nobody needs.`);
  if ((await countShareLinksOf(tx, organizationId, now)) >= MAX_LINKS.organization)
    throw conflict(
      `The organization has ${MAX_LINKS.organization} share links: revoke some, or wait until they expire.`,
    );
}

export const listShareLinks: Handler<'listShareLinks'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { id } = await knownRun(db, input);
  const now = ports.now();
  const found = await listed(input, await countShareLinks(db, id, now), (w) => list(db, id, now, input.sort, w));
  return { ...found, rows: found.rows.map(view) };
};

/** The list shows every valid link of a project without opening each run. */
export const listProjectShareLinks: Handler<'listProjectShareLinks'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const now = ports.now();
  const total = await countProjectShareLinks(db, input.projectId, now);
  const found = await listed(input, total, (w) => listAll(db, input.projectId, now, input.sort, w));
  const rows = found.rows.map(({ runId, testName, submittedAt, ...link }) => ({
    ...view(link),
    run: { id: runId, testName, submittedAt: submittedAt.toISOString() },
  }));
  return { ...found, rows };
};

export const deleteShareLink = changing<'deleteShareLink'>(async (_, tx, { shareLinkId, ...ref }) => {
  const { id } = await knownRun(tx, ref);
  const isGone = await byId(shareLinkId, () => remove(tx, id, shareLinkId));
  if (!isGone) throw notFound('share link', shareLinkId);
  return { id: shareLinkId, deleted: true };
});

export const dropOldLinks = ({ database, now }: Ports): Promise<unknown> => dropShareLinks(database.db, now());

/** The report that the token leads to; null: the token is unknown or no longer valid. */
export async function sharedReport(ports: Ports, token: string, address: string): Promise<string | null> {
  if (!TOKEN.test(token)) return null;
  const found = await viewShared(ports.database.db, hashOf(new Secret(token)), ports.now());
  if (!found) return null;
  const { runId: testRunId, projectId, organizationId, organizationName } = found;
  const actor: Actor = {
    by: 'KEY',
    credentialId: '',
    userId: '',
    role: 'VIEWER',
    plan: 'FREE',
    provedAt: null,
    organizationId,
    organizationName,
    allProjects: false,
    lacksSecondFactor: false,
    scopes: ['READ'],
    onlyProjects: [projectId],
  };
  const context = { ports, actor, address, idempotencyKey: null, ifMatch: null };
  return runReport(context, { projectId, testRunId });
}
