/** Recordings that tests play: WAV for audio, IVF or H.264 for video. */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { Name } from '../fields.ts';
import { TRACK_KINDS, VIDEO_CODECS } from '../test-settings/track-words.ts';

export const RecordedVideo = z
  .object({
    codec: z.enum(VIDEO_CODECS),
    widthPx: z.int(),
    heightPx: z.int(),
    frames: z.int(),
    keyframes: z.int(),
    framesPerSecond: z.number(),
  })
  .meta({ id: 'RecordedVideo' });
export type RecordedVideo = z.infer<typeof RecordedVideo>;

export const MediaFile = z
  .object({
    id: Id,
    name: z.string(),
    sizeBytes: z.int(),
    durationMs: z.int(),
    kind: z.enum(TRACK_KINDS),
    sampleRateHz: z.int().nullable().describe('null: it is video'),
    channels: z.int().nullable(),
    bitsPerSample: z.int().nullable(),
    video: RecordedVideo.nullable().describe('null: it is audio'),
    sha256: z.string().describe('hash of the file, in hexadecimal'),
    createdAt: Timestamp,
  })
  .meta({ id: 'MediaFile' });

export const MAX_MEDIA_BYTES = 20 * 1024 * 1024;
export const MAX_MEDIA_MS = 600_000;

export const NewMediaFile = {
  name: Name,
  content: z
    .string()
    .min(1)
    .describe(
      'a WAV file (PCM, float, A-law or mu-law; 8 to 48 kHz; mono or stereo), or video: VP8 in IVF, or an H.264 byte stream (Annex B); at most 20 MiB and 10 minutes, in base64 (RFC 4648, 4)',
    ),
};

/** The longest body. Base64 is a third longer than the bytes that it encodes. */
export const MEDIA_BODY_BYTES = Math.ceil((MAX_MEDIA_BYTES * 4) / 3) + 64 * 1024;
