/** Recordings: checked at the upload, so that no run discovers a fault. */
import { createHash } from 'node:crypto';
import { parseWav, WavError } from '@carillon/media/files/wav.ts';
import { VideoError } from '@carillon/media/video/clip.ts';
import { describeVideo, isVideo } from '@carillon/media/video/video-file.ts';
import type { Output } from '../../contract/catalogue.ts';
import { type ApiError, invalid } from '../../contract/errors.ts';
import { MAX_MEDIA_BYTES, MAX_MEDIA_MS } from '../../contract/project/media-file.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  countMediaFiles,
  findMediaFile,
  insertMediaFile,
  listMediaFiles as list,
  lockMediaFile,
  mediaChunk,
  type NewMedia,
  deleteMediaFile as remove,
} from '../../store/project/media-files.ts';
import { referrers } from '../../store/project/references.ts';
import { changing, conflict, creating, requireMatch, requireUnused } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';

type Row = Omit<Awaited<ReturnType<typeof list>>[number], 'place'>;

const view = ({ sha256, createdAt, video, ...m }: Row): Output<'getMediaFile'> => ({
  ...m,
  kind: video === null ? 'AUDIO' : 'VIDEO',
  video: video as Output<'getMediaFile'>['video'],
  sha256: sha256.toString('hex'),
  createdAt: createdAt.toISOString(),
});

export const listMediaFiles: Handler<'listMediaFiles'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, sort } = input;
  const found = await listed(input, await countMediaFiles(db, projectId), (w) => list(db, projectId, sort, w));
  return { ...found, rows: found.rows.map(view) };
};

const found = async (tx: Tx, projectId: string, id: string) =>
  view(known('media file', id, await byId(id, () => findMediaFile(tx, projectId, id))));

export const getMediaFile: Handler<'getMediaFile'> = ({ ports }, { projectId, mediaFileId }) =>
  found(ports.database.db, projectId, mediaFileId);

/** The bytes of one statement. */
const CHUNK_BYTES = 1024 * 1024;

export const downloadMediaFile: Handler<'downloadMediaFile'> = async ({ ports }, { projectId, mediaFileId }) => {
  const { db } = ports.database;
  const { video, sizeBytes } = await found(db, projectId, mediaFileId);
  const suffix = video === null ? 'wav' : video.codec === 'VP8' ? 'ivf' : 'h264';
  return { fileName: `${mediaFileId}.${suffix}`, bytes: chunks(db, projectId, mediaFileId, sizeBytes) };
};

async function* chunks(tx: Tx, projectId: string, id: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    yield known('media file', id, await mediaChunk(tx, projectId, id, at, CHUNK_BYTES));
  }
}

export const createMediaFile = creating('createMediaFile', async (_context, tx, { projectId, name, content }) => {
  const bytes = decode(content);
  const id = newId();
  const sha256 = createHash('sha256').update(bytes).digest();
  const file = { id, projectId, name, sha256, content: bytes, ...describe(bytes) };
  if (!(await insertMediaFile(tx, file))) throw conflict(`The project has a media file ${name} already.`);
  return found(tx, projectId, id);
});

const refusal = (message: string): ApiError => invalid([{ path: ['content'], message }]);

/** @throws ApiError VALIDATION_ERROR */
function decode(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  // Buffer ignores invalid base64, and the result then has another length.
  const whole = Math.ceil(bytes.length / 3) * 4;
  if (base64.length !== whole) throw refusal('is not base64 (RFC 4648, 4: with padding, without line breaks)');
  if (bytes.length > MAX_MEDIA_BYTES) throw refusal(`has ${bytes.length} bytes, over ${MAX_MEDIA_BYTES} (20 MiB)`);
  return bytes;
}

type Description = Pick<NewMedia, 'durationMs' | 'sampleRateHz' | 'channels' | 'bitsPerSample' | 'video'>;

/** @throws ApiError VALIDATION_ERROR */
function describe(bytes: Buffer): Description {
  try {
    const described = isVideo(bytes) ? ofVideo(bytes) : ofSound(bytes);
    if (described.durationMs <= MAX_MEDIA_MS) return described;
    throw refusal(`lasts ${described.durationMs} ms, over ${MAX_MEDIA_MS} (10 min)`);
  } catch (error) {
    throw error instanceof WavError || error instanceof VideoError ? refusal(error.message) : error;
  }
}

function ofSound(bytes: Buffer): Description {
  const { durationMs, sampleRateHz, channels, bitsPerSample } = parseWav(bytes);
  return { durationMs, sampleRateHz, channels, bitsPerSample, video: null };
}

function ofVideo(bytes: Buffer): Description {
  const { durationMs, kind: _, ...video } = describeVideo(bytes);
  return { durationMs, sampleRateHz: null, channels: null, bitsPerSample: null, video };
}

export const deleteMediaFile = changing<'deleteMediaFile'>(async (context, tx, { projectId, mediaFileId }) => {
  const held = await byId(mediaFileId, () => lockMediaFile(tx, projectId, mediaFileId));
  const { id, name } = known('media file', mediaFileId, held);
  requireMatch(context, null);
  requireUnused(`The media file ${name}`, await referrers(tx, projectId, 'mediaFile', id));
  await remove(tx, id);
  return { id, deleted: true };
});
