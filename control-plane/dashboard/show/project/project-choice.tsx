/** The accessible projects of a member: all, or selected ones. */
import { Checkbox, MultiSelect, Stack } from '@mantine/core';
import { useCall } from '../../api.ts';

type Props = { readonly value: string[] | null; readonly onChange: (ids: string[] | null) => void };

export function ProjectChoice({ value, onChange }: Props) {
  const projects = useCall('listProjects', { per_page: 100 });
  return (
    <Stack gap="xs">
      <Checkbox
        label="All projects, including future ones"
        checked={value === null}
        onChange={(e) => onChange(e.target.checked ? null : [])}
      />
      {value !== null && (
        <MultiSelect
          label="Projects"
          data={(projects.data?.rows ?? []).map((p) => ({ value: p.id, label: p.name }))}
          value={value}
          onChange={onChange}
        />
      )}
    </Stack>
  );
}
