/** The number of endpoints that place no calls, and their duration. */
import { Select } from '@mantine/core';
import { POPULATION_KINDS } from '../../../../contract/form-fields.ts';
import { faultOf } from '../../../api.ts';
import { Field } from '../../basics/field.tsx';
import { Fields } from '../../basics/fields.tsx';
import type { Form } from '../../basics/form.ts';
import type { Draft } from '../drafts/test-draft.ts';

const AT = 'groups[0].subPopulations[0]';
const EACH = [
  { value: 'ONE', label: 'one call' },
  { value: 'ALL', label: 'any number of calls' },
];

export function PopulationFields({ form }: { readonly form: Form<Draft> }) {
  const { does, callsEach } = form.values;
  const receives = does === 'RECEIVE';
  const asks = does === 'OPTIONS';
  return (
    <Fields
      form={form}
      rows={[
        <Field
          key="endpoints"
          form={{ ...form, kinds: POPULATION_KINDS, at: AT }}
          row={{
            key: 'endpoints',
            label: 'Endpoints',
            hint: receives
              ? 'The number of calls that can be in progress at once.'
              : asks
                ? 'Each endpoint sends one OPTIONS.'
                : 'Each endpoint uses one SIP account.',
          }}
        />,
        receives && (
          <Select
            key="each"
            label="Each takes"
            description="One after another; a busy endpoint answers 486."
            data={callsEach === 1 || callsEach === null ? EACH : [...EACH, someOf(callsEach)]}
            value={callsEach === 1 ? 'ONE' : callsEach === null ? 'ALL' : 'SOME'}
            allowDeselect={false}
            onChange={(each) => each !== 'SOME' && form.set({ callsEach: each === 'ONE' ? 1 : null })}
            error={faultOf(form.error, `${AT}.calls`)}
          />
        ),
        {
          key: 'buildup',
          label: 'Spread over, seconds',
          hint: asks ? 'From the first request to the last.' : 'From the first registration to the last.',
        },
        !asks && {
          key: 'durationSeconds',
          label: receives ? 'Calls are taken for, seconds' : 'Registered for, seconds',
          hint: receives ? 'Counted from the end of the spread.' : 'Then each endpoint removes its registration.',
        },
      ]}
    />
  );
}

const someOf = (calls: number) => ({ value: 'SOME', label: `${calls} calls` });
