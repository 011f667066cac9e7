/** A project's status page: its settings, and its public content. */
import type { Output } from '../../../contract/catalogue.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Brand } from '../../../domain/brand.ts';
import { brandOf } from '../../../operations/request/brand.ts';
import { changing, identifiers, requireMatch, taken } from '../../../operations/request/change.ts';
import { type Handler, known } from '../../../operations/request/perform.ts';
import { reading } from '../../../operations/request/reading.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { lockProject } from '../../../store/project/projects.ts';
import { STATUS_DAYS, type StatusPage } from '../contract/status-page.ts';
import { drawStatusPage } from '../domain/status-page.ts';
import {
  clearStatusPageProbes,
  insertStatusPageProbe,
  pageComponents,
  pageIncidents,
  pageMaintenance,
  publishedPage,
  putStatusPage,
  statusPageOf,
  statusPageProbes,
} from '../store/status-pages.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_INCIDENTS = 50;
const MAX_MAINTENANCE = 50;
/** How long before its start maintenance is announced. */
const ANNOUNCED_MS = 14 * DAY_MS;
/** An invalid slug is not looked up. */
const SLUG = /^[a-z0-9-]{3,60}$/;

async function view(tx: Tx, projectId: string): Promise<Output<'getStatusPage'>> {
  const page = await statusPageOf(tx, projectId);
  if (!page) {
    return { published: false, slug: null, path: null, title: '', description: '', probes: [], version: 0 };
  }
  return { ...page, path: `/status/${page.slug}`, probes: await statusPageProbes(tx, projectId) };
}

export const getStatusPage: Handler<'getStatusPage'> = ({ ports }, { projectId }) => view(ports.database.db, projectId);

export const updateStatusPage = changing<'updateStatusPage'>(async (context, tx, { projectId, probes, ...change }) => {
  known('project', projectId, await lockProject(tx, projectId));
  const page = await statusPageOf(tx, projectId);
  requireMatch(context, page?.version ?? 0);
  const slug = change.slug ?? page?.slug;
  if (slug === undefined) throw invalid('slug', 'is required before anything else can be stored');
  const title = change.title ?? page?.title ?? '';
  const published = change.published ?? page?.published ?? false;
  if (published && title === '') throw invalid('title', 'is required for publishing; internal names are not published');
  await putStatusPage(tx, projectId, {
    slug,
    title,
    description: change.description ?? page?.description ?? '',
    published,
  }).catch(taken('Another status page of this installation has this slug; choose another one.'));
  if (probes !== undefined) await choose(tx, projectId, probes);
  return view(tx, projectId);
});

const invalid = (path: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `${path}: ${message}`, [{ path, message }]);

type Choice = { readonly probeId: string; readonly displayName: string };

async function choose(tx: Tx, projectId: string, probes: readonly Choice[]): Promise<void> {
  await clearStatusPageProbes(tx, projectId);
  for (const [position, { probeId, displayName }] of probes.entries()) {
    const isOurs =
      identifiers([probeId]).length === 1 &&
      (await insertStatusPageProbe(tx, projectId, { probeId, displayName, position }));
    if (!isOurs) throw invalid(`probes.${position}.probeId`, `the project has no probe ${probeId}`);
  }
}

/** What the public sees, and whose it is. */
export type BrandedPage = { readonly content: StatusPage; readonly brand: Brand | null };

/** Undefined: nothing is published under this name. This needs no authentication. */
export const publicStatusPage = (ports: Ports, slug: string): Promise<BrandedPage | undefined> =>
  reading(ports, undefined, (read) => brandedPage(read, slug));

async function brandedPage(ports: Ports, slug: string): Promise<BrandedPage | undefined> {
  const { now } = ports;
  const { db } = ports.database;
  const page = SLUG.test(slug) ? await publishedPage(db, slug) : undefined;
  if (!page) return undefined;
  const at = now();
  const today = Math.floor(at.getTime() / DAY_MS) * DAY_MS;
  const fromDay = new Date(today - (STATUS_DAYS - 1) * DAY_MS);
  const fromHour = new Date((Math.floor(at.getTime() / HOUR_MS) - 23) * HOUR_MS);
  const content = drawStatusPage(
    {
      title: page.title,
      description: page.description,
      components: await pageComponents(db, page.projectId, fromDay, fromHour),
      incidents: await pageIncidents(db, page.projectId, fromDay, MAX_INCIDENTS),
      maintenance: await pageMaintenance(
        db,
        page.projectId,
        at,
        new Date(at.getTime() + ANNOUNCED_MS),
        MAX_MAINTENANCE,
      ),
    },
    at,
  );
  return { content, brand: await brandOf(ports, page.organizationId) };
}
