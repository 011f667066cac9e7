/** What ends a run early: the circuit breaker, and the longest duration. */
import { Fieldset, Stack } from '@mantine/core';
import { Fields, Part } from '../../basics/fields.tsx';
import type { Form } from '../../basics/form.ts';
import { type Draft, FIRST_BREAKER } from '../drafts/test-draft.ts';

export const LimitFields = ({ form }: { readonly form: Form<Pick<Draft, 'breaker' | 'maxExecutionSeconds'>> }) => (
  <Fieldset legend="Limits">
    <Stack>
      <Part
        form={form}
        row={{
          key: 'breaker',
          label: 'Circuit breaker',
          hint: 'Stops starting calls when too many of the last ten seconds fail, or when all are blocked as fraud. Without it, the target may be overloaded.',
        }}
        first={FIRST_BREAKER}
        rows={[
          {
            key: 'failurePercent',
            label: 'Failures, %',
            hint: 'Of the calls that ended in the last ten seconds.',
          },
          { key: 'minCalls', label: 'After at least, calls', hint: 'Ended calls before the breaker decides.' },
        ]}
      />
      <Fields
        form={form}
        rows={[
          {
            key: 'maxExecutionSeconds',
            label: 'Maximum run time, seconds',
            hint: 'The run is ended then, whatever happens.',
            placeholder: 'as long as its calls may take',
          },
        ]}
      />
    </Stack>
  </Fieldset>
);
