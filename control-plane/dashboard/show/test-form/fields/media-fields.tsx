/** Media of calls: their sources, their packets and their transport. */
import { AUDIO_CODECS, audioCodec } from '@carillon/media/codec/audio-codecs.ts';
import { Select, Stack } from '@mantine/core';
import { TRACK_KINDS } from '../../../../contract/form-fields.ts';
import { faultOf } from '../../../api.ts';
import { Field } from '../../basics/field.tsx';
import { Fields } from '../../basics/fields.tsx';
import { type Form, formOf } from '../../basics/form.ts';
import type { DraftGroup } from '../drafts/group-draft.ts';
import type { Draft } from '../drafts/test-draft.ts';
import { MediaFileSelect } from '../recordings/media-file-select.tsx';
import { IceFields } from './ice-fields.tsx';
import { TrackFields, VideoFields } from './track-fields.tsx';

const CODECS = Object.fromEntries(AUDIO_CODECS.map((name) => [name, audioCodec(name).title]));
const ENCRYPTIONS = { NONE: 'None (RTP)', SDES: 'SRTP, keys in SDP (SDES)', DTLS: 'SRTP, keys by DTLS' };
const SOURCES = [
  { value: 'TONE', label: 'A tone' },
  { value: 'SPEECH', label: 'Artificial speech' },
  { value: 'SILENCE', label: 'Silence' },
  { value: 'FILE', label: 'A media file' },
  { value: '', label: 'None: signalling only' },
];
const SDP = { OFFER: 'An inactive line of audio', NONE: 'None' };
const PACKETS = Object.fromEntries([10, 20, 30, 40, 60].map((ms) => [ms, `${ms} ms`]));

type Props = { readonly form: Form<Draft>; readonly group: Form<DraftGroup> };

export function MediaFields({ form, group }: Props) {
  const { error, values, set } = form;
  const { source, track } = values;
  const withMedia = source !== null;
  const { encryption, feedbackProfile, ice, rtcpMux } = group.values;
  const isDtls = encryption === 'DTLS';
  return (
    <Stack>
      <Fields
        form={group}
        rows={[
          <Select
            key="source"
            label="Audio"
            description="What every endpoint plays once the call is answered."
            data={SOURCES}
            value={source ?? ''}
            allowDeselect={false}
            onChange={(next) => set({ source: (next || null) as Draft['source'] })}
          />,
          source === 'FILE' && (
            <MediaFileSelect
              key="file"
              kind="AUDIO"
              value={values.mediaFileId}
              onChange={(mediaFileId) => set({ mediaFileId })}
              error={faultOf(error, 'groups[0].mediaTracks[0].mediaFileId')}
            />
          ),
          !withMedia && {
            key: 'sdp',
            label: 'Session description',
            hint: 'What an INVITE offers in a call without media.',
            words: SDP,
          },
          {
            key: 'audioCodecs',
            label: 'Codecs',
            hint: 'Offered and accepted in this order; no others are.',
            words: CODECS,
            required: true,
          },
          withMedia && {
            key: 'packetMs',
            label: 'Packet time',
            hint: 'Milliseconds of audio in each RTP packet (ptime).',
            words: PACKETS,
          },
          (withMedia || group.values.sdp !== 'NONE') && {
            key: 'encryption',
            label: 'Encryption',
            hint: 'Calls that are not encrypted this way are refused.',
            words: ENCRYPTIONS,
          },
          withMedia &&
            (!isDtls || feedbackProfile !== 'AVP') && {
              key: 'feedbackProfile',
              label: 'RTP profile',
              hint: 'RTP profile of offers. With DTLS it is always AVPF.',
            },
          withMedia && <IceFields key="ice" form={group} />,
        ]}
      />
      {withMedia && (
        <>
          <TrackFields
            of="Audio"
            form={formOf(TRACK_KINDS, track, error, 'groups[0].mediaTracks[0]', (next) => set({ track: next }))}
          />
          {(rtcpMux || (ice === 'NONE' && !isDtls)) && (
            <Field
              form={group}
              row={{
                key: 'rtcpMux',
                label: 'RTP and RTCP on one port',
                hint: 'rtcp-mux (RFC 5761). ICE and DTLS always do so.',
              }}
            />
          )}
          <VideoFields video={values.video} error={error} at="groups[0]" onChange={(video) => set({ video })} />
        </>
      )}
    </Stack>
  );
}
