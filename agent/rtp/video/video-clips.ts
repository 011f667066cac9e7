/** Clips as packets: the pattern, read and cut once per thread, and loaded videos. */
import { readFileSync } from 'node:fs';
import { parseVideo } from '@carillon/media/video/video-file.ts';
import { packetizeClip, type VideoPackets } from '@carillon/media/video/video-packets.ts';
import type { StreamSource, VideoFormat } from '../media-engine.ts';
import type { LoadedVideo } from '../send/playlists.ts';

const patternFile = (name: string): string =>
  new URL(import.meta.resolve(`@carillon/media/video/pattern/${name}`)).pathname;

/** The cut by codec and mode: mode 0 cannot fragment slices, so they are cut small (RFC 6184, 6.2). */
const PATTERNS = {
  'VP8 1': patternFile('pattern.ivf'),
  'H264 1': patternFile('pattern.h264'),
  'H264 0': patternFile('pattern-slices.h264'),
} as const;

type Cut = keyof typeof PATTERNS;

/** `packetization-mode` 0 if none was negotiated (RFC 6184, 8.1); VP8 has only one mode. */
const cutOf = ({ codec, packetizationMode = 0 }: Pick<VideoFormat, 'codec' | 'packetizationMode'>): Cut =>
  codec === 'VP8' ? 'VP8 1' : `${codec} ${packetizationMode}`;

export class VideoClips {
  readonly #patterns = new Map<Cut, VideoPackets>();
  readonly #loaded = new Map<string, ReadonlyMap<string, VideoPackets>>();

  /** Reads and cuts the pattern in every format, which takes some milliseconds, while no stream is waiting. */
  prepare(): void {
    for (const cut of Object.keys(PATTERNS) as Cut[]) this.#pattern(cut);
  }

  /** The video can be played from now on. */
  load({ source, packets }: LoadedVideo): void {
    this.#loaded.set(source, new Map(packets.map((one) => [`${one.codec} ${one.mode}`, one])));
  }

  /** Removes a video; streams that already play it continue. */
  unload(source: string): void {
    this.#loaded.delete(source);
  }

  /** Undefined: it was not loaded, or cannot be sent in that format. */
  find(source: StreamSource, format: Pick<VideoFormat, 'codec' | 'packetizationMode'>): VideoPackets | undefined {
    const cut = cutOf(format);
    return source === 'PATTERN' ? this.#pattern(cut) : this.#loaded.get(source)?.get(cut);
  }

  #pattern(cut: Cut): VideoPackets {
    const known =
      this.#patterns.get(cut) ?? packetizeClip(parseVideo(readFileSync(PATTERNS[cut])), Number(cut.at(-1)) as 0 | 1);
    this.#patterns.set(cut, known);
    return known;
  }
}
