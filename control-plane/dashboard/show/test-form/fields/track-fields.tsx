/** The direction, marking and start of a track, and video in addition to audio. */
import { Checkbox, Select, Stack } from '@mantine/core';
import { GROUP_KINDS, TRACK_KINDS } from '../../../../contract/form-fields.ts';
import { faultOf } from '../../../api.ts';
import { Field } from '../../basics/field.tsx';
import { Fields } from '../../basics/fields.tsx';
import { type Form, formOf } from '../../basics/form.ts';
import { type DraftTrack, type DraftVideo, FIRST_VIDEO } from '../drafts/track-draft.ts';
import { MediaFileSelect } from '../recordings/media-file-select.tsx';

const WAYS = { BOTH: 'Sent and received', SEND: 'Sent only', RECEIVE: 'Received only' };
const VIDEO_SOURCES = [
  { value: 'PATTERN', label: 'A test pattern' },
  { value: 'FILE', label: 'A media file' },
];

type TrackProps = { readonly of: 'Audio' | 'Video'; readonly form: Form<DraftTrack> };

export const TrackFields = ({ of, form }: TrackProps) => (
  <Fields
    form={form}
    rows={[
      {
        key: 'direction',
        label: `${of} direction`,
        hint: 'Of the endpoints that this test describes.',
        words: WAYS,
      },
      {
        key: 'dscp',
        label: `${of} DSCP`,
        hint: 'Of sent packets, 0 to 63 (RFC 2474); 46 is EF.',
        placeholder: 'not marked',
      },
      { key: 'deferred', label: `${of} is added later`, hint: 'Silent until an action of the test adds it.' },
    ]}
  />
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
  const form = video && formOf(TRACK_KINDS, video, error, track, onChange);
  return (
    <Stack>
      <Checkbox
        label="Video"
        description="A second track in addition to audio."
        checked={video !== null}
        onChange={(e) => onChange(e.target.checked ? FIRST_VIDEO : null)}
        error={faultOf(error, `${track}.kind`)}
      />
      {form && (
        <>
          <Fields
            form={form}
            rows={[
              <Select
                key="source"
                label="Video source"
                description="What every endpoint shows."
                data={VIDEO_SOURCES}
                value={video.source}
                allowDeselect={false}
                onChange={(source) => onChange({ ...video, source: source as DraftVideo['source'] })}
                error={faultOf(error, `${track}.source`)}
              />,
              video.source === 'FILE' && (
                <MediaFileSelect
                  key="file"
                  kind="VIDEO"
                  value={video.mediaFileId}
                  onChange={(mediaFileId) => onChange({ ...video, mediaFileId })}
                  error={faultOf(error, `${track}.mediaFileId`)}
                />
              ),
              <Field
                key="codecs"
                form={formOf(GROUP_KINDS, { videoCodecs: video.codecs }, error, at, (next) =>
                  onChange({ ...video, codecs: next.videoCodecs }),
                )}
                row={{
                  key: 'videoCodecs',
                  label: 'Video codecs',
                  hint: 'Offered in this order. A media file has one codec.',
                  required: true,
                }}
              />,
            ]}
          />
          <TrackFields of="Video" form={form} />
        </>
      )}
    </Stack>
  );
}
