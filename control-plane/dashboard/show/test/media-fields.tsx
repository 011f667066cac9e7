/** What is heard in calls, as which packets it goes, and how it finds its way. */
import { Fieldset, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { faultOf, useCall } from '../../api.ts';
import { iceOf, type Path, pathOf, stunServerOf } from './ice-draft.ts';
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
  { value: '', label: 'Nothing: signalling alone' },
];
const SDP = [
  { value: 'OFFER', label: 'An inactive line of audio' },
  { value: 'NONE', label: 'None' },
];
const PACKETS = ['10', '20', '30', '40', '60'].map((value) => ({ value, label: `${value} ms` }));
const PATHS: readonly { readonly value: Path; readonly label: string }[] = [
  { value: 'NONE', label: 'None: to the address in SDP' },
  { value: 'HOST', label: "The agent's own addresses" },
  { value: 'STUN', label: 'And what a STUN server sees' },
];
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
  const path = pathOf(media.ice);
  return (
    <Fieldset legend="Media">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="What is heard"
            description="What every endpoint plays from the answer on."
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
              description="What an INVITE offers where there are no media."
              data={SDP}
              value={draft.sdp}
              allowDeselect={false}
              onChange={(sdp) => onChange({ sdp: sdp as Draft['sdp'] })}
            />
          )}
          <Select
            label="Codec"
            description="The only one that is offered and taken."
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
                description="Of audio in each RTP packet (ptime)."
                data={PACKETS}
                value={String(media.packetMs)}
                allowDeselect={false}
                onChange={(ms) => setMedia({ packetMs: Number(ms) as Draft['media']['packetMs'] })}
                error={faultOf(error, 'groups[0].packetMs')}
              />
              <Select
                label="Encryption"
                description="What is not so encrypted is refused."
                data={ENCRYPTIONS}
                value={draft.encryption}
                allowDeselect={false}
                onChange={(next) => onChange({ encryption: next as Draft['encryption'] })}
                error={faultOf(error, 'groups[0].encryption')}
              />
              <Select
                label="RTP profile"
                description="Of offers. With DTLS it is AVPF."
                data={PROFILES}
                value={media.feedbackProfile}
                allowDeselect={false}
                onChange={(next) => setMedia({ feedbackProfile: next as Draft['media']['feedbackProfile'] })}
                error={faultOf(error, 'groups[0].feedbackProfile')}
              />
              <Select
                label="ICE"
                description="Which addresses media are offered at (RFC 8445)."
                data={[...PATHS]}
                value={path}
                allowDeselect={false}
                onChange={(next) => setMedia({ ice: iceOf(next as Path, '') })}
                error={path === 'STUN' ? undefined : faultOf(error, 'groups[0].ice')}
              />
              {path === 'STUN' && (
                <TextInput
                  label="STUN server"
                  description="A host, or host:port; 3478 where none is said."
                  placeholder="stun.example.net:3478"
                  required
                  value={stunServerOf(media.ice)}
                  onChange={(e) => setMedia({ ice: iceOf('STUN', e.target.value) })}
                  error={faultOf(error, 'groups[0].ice')}
                />
              )}
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
      description="A recording that was uploaded to this project."
      required
      placeholder={sounds.length === 0 ? 'Upload one under Media files' : 'Choose'}
      data={sounds.map((f) => ({ value: f.id, label: f.name }))}
      value={value}
      onChange={onChange}
    />
  );
}
