/** The direction, marking and start of a track, and video in addition to audio. */
import { Checkbox, MultiSelect, Select, SimpleGrid, Stack } from '@mantine/core';
import { DIRECTIONS, VIDEO_CODECS } from '../../../../contract/words.ts';
import { faultOf } from '../../../api.ts';
import { type DraftTrack, type DraftVideo, FIRST_VIDEO } from '../drafts/track-draft.ts';
import { MediaFileSelect } from '../recordings/media-file-select.tsx';
import { MaybeWhole } from './whole.tsx';

const WAYS: Readonly<Record<(typeof DIRECTIONS)[number], string>> = {
  BOTH: 'Sent and received',
  SEND: 'Sent only',
  RECEIVE: 'Received only',
};
const VIDEO_SOURCES = [
  { value: 'PATTERN', label: 'A test pattern' },
  { value: 'FILE', label: 'A media file' },
];

type TrackProps = {
  readonly of: 'Audio' | 'Video';
  readonly track: DraftTrack;
  readonly error: Error | null;
  readonly at: string;
  readonly onChange: (change: Partial<DraftTrack>) => void;
};

export const TrackFields = ({ of, track, error, at, onChange }: TrackProps) => (
  <>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={`${of} direction`}
        description="Of the endpoints that this test describes."
        data={DIRECTIONS.map((value) => ({ value, label: WAYS[value] }))}
        value={track.direction}
        allowDeselect={false}
        onChange={(direction) => onChange({ direction: direction as DraftTrack['direction'] })}
        error={faultOf(error, `${at}.direction`)}
      />
      <MaybeWhole
        label={`${of} DSCP`}
        description="Of sent packets, 0 to 63 (RFC 2474); 46 is EF."
        placeholder="not marked"
        value={track.dscp}
        min={0}
        max={63}
        onChange={(dscp) => onChange({ dscp })}
        error={faultOf(error, `${at}.dscp`)}
      />
    </SimpleGrid>
    <Checkbox
      label={`${of} is added later`}
      description="Silent until an action of the test adds it."
      checked={track.deferred}
      onChange={(e) => onChange({ deferred: e.target.checked })}
      error={faultOf(error, `${at}.deferred`)}
    />
  </>
);

type VideoProps = {
  readonly video: DraftVideo | null;
  readonly error: Error | null;
  /** The path of the group in a request. */
  readonly at: string;
  readonly onChange: (video: DraftVideo | null) => void;
};

export function VideoFields({ video, error, at, onChange }: VideoProps) {
  const track = `${at}.mediaTracks[1]`;
  return (
    <Stack>
      <Checkbox
        label="Video"
        description="A second track in addition to audio."
        checked={video !== null}
        onChange={(e) => onChange(e.target.checked ? FIRST_VIDEO : null)}
        error={faultOf(error, `${track}.kind`)}
      />
      {video && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label="Video source"
              description="What every endpoint shows."
              data={VIDEO_SOURCES}
              value={video.source}
              allowDeselect={false}
              onChange={(source) => onChange({ ...video, source: source as DraftVideo['source'] })}
              error={faultOf(error, `${track}.source`)}
            />
            {video.source === 'FILE' && (
              <MediaFileSelect
                kind="VIDEO"
                value={video.mediaFileId}
                onChange={(mediaFileId) => onChange({ ...video, mediaFileId })}
                error={faultOf(error, `${track}.mediaFileId`)}
              />
            )}
            <MultiSelect
              label="Video codecs"
              description="Offered in this order. A media file has one codec."
              required
              data={[...VIDEO_CODECS]}
              value={[...video.codecs]}
              onChange={(codecs) => onChange({ ...video, codecs: codecs as DraftVideo['codecs'] })}
              error={faultOf(error, `${at}.videoCodecs`)}
            />
          </SimpleGrid>
          <TrackFields
            of="Video"
            track={video}
            error={error}
            at={track}
            onChange={(change) => onChange({ ...video, ...change })}
          />
        </>
      )}
    </Stack>
  );
}
