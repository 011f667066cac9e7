/** The choice of a canary, in the dialog that starts a run. */
import { Select } from '@mantine/core';
import { faultOf, useCall } from '../../../dashboard/api.ts';
import type { StartFieldProps } from '../../../dashboard/feature.ts';

export function CanarySelect({ projectId, body, error, onChange }: StartFieldProps) {
  const probes = useCall('listProbes', { projectId, per_page: 100 });
  const rows = probes.data?.rows ?? [];
  if (rows.length === 0) return null;
  const choose = (probeId: string | null) => {
    const { canary: _, ...others } = body;
    onChange(probeId === null ? others : { ...others, canary: { probeId } });
  };
  return (
    <Select
      label="Canary"
      description="A probe that is executed three times before the load and again while it is on: what other callers get meanwhile."
      placeholder="none"
      clearable
      searchable
      data={rows.map((p) => ({ value: p.id, label: p.name }))}
      value={body.canary?.probeId ?? null}
      onChange={choose}
      error={faultOf(error, 'canary.probeId')}
    />
  );
}
