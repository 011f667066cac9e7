/** Clips as packets, read and cut once a thread. */
import { readFileSync } from 'node:fs';
import { parseVideo } from '@carillon/media/video/video-file.ts';
import { packetizeClip, type VideoPackets } from '@carillon/media/video/video-packets.ts';
import type { VideoFormat } from './media-engine.ts';

const patternFile = (name: string): string =>
  new URL(import.meta.resolve(`@carillon/media/video/pattern/${name}`)).pathname;

/** By codec and mode: mode 0 cannot cut slices, so they are cut small (RFC 6184, 6.2). */
const PATTERNS = {
  VP8: patternFile('pattern.ivf'),
  'H264 1': patternFile('pattern.h264'),
  'H264 0': patternFile('pattern-slices.h264'),
} as const;

export class VideoClips {
  private readonly made = new Map<string, VideoPackets>();

  /** Reads and cuts the pattern in every format, which takes some milliseconds: for when no stream is waiting. */
  prepare(): void {
    for (const mode of [0, 1] as const) this.pattern({ codec: 'H264', packetizationMode: mode });
    this.pattern({ codec: 'VP8' });
  }

  /** The generated pattern; packetization-mode 0 where none was agreed on (RFC 6184, 8.1). */
  pattern({ codec, packetizationMode = 0 }: Pick<VideoFormat, 'codec' | 'packetizationMode'>): VideoPackets {
    const key = codec === 'VP8' ? codec : (`${codec} ${packetizationMode}` as const);
    const known = this.made.get(key) ?? packetizeClip(parseVideo(readFileSync(PATTERNS[key])), packetizationMode);
    this.made.set(key, known);
    return known;
  }
}
