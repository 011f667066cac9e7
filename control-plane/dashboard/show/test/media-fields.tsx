/** Audio of calls: its source, its packets and its transport. */
import { Fieldset, Select, SimpleGrid, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { faultOf, useCall } from '../../api.ts';
import { IceFields } from './ice-fields.tsx';
import type { Draft } from './test-draft.ts';

const CODECS = [
  { value: 'PCMU', label: 'PCMU (G.711 µ-law)' },
  { value: 'PCMA', label: 'PCMA (G.711 A-law)' },
  { value: 'G722', label: 'G.722, wideband' },
  { value: 'OPUS', label: 'Opus, fullband' },
];
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
              // Without media there is no way for them to find.
              onChange({
                source: (next || null) as Draft['source'],
                ...(!next && { media: { ...media, ice: 'NONE' } }),
              })
            }
          />
          {source === 'FILE' && (
            <MediaFileSelect value={draft.mediaFileId} onChange={(mediaFileId) => onChange({ mediaFileId })} />
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
          <Select
            label="Codec"
            description="The only codec that is offered and accepted."
            data={CODECS}
            value={draft.codec}
            allowDeselect={false}
            onChange={(codec) => onChange({ codec: codec as Draft['codec'] })}
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
      </Stack>
    </Fieldset>
  );
}

function MediaFileSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const files = useCall('listMediaFiles', { projectId, per_page: 100 });
  const sounds = (files.data?.rows ?? []).filter((f) => f.kind === 'AUDIO');
  return (
    <Select
      label="Media file"
      description="A recording uploaded to this project."
      required
      placeholder={sounds.length === 0 ? 'Upload one on the Media files page' : 'Choose'}
      data={sounds.map((f) => ({ value: f.id, label: f.name }))}
      value={value}
      onChange={onChange}
    />
  );
}
