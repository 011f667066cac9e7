/** Reads recordings for the agents that play them. */
import { MEDIA_CHUNK_BYTES } from '@carillon/proto';
import type { Ports } from '../../ports.ts';
import { recordingChunk } from '../../store/project/media-files.ts';

export type RecordingChunk = { readonly totalBytes: number; readonly data: Buffer };

const SHA256_BYTES = 32;

/** Null: no open allocation of this worker belongs to a project with this recording. */
export async function readRecording(
  ports: Ports,
  workerId: string,
  sha256: Uint8Array,
  offset: number,
): Promise<RecordingChunk | null> {
  if (sha256.length !== SHA256_BYTES || offset < 0 || offset > 0x7fff_fffe - MEDIA_CHUNK_BYTES) return null;
  const found = await recordingChunk(ports.database.db, workerId, Buffer.from(sha256), offset, MEDIA_CHUNK_BYTES);
  return found ? { totalBytes: found.sizeBytes, data: found.data } : null;
}
