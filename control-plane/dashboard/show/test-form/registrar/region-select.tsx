/** The choice of a region that workers have, or that was chosen before. */
import { Select } from '@mantine/core';
import { useCall } from '../../../api.ts';

export function RegionSelect({ value, onChange }: { value: string; onChange: (region: string) => void }) {
  const workers = useCall('listWorkers', { per_page: 100 });
  const regions = [...new Set([value, ...(workers.data?.rows ?? []).map((w) => w.region)])].sort();
  return (
    <Select
      label="Region"
      data={regions}
      value={value}
      allowDeselect={false}
      onChange={(region) => onChange(region ?? value)}
    />
  );
}
