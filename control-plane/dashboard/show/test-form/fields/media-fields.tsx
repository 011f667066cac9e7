/** Media of calls: their sources, their packets and their transport. */
import { AUDIO_CODECS, audioCodec } from '@carillon/media/codec/audio-codecs.ts';
import { Checkbox, Fieldset, MultiSelect, Select, SimpleGrid, Stack } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import type { Draft } from '../drafts/test-draft.ts';
import { MediaFileSelect } from '../recordings/media-file-select.tsx';
import { IceFields } from './ice-fields.tsx';
import { TrackFields, VideoFields } from './track-fields.tsx';

const CODECS = AUDIO_CODECS.map((value) => ({ value, label: audioCodec(value).title }));
const ENCRYPTIONS = [
  { value: 'NONE', label: 'None (RTP)' },
  { value: 'SDES', label: 'SRTP, keys in SDP (SDES)' },
  { value: 'DTLS', label: 'SRTP, keys by DTLS' },
];
const SOURCES = [
  { value: 'TONE', label: 'A tone' },
  { value: 'SPEECH', label: 'Artificial speech' },
  { value: 'SILENCE', label: 'Silence' },
  { value: 'FILE', label: 'A media file' },
  { value: '', label: 'None: signalling only' },
];
const SDP = [
  { value: 'OFFER', label: 'An inactive line of audio' },
  { value: 'NONE', label: 'None' },
];
const PACKETS = ['10', '20', '30', '40', '60'].map((value) => ({ value, label: `${value} ms` }));
const PROFILES = [
  { value: 'AVP', label: 'AVP' },
  { value: 'AVPF', label: 'AVPF' },
];

type Props = {
  readonly draft: Draft;
  readonly error: Error | null;
  readonly onChange: (change: Partial<Draft>) => void;
};

export function MediaFields({ draft, error, onChange }: Props) {
  const { source, media } = draft;
  const setMedia = (change: Partial<Draft['media']>) => onChange({ media: { ...media, ...change } });
  const withMedia = source !== null;
  return (
    <Fieldset legend="Media">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Audio"
            description="What every endpoint plays once the call is answered."
            data={SOURCES}
            value={source ?? ''}
            allowDeselect={false}
            onChange={(next) =>
              // Without media, ICE has no purpose.
              onChange({
                source: (next || null) as Draft['source'],
                ...(!next && { media: { ...media, ice: 'NONE' } }),
              })
            }
          />
          {source === 'FILE' && (
            <MediaFileSelect
              kind="AUDIO"
              value={draft.mediaFileId}
              onChange={(mediaFileId) => onChange({ mediaFileId })}
              error={faultOf(error, 'groups[0].mediaTracks[0].mediaFileId')}
            />
          )}
          {!withMedia && (
            <Select
              label="Session description"
              description="What an INVITE offers in a call without media."
              data={SDP}
              value={draft.sdp}
              allowDeselect={false}
              onChange={(sdp) => onChange({ sdp: sdp as Draft['sdp'] })}
            />
          )}
          <MultiSelect
            label="Codecs"
            description="Offered and accepted in this order; no others are."
            required
            data={CODECS}
            value={[...draft.codecs]}
            onChange={(codecs) => onChange({ codecs: codecs as Draft['codecs'] })}
            error={faultOf(error, 'groups[0].audioCodecs')}
          />
          {withMedia && (
            <>
              <Select
                label="Packet time"
                description="Milliseconds of audio in each RTP packet (ptime)."
                data={PACKETS}
                value={String(media.packetMs)}
                allowDeselect={false}
                onChange={(ms) => setMedia({ packetMs: Number(ms) as Draft['media']['packetMs'] })}
                error={faultOf(error, 'groups[0].packetMs')}
              />
              <Select
                label="Encryption"
                description="Calls that are not encrypted this way are refused."
                data={ENCRYPTIONS}
                value={draft.encryption}
                allowDeselect={false}
                onChange={(next) => onChange({ encryption: next as Draft['encryption'] })}
                error={faultOf(error, 'groups[0].encryption')}
              />
              <Select
                label="RTP profile"
                description="RTP profile of offers. With DTLS it is always AVPF."
                data={PROFILES}
                value={media.feedbackProfile}
                allowDeselect={false}
                onChange={(next) => setMedia({ feedbackProfile: next as Draft['media']['feedbackProfile'] })}
                error={faultOf(error, 'groups[0].feedbackProfile')}
              />
              <IceFields ice={media.ice} error={error} at="groups[0].ice" onChange={(ice) => setMedia({ ice })} />
            </>
          )}
        </SimpleGrid>
        {withMedia && (
          <>
            <TrackFields
              of="Audio"
              track={draft.track}
              error={error}
              at="groups[0].mediaTracks[0]"
              onChange={(change) => onChange({ track: { ...draft.track, ...change } })}
            />
            <Checkbox
              label="RTP and RTCP on one port"
              description="rtcp-mux (RFC 5761). ICE always does so."
              checked={media.rtcpMux}
              onChange={(e) => setMedia({ rtcpMux: e.target.checked })}
              error={faultOf(error, 'groups[0].rtcpMux')}
            />
            <VideoFields video={draft.video} error={error} at="groups[0]" onChange={(video) => onChange({ video })} />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
