/** ffmpeg as the reference decoder of frames: it shares no code with us. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ReceivedFrame } from '@carillon/media/testing/depacketize.ts';
import type { VideoCodec } from '@carillon/media/video/clip.ts';

/** `complaints`: the decoder's errors, '' if there were none. */
export type Decoded = { readonly frames: number; readonly complaints: string };

const run = promisify(execFile);

/** Decodes frames that begin with a keyframe. */
export async function decode(codec: VideoCodec, frames: readonly ReceivedFrame[]): Promise<Decoded> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-ffmpeg-'));
  try {
    const file = path.join(dir, codec === 'VP8' ? 'frames.ivf' : 'frames.h264');
    await writeFile(file, codec === 'VP8' ? ivf(frames) : annexB(frames));
    const args = ['-v', 'warning', '-xerror', '-i', file, '-fps_mode', 'passthrough', '-f', 'framemd5', '-'];
    const { stdout, stderr } = await run('ffmpeg', args).catch((failed: { stdout: string; stderr: string }) => failed);
    return { frames: stdout.split('\n').filter((line) => /^\d/.test(line)).length, complaints: stderr.trim() };
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** The test picture of media/video/pattern in H.264 of another profile and level, `frames` of 15 a second, a keyframe the first. */
export async function encodeHigh(frames: number, level: string): Promise<Buffer> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=15', '-frames:v', String(frames)];
  const codec = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-profile:v', 'high', '-level', level, '-bf', '0'];
  const args = ['-v', 'error', ...picture, ...codec, '-bsf:v', 'filter_units=remove_types=6', '-f', 'h264', '-'];
  return (await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 16 * 1024 * 1024 })).stdout;
}

const START_CODE = Buffer.from([0, 0, 0, 1]);

const annexB = (frames: readonly ReceivedFrame[]): Buffer =>
  Buffer.concat(frames.flatMap(({ units }) => units.flatMap((unit) => [START_CODE, unit])));

/** Frames are numbered: their times do not matter here. Decoders ignore the size in the header. */
function ivf(frames: readonly ReceivedFrame[]): Buffer {
  const header = Buffer.alloc(32);
  header.write('DKIF\0\0\x20\0VP80', 'latin1');
  header.writeUInt16LE(320, 12);
  header.writeUInt16LE(240, 14);
  header.writeUInt32LE(15, 16);
  header.writeUInt32LE(1, 20);
  header.writeUInt32LE(frames.length, 24);
  const parts = frames.flatMap(({ units }, i) => {
    const bytes = Buffer.concat(units);
    const before = Buffer.alloc(12);
    before.writeUInt32LE(bytes.length, 0);
    before.writeBigUInt64LE(BigInt(i), 4);
    return [before, bytes];
  });
  return Buffer.concat([header, ...parts]);
}
