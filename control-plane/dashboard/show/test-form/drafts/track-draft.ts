/** The tracks of a call as the form holds them: audio, and optionally video. Pure. */
import type { Output } from '../../../../contract/catalogue.ts';
import { DEFAULT_TRACK } from '../../../../contract/test-settings/defaults.ts';
import { completed } from '../../basics/form.ts';

type TestGroup = Output<'getTest'>['groups'][number];

export type DraftTrack = typeof DEFAULT_TRACK;
export type DraftVideo = DraftTrack & {
  readonly codecs: TestGroup['videoCodecs'];
  readonly source: 'PATTERN' | 'FILE';
  readonly mediaFileId: string | null;
};
type Drafted = {
  /** Null: no media. */
  readonly source: 'TONE' | 'SPEECH' | 'SILENCE' | 'FILE' | null;
  readonly mediaFileId: string | null;
  readonly track: DraftTrack;
  /** Video requires audio. */
  readonly video: DraftVideo | null;
};

export const FIRST_VIDEO: DraftVideo = { codecs: ['VP8'], source: 'PATTERN', mediaFileId: null, ...DEFAULT_TRACK };

/** Null: the tracks are in another order, which matters for actions. */
export function tracksOf({ mediaTracks, videoCodecs = [] }: TestGroup): Drafted | null {
  const [audio, video, ...more] = mediaTracks;
  if (more.length > 0 || (audio && audio.kind !== 'AUDIO') || (video && video.kind !== 'VIDEO')) return null;
  if (!video && videoCodecs.length > 0) return null;
  return {
    source: audio ? (audio.source as Drafted['source']) : null,
    mediaFileId: audio?.mediaFileId ?? null,
    track: completed(DEFAULT_TRACK, audio ?? {}),
    video: video
      ? {
          codecs: videoCodecs,
          source: video.source as DraftVideo['source'],
          mediaFileId: video.mediaFileId ?? null,
          ...completed(DEFAULT_TRACK, video),
        }
      : null,
  };
}

const fileOf = (source: string, mediaFileId: string | null) => (source === 'FILE' ? mediaFileId : null);

/** The `videoCodecs` and `mediaTracks` of a group. */
export function writtenTracks({ source, mediaFileId, track, video }: Drafted) {
  if (source === null) return { videoCodecs: [], mediaTracks: [] };
  const audio = { kind: 'AUDIO' as const, source, mediaFileId: fileOf(source, mediaFileId), ...track };
  if (video === null) return { videoCodecs: [], mediaTracks: [audio] };
  const { codecs, ...rest } = video;
  return {
    videoCodecs: [...codecs],
    mediaTracks: [audio, { kind: 'VIDEO' as const, ...rest, mediaFileId: fileOf(video.source, video.mediaFileId) }],
  };
}

const OPPOSITE = { BOTH: 'BOTH', SEND: 'RECEIVE', RECEIVE: 'SEND' } as const;
/**
 * The tracks of Carillon's own callees. They receive what is sent, and have their tracks from the start, even one that callers
 * add later.
 */
const opposite = <T extends DraftTrack>(track: T): T => ({
  ...track,
  direction: OPPOSITE[track.direction],
  deferred: false,
});

export const mirrored = <D extends Drafted>(d: D): D => ({
  ...d,
  track: opposite(d.track),
  video: d.video && opposite(d.video),
});
