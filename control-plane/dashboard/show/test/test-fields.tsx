/** The fields of a test, and what it will be. */
import { NumberInput, Radio, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf, useCall } from '../../api.ts';
import { bitsPerSecond, count, duration, number } from '../basics/figures.ts';
import { Card } from '../basics/page.tsx';
import { Mark } from '../basics/words.tsx';
import { type LoadEstimate, planOf } from './plan.ts';
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
            placeholder="sip:9000@pbx.example"
            required
            value={draft.uri}
            onChange={(e) => set({ uri: e.target.value })}
            error={faultOf(error, 'groups[0].callee.uri')}
          />
        </SimpleGrid>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Whole label="Calls" value={draft.calls} min={1} max={100_000} onChange={(calls) => set({ calls })} />
        <Whole
          label="Spread over, seconds"
          value={draft.buildup}
          min={0}
          max={86_400}
          onChange={(buildup) => set({ buildup })}
        />
        <Whole
          label="A call lasts, seconds"
          value={draft.durationSeconds}
          min={1}
          max={86_400}
          onChange={(durationSeconds) => set({ durationSeconds })}
        />
      </SimpleGrid>
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
      <ExpectationFields expectations={draft.expectations} onChange={(expectations) => set({ expectations })} />
      <ThresholdFields thresholds={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
    </Stack>
  );
}

type WholeProps = { label: string; value: number; min: number; max: number; onChange: (n: number) => void };
const Whole = ({ label, value, min, max, onChange }: WholeProps) => (
  <NumberInput
    label={label}
    required
    value={value}
    min={min}
    max={max}
    allowDecimal={false}
    onChange={(n) => onChange(Number(n) || min)}
  />
);

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

const mediaOf = ({ ports, bitsPerSecondEachWay }: LoadEstimate): string =>
  ports === 0 ? 'no media' : `${bitsPerSecond(bitsPerSecondEachWay)} each way, ${count(ports)} ports`;

/** The same sentence that a colleague would say, and whether the agents have room for it. */
export function Preview({ draft, registrars }: Pick<Props, 'draft' | 'registrars'>) {
  const workers = useCall('listWorkers', { per_page: 100 }, { everyMs: 5000 });
  const plan = planOf({ ...draft, ownCallees: draft.registrarId === '' });
  const online = (workers.data?.rows ?? []).filter((w) => w.status === 'ONLINE' && w.region === draft.region);
  const room = online.reduce((sum, w) => sum + w.capacity - w.leftToProbes - w.endpoints, 0);
  const fits = room >= plan.atOnce;
  const rate = Math.min(...online.map((w) => w.agent?.policy.maxCallsPerSecond ?? Number.POSITIVE_INFINITY));
  const registrar = registrars.find((r) => r.id === draft.registrarId);
  const longest = Math.min(...online.map((w) => w.agent?.policy.maxDurationSeconds ?? Number.POSITIVE_INFINITY));
  const tooFast = online.length > 0 && plan.callsPerSecond > rate * online.length;
  return (
    <Card title="What it will be">
      <Stack gap="sm">
        <Text>
          <b>{count(draft.calls)} calls</b>{' '}
          {draft.buildup === 0
            ? 'at once'
            : `over ${duration(draft.buildup)}, ${number(plan.callsPerSecond, 1)} a second`}
          , <b>{count(plan.concurrentCalls)} at the same time</b>, {mediaOf(plan)}, done in {duration(plan.seconds)}.
        </Text>
        {workers.data && (
          <Stack gap={6}>
            <Mark tone={online.length > 0 ? 'good' : 'bad'}>
              {online.length > 0
                ? `${online.length} agent${online.length === 1 ? '' : 's'} online in ${draft.region}`
                : `No agent online in ${draft.region}`}
            </Mark>
            {online.length > 0 && (
              <Mark tone={fits ? 'good' : 'bad'}>
                {fits ? 'Room' : 'No room'}: {count(plan.atOnce)} of {count(room)} free endpoints at once
              </Mark>
            )}
            {registrar?.register && (
              <Mark tone={registrar.sipAccountCount >= draft.calls ? 'good' : 'bad'}>
                {registrar.sipAccountCount >= draft.calls ? 'SIP accounts' : 'Too few SIP accounts'}:{' '}
                {count(draft.calls)} of {count(registrar.sipAccountCount)}
              </Mark>
            )}
            {draft.durationSeconds > longest && (
              <Mark tone="bad">Longer than the agents&apos; policies allow ({duration(longest)})</Mark>
            )}
            {tooFast && <Mark tone="warn">Faster than the agents&apos; policies allow ({rate} calls/s each)</Mark>}
          </Stack>
        )}
        <Text size="sm" c="dimmed">
          It is ended after {duration(plan.atMostSeconds)}, whatever happens.
        </Text>
      </Stack>
    </Card>
  );
}
