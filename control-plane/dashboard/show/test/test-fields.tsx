/** The fields of a test. */
import { Radio, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf, useCall } from '../../api.ts';
import { CallerFields } from './caller-fields.tsx';
import { LoadFields } from './load-fields.tsx';
import { RegionSelect } from './region-select.tsx';
import type { Draft } from './test-draft.ts';
import { ExpectationFields, ThresholdFields } from './test-expectations.tsx';

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

type Props = {
  readonly draft: Draft;
  readonly registrars: readonly Output<'listRegistrars'>[];
  readonly error: Error | null;
  readonly onChange: (draft: Draft) => void;
};

export function TestFields({ draft, registrars, error, onChange }: Props) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  const own = draft.registrarId === '';
  const others = registrars.filter((r) => !r.isCloud);
  return (
    <Stack>
      <TextInput
        label="Name"
        required
        value={draft.name}
        onChange={(e) => set({ name: e.target.value })}
        error={faultOf(error, 'name')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        value={draft.description}
        onChange={(e) => set({ description: e.target.value })}
      />
      <Radio.Group
        label="Who is called"
        value={own ? 'own' : 'other'}
        onChange={(who) => set({ registrarId: who === 'own' ? '' : (others[0]?.id ?? '') })}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="own"
            label="Carillon's own callees"
            description="Agents call each other: no SIP server is needed."
          />
          <Radio
            value="other"
            label="A SIP address"
            disabled={others.length === 0}
            description={
              others.length === 0
                ? 'Needs a registrar or trunk: make one under Registrars.'
                : 'By way of a registrar or trunk of this project.'
            }
          />
        </Stack>
      </Radio.Group>
      {!own && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Registrar or trunk"
            data={others.map((r) => ({ value: r.id, label: r.name }))}
            value={draft.registrarId}
            allowDeselect={false}
            onChange={(id) => set({ registrarId: id ?? '' })}
            error={faultOf(error, 'groups[0].registrarId')}
          />
          <TextInput
            label="Address"
            description="{{column}} stands for what the account has there, {{1000..1999}} counts"
            placeholder="sip:9000@pbx.example"
            required
            value={draft.uri}
            onChange={(e) => set({ uri: e.target.value })}
            error={faultOf(error, 'groups[0].callee.uri')}
          />
        </SimpleGrid>
      )}
      <LoadFields draft={draft} error={error} onChange={set} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Codec"
          data={CODECS}
          value={draft.codec}
          allowDeselect={false}
          onChange={(codec) => set({ codec: codec as Draft['codec'] })}
        />
        <Select
          label="Encryption"
          data={ENCRYPTIONS}
          value={draft.encryption}
          allowDeselect={false}
          onChange={(e) => set({ encryption: e as Draft['encryption'] })}
        />
        <Select
          label="What is heard"
          data={SOURCES}
          value={draft.source ?? ''}
          allowDeselect={false}
          onChange={(source) => set({ source: (source || null) as Draft['source'] })}
        />
        {draft.source === null && (
          <Select
            label="Session description"
            data={SDP}
            value={draft.sdp}
            allowDeselect={false}
            onChange={(sdp) => set({ sdp: sdp as Draft['sdp'] })}
          />
        )}
        {draft.source === 'FILE' && (
          <MediaFileSelect value={draft.mediaFileId} onChange={(mediaFileId) => set({ mediaFileId })} />
        )}
        <RegionSelect value={draft.region} onChange={(region) => set({ region })} />
      </SimpleGrid>
      <CallerFields caller={draft.caller} error={error} onChange={(caller) => set({ caller })} />
      <ExpectationFields expectations={draft.expectations} onChange={(expectations) => set({ expectations })} />
      <ThresholdFields thresholds={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
    </Stack>
  );
}

function MediaFileSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const files = useCall('listMediaFiles', { projectId, per_page: 100 });
  const sounds = (files.data?.rows ?? []).filter((f) => f.kind === 'AUDIO');
  return (
    <Select
      label="Media file"
      required
      placeholder={sounds.length === 0 ? 'Upload one under Media files' : 'Choose'}
      data={sounds.map((f) => ({ value: f.id, label: f.name }))}
      value={value}
      onChange={onChange}
    />
  );
}
