/** Several regions that share the endpoints of a test, each with its weight. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import { NumericField } from '../../basics/field.tsx';
import type { Form } from '../../basics/form.ts';
import { RemoveButton } from '../../basics/remove-button.tsx';
import { type Draft, inRegions } from '../drafts/test-draft.ts';
import { RegionSelect, useRegions } from '../registrar/region-select.tsx';

type Props = { readonly form: Form<Draft>; readonly regions: Readonly<Record<string, number>> };

export function RegionFields({ form: { values: draft, error, set }, regions }: Props) {
  const rows = Object.entries(regions);
  const taken = Object.keys(regions);
  const free = useRegions().find((region) => !taken.includes(region));
  const put = (next: readonly (readonly [string, number])[]) => set(inRegions(Object.fromEntries(next), draft));
  const change = (i: number, to: readonly [string, number]) => put(rows.map((row, j) => (j === i ? to : row)));
  const fault = faultOf(error, 'groups[0].placement.regions');
  return (
    <Stack gap="sm">
      {rows.map(([region, weight], i) => (
        <Group key={region} align="flex-start" gap="sm" wrap="nowrap">
          <RegionSelect value={region} taken={taken} onChange={(next) => change(i, [next, weight])} />
          <NumericField
            label="Weight"
            flex="0 1 110px"
            of={{ isWhole: true, min: 1, max: 1000 }}
            value={weight}
            onChange={(next) => change(i, [region, next])}
          />
          <RemoveButton
            name={`Remove region ${region}`}
            isBesideFields
            disabled={rows.length === 1}
            onClick={() => put(rows.filter((_, j) => j !== i))}
          />
        </Group>
      ))}
      {fault && (
        <Text size="sm" c="red">
          {fault}
        </Text>
      )}
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          disabled={free === undefined}
          onClick={() => free && put([...rows, [free, 1]])}
        >
          Add a region
        </Button>
        <Text size="sm" c="dimmed">
          Each has its share of the endpoints by its weight. Servers are checked from {draft.region}.
        </Text>
      </Group>
    </Stack>
  );
}
