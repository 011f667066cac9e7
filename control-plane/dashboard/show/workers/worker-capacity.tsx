/** A worker's capacity, its limits, and how to raise them. Administrators set the worker's limit here. */
import { Button, Group, NumberInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf, useChange } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { count } from '../basics/figures.ts';
import { Failed } from '../basics/page.tsx';
import { LIMITS } from './worker-words.ts';

type Worker = Output<'listWorkers'>;

const MAX_CAPACITY = 100_000;

export function WorkerCapacity({ worker }: { worker: Worker }) {
  const may = useMay();
  const { capacity, leftToProbes, capacityLimits, ownership } = worker;
  return (
    <>
      {count(capacity)} endpoints{leftToProbes > 0 && `, ${count(leftToProbes)} of them reserved for probes`}
      {capacityLimits.map(({ limit, endpoints, cure }) => (
        <Text key={limit} size="sm" c="dimmed">
          {LIMITS[limit]}: {count(endpoints)}
          {endpoints === capacity && limit !== 'CONFIGURED' && ` (${cure})`}
        </Text>
      ))}
      {may('ADMIN') && ownership === 'USER_OWNED' && <Change worker={worker} />}
    </>
  );
}

function Change({ worker: { id, capacityLimits } }: { worker: Worker }) {
  const configured = capacityLimits.find(({ limit }) => limit === 'CONFIGURED')?.endpoints ?? 1;
  const [typed, setTyped] = useState<number | string>(configured);
  const change = useChange('updateWorker');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ workerId: id, capacity: Number(typed) });
  };
  const fault = faultOf(change.error, 'capacity');
  return (
    <form onSubmit={onSubmit}>
      <Group gap="xs" align="flex-end" mt={8} wrap="nowrap">
        <NumberInput
          label="Set it to"
          w={110}
          required
          withAsterisk={false}
          min={1}
          max={MAX_CAPACITY}
          allowDecimal={false}
          value={typed}
          onChange={setTyped}
          error={fault}
        />
        <Button type="submit" variant="default" loading={change.isPending} disabled={Number(typed) === configured}>
          Change
        </Button>
      </Group>
      {change.error && fault === undefined && <Failed error={change.error} />}
    </form>
  );
}
