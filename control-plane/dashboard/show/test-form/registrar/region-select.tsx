/** The choice of a region that workers have, or that was chosen before. */
import { Select } from '@mantine/core';
import { useCall } from '../../../api.ts';

type Props = {
  readonly value: string;
  /** Regions that are chosen elsewhere. */
  readonly taken?: readonly string[];
  readonly onChange: (region: string) => void;
};

export function RegionSelect({ value, taken = [], onChange }: Props) {
  const regions = useRegions();
  const data = [...new Set([value, ...regions])].filter((region) => region === value || !taken.includes(region));
  return (
    <Select
      label="Region"
      data={data.sort()}
      value={value}
      allowDeselect={false}
      onChange={(region) => onChange(region ?? value)}
    />
  );
}

/** The regions that workers have. */
export const useRegions = (): readonly string[] =>
  useCall('listRegions', { per_page: 100 }).data?.rows.map(({ region }) => region) ?? [];
