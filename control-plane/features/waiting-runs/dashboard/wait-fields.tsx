/** Whether a run waits for its agents, in the dialog that starts it. */
import { Checkbox, SimpleGrid } from '@mantine/core';
import type { CallInput } from '../../../contract/call.ts';
import { faultOf } from '../../../dashboard/api.ts';
import type { StartFieldProps } from '../../../dashboard/feature.ts';
import { NumericField } from '../../../dashboard/show/basics/field.tsx';

type Wait = NonNullable<CallInput<'runTest'>['waitForAgents']>;

export function WaitFields({ body, error, onChange }: StartFieldProps) {
  const { waitForAgents: wait, ...others } = body;
  const put = (next: Wait) => onChange({ ...others, waitForAgents: next });
  return (
    <>
      <Checkbox
        label="Wait for agents"
        description="The run starts when they are online."
        checked={wait !== undefined}
        onChange={(e) => (e.target.checked ? put({ withinSeconds: 300 }) : onChange(others))}
      />
      {wait && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumericField
            label="Agents"
            description="Empty: as many as have room for all of it"
            of={{ isOptional: true, isWhole: true, min: 1, max: 10_000 }}
            required={false}
            value={wait.agents ?? null}
            error={faultOf(error, 'waitForAgents.agents')}
            onChange={(agents) => put({ withinSeconds: wait.withinSeconds, ...(agents !== null && { agents }) })}
          />
          <NumericField
            label="For at most"
            description="Seconds; then the run ends"
            of={{ isWhole: true, min: 1, max: 3600 }}
            value={wait.withinSeconds ?? 300}
            error={faultOf(error, 'waitForAgents.withinSeconds')}
            onChange={(withinSeconds) => put({ ...wait, withinSeconds })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
