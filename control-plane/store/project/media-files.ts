/** Recordings; lists do not read their bytes. */

import { sql } from 'kysely';
import type { RecordedVideo } from '../../contract/project/media-file.ts';
import { OPEN_INSTANCE_STATUSES } from '../../domain/run/instance-machine.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';

const columns = [
  'id',
  'name',
  'sha256',
  'size_bytes as sizeBytes',
  'duration_ms as durationMs',
  'sample_rate_hz as sampleRateHz',
  'channels',
  'bits_per_sample as bitsPerSample',
  'video',
  'created_at as createdAt',
] as const;

const SORTED_BY = {
  name: ['name', 'text'],
  createdAt: ['created_at', 'instant'],
  sizeBytes: ['size_bytes', 'number'],
} as const;

export const listMediaFiles = (tx: Tx, projectId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    tx
      .selectFrom('media_files')
      .where('project_id', '=', projectId)
      .select([...columns]),
    orderOf(SORTED_BY, sort),
    w,
  ).execute();

export const countMediaFiles = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('media_files')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findMediaFile = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('media_files')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([...columns])
    .executeTakeFirst();

export const lockMediaFile = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('media_files')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select(['id', 'name'])
    .forUpdate()
    .executeTakeFirst();

/** The existing recordings among these ids, with the codec of videos; they are locked until the transaction ends. */
export const holdMediaFiles = (tx: Tx, projectId: string, ids: readonly string[]) =>
  tx
    .selectFrom('media_files')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any (${texts(ids)}::uuid[])`)
    .select(['id', sql<RecordedVideo['codec'] | null>`video ->> 'codec'`.as('videoCodec')])
    .orderBy('id')
    .forKeyShare()
    .execute();

/** Reads the bytes in pieces, so that no recording is in memory as a whole. */
export const mediaChunk = async (
  tx: Tx,
  projectId: string,
  id: string,
  offset: number,
  bytes: number,
): Promise<Buffer | undefined> =>
  (
    await tx
      .selectFrom('media_files')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .select(sql<Buffer>`substring(content from ${offset + 1}::int for ${bytes}::int)`.as('data'))
      .executeTakeFirst()
  )?.data;

export type NewMedia = {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly sha256: Buffer;
  readonly durationMs: number;
  readonly sampleRateHz: number | null;
  readonly channels: number | null;
  readonly bitsPerSample: number | null;
  /** Null: the recording is audio. */
  readonly video: RecordedVideo | null;
  readonly content: Buffer;
};

/** False: the name is taken. */
export const insertMediaFile = async (tx: Tx, m: NewMedia): Promise<boolean> =>
  (await tx
    .insertInto('media_files')
    .values({
      id: m.id,
      project_id: m.projectId,
      name: m.name,
      sha256: m.sha256,
      size_bytes: m.content.length,
      duration_ms: m.durationMs,
      sample_rate_hz: m.sampleRateHz,
      channels: m.channels,
      bits_per_sample: m.bitsPerSample,
      video: m.video && JSON.stringify(m.video),
      content: m.content,
    })
    .onConflict((c) => c.columns(['project_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const deleteMediaFile = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('media_files').where('id', '=', id).execute();

/**
 * The bytes of a recording in a run with a part on this worker; undefined: there is no such run. `offset` beyond the
 * end: no bytes.
 */
export const recordingChunk = (tx: Tx, workerId: string, sha256: Buffer, offset: number, bytes: number) =>
  tx
    .selectFrom('sub_population_instances as i')
    .innerJoin('test_runs as r', 'r.id', 'i.run_id')
    .innerJoin('media_files as m', 'm.project_id', 'r.project_id')
    .where('i.worker_id', '=', workerId)
    .where('i.status', 'in', OPEN_INSTANCE_STATUSES)
    .where('m.sha256', '=', sha256)
    .where(sql<boolean>`jsonb_path_exists(r.config, '$.groups[*].mediaTracks[*] ? (@.mediaFileId == $file)',
      jsonb_build_object('file', m.id))`)
    .select([
      'm.size_bytes as sizeBytes',
      sql<Buffer>`substring(m.content from ${offset + 1}::int for ${bytes}::int)`.as('data'),
    ])
    .limit(1)
    .executeTakeFirst();

/** The duration of these recordings, by id. */
export const mediaDurationsMs = async (
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, number>> =>
  new Map(
    (
      await tx
        .selectFrom('media_files')
        .where('project_id', '=', projectId)
        .where(sql<boolean>`id = any (${texts(ids)}::uuid[])`)
        .select(['id', 'duration_ms as durationMs'])
        .execute()
    ).map((row) => [row.id, row.durationMs]),
  );

/** The names and checksums (in hex) of these recordings, by id. */
export const mediaNames = (tx: Tx, projectId: string, ids: readonly string[]) =>
  tx
    .selectFrom('media_files')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any (${texts(ids)}::uuid[])`)
    .select(['id as mediaFileId', 'name', sql<string>`encode(sha256, 'hex')`.as('sha256')])
    .orderBy('name')
    .execute();

export const mediaChecksums = async (tx: Tx, projectId: string, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    (
      await tx
        .selectFrom('media_files')
        .where('project_id', '=', projectId)
        .where(sql<boolean>`id = any (${texts(ids)}::uuid[])`)
        .select(['id', sql<string>`encode(sha256, 'hex')`.as('sha256')])
        .execute()
    ).map((row) => [row.id, row.sha256]),
  );
