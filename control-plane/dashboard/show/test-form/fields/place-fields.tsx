/** Which agents carry a test, and with which SIP accounts. */
import { MultiSelect, Select, SimpleGrid } from '@mantine/core';
import { useRef, useState } from 'react';
import { faultOf, useCall } from '../../../api.ts';
import { useParams } from '../../../router.tsx';
import type { Form } from '../../basics/form.ts';
import { callsOwn, type Draft, inRegions } from '../drafts/test-draft.ts';
import { RegionSelect } from '../registrar/region-select.tsx';
import { RegionFields } from './region-fields.tsx';

const PLACES = [
  { value: 'REGION', label: 'Any agent of a region' },
  { value: 'REGIONS', label: 'Agents of several regions' },
  { value: 'WORKERS', label: 'Chosen agents' },
];

/** What the draft has of them when it is chosen. */
const FIRST_PLACES: Readonly<Record<string, (draft: Draft) => Partial<Draft>>> = {
  REGION: () => ({ workerIds: null, regions: null }),
  REGIONS: (draft) => ({ workerIds: null, ...inRegions({ [draft.region]: 1 }, draft) }),
  WORKERS: () => ({ workerIds: [], regions: null }),
};

export function PlaceFields({ form }: { readonly form: Form<Draft> }) {
  const { values: draft, error, set: onChange } = form;
  const { workerIds, regions } = draft;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Runs on"
        data={PLACES}
        value={workerIds !== null ? 'WORKERS' : regions !== null ? 'REGIONS' : 'REGION'}
        allowDeselect={false}
        onChange={(mode) => onChange(FIRST_PLACES[mode ?? '']?.(draft) ?? {})}
      />
      {regions !== null ? (
        <RegionFields form={form} regions={regions} />
      ) : workerIds === null ? (
        <RegionSelect value={draft.region} onChange={(region) => onChange({ region })} />
      ) : (
        <WorkerSelect
          value={workerIds}
          error={faultOf(error, 'groups[0].placement.workerIds')}
          onChange={(next) => onChange({ workerIds: next })}
        />
      )}
      {!callsOwn(draft) && (
        <AccountSelect
          registrarId={draft.registrarId}
          value={draft.sipAccountIds}
          error={error}
          onChange={(sipAccountIds) => onChange({ sipAccountIds })}
        />
      )}
    </SimpleGrid>
  );
}

type WorkerProps = {
  readonly value: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (ids: string[]) => void;
};

function WorkerSelect({ value, error, onChange }: WorkerProps) {
  const [search, setSearch] = useState('');
  const workers = useCall('listWorkers', { per_page: 100, ...(search !== '' && { search }) });
  const seen = useRef(new Map<string, string>());
  for (const { id, name } of workers.data?.rows ?? []) seen.current.set(id, name);
  return (
    <MultiSelect
      label="Agents"
      searchable
      onSearchChange={setSearch}
      data={withUnknown(
        value,
        [...seen.current].map(([id, name]) => ({ value: id, label: name })),
      )}
      value={[...value]}
      onChange={onChange}
      error={error}
    />
  );
}

type AccountProps = {
  readonly registrarId: string;
  readonly value: readonly string[] | null;
  readonly error: Error | null;
  readonly onChange: (ids: readonly string[] | null) => void;
};

function AccountSelect({ registrarId, value, error, onChange }: AccountProps) {
  const { projectId } = useParams() as { projectId: string };
  const accounts = useCall(
    'listSipAccounts',
    { projectId, registrarId, per_page: 100 },
    { enabled: registrarId !== '' },
  );
  const known = (accounts.data?.rows ?? []).map((a) => ({ value: a.id, label: a.username }));
  if (known.length === 0 && value === null) return null;
  const at = 'groups[0].subPopulations[0].sipAccountIds';
  const faults = (value ?? []).flatMap((_, i) => faultOf(error, `${at}[${i}]`) ?? []);
  return (
    <MultiSelect
      label="SIP accounts"
      placeholder={value === null ? 'the next free ones of the registrar' : ''}
      searchable
      clearable
      data={withUnknown(value ?? [], known)}
      value={[...(value ?? [])]}
      onChange={(ids) => onChange(ids.length === 0 ? null : ids)}
      error={faultOf(error, at) ?? faults[0]}
    />
  );
}

type Choice = { readonly value: string; readonly label: string };

/** A chosen item stays chosen, even if it is not among the first hundred of a list. */
const withUnknown = (chosen: readonly string[], known: readonly Choice[]): Choice[] => [
  ...known,
  ...chosen.filter((id) => !known.some(({ value }) => value === id)).map((id) => ({ value: id, label: id })),
];
