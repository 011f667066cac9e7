/** The number of endpoints that place no calls, and their duration. */
import { Fieldset, Select, SimpleGrid } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import type { Draft } from '../drafts/test-draft.ts';
import { Whole } from './whole.tsx';

const MAX_ENDPOINTS = 100_000;
const MAX_SECONDS = 86_400;
const EACH = [
  { value: 'ONE', label: 'one call' },
  { value: 'ALL', label: 'any number of calls' },
];

type Props = {
  readonly draft: Draft;
  readonly error: Error | null;
  readonly onChange: (change: Partial<Draft>) => void;
};

export function PopulationFields({ draft, error, onChange }: Props) {
  const receives = draft.does === 'RECEIVE';
  const asks = draft.does === 'OPTIONS';
  const at = 'groups[0].subPopulations[0]';
  return (
    <Fieldset legend="Endpoints">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Whole
          label="Endpoints"
          description={
            receives
              ? 'The number of calls that can be in progress at once.'
              : asks
                ? 'Each endpoint sends one OPTIONS.'
                : 'Each endpoint uses one SIP account.'
          }
          value={draft.endpoints}
          min={1}
          max={MAX_ENDPOINTS}
          onChange={(endpoints) => onChange({ endpoints })}
          error={faultOf(error, `${at}.endpoints`)}
        />
        {receives && (
          <Select
            label="Each takes"
            description="One after another; a busy endpoint answers 486."
            data={draft.callsEach === 1 || draft.callsEach === null ? EACH : [...EACH, someOf(draft.callsEach)]}
            value={draft.callsEach === 1 ? 'ONE' : draft.callsEach === null ? 'ALL' : 'SOME'}
            allowDeselect={false}
            onChange={(each) => each !== 'SOME' && onChange({ callsEach: each === 'ONE' ? 1 : null })}
            error={faultOf(error, `${at}.calls`)}
          />
        )}
        <Whole
          label="Spread over, seconds"
          description={asks ? 'From the first request to the last.' : 'From the first registration to the last.'}
          value={draft.buildup}
          min={0}
          max={MAX_SECONDS}
          onChange={(buildup) => onChange({ buildup })}
          error={faultOf(error, 'buildup')}
        />
        {!asks && (
          <Whole
            label={receives ? 'Calls are taken for, seconds' : 'Registered for, seconds'}
            description={
              receives ? 'Counted from the end of the spread.' : 'Then each endpoint removes its registration.'
            }
            value={draft.durationSeconds}
            min={1}
            max={MAX_SECONDS}
            onChange={(durationSeconds) => onChange({ durationSeconds })}
            error={faultOf(error, 'durationSeconds')}
          />
        )}
      </SimpleGrid>
    </Fieldset>
  );
}

const someOf = (calls: number) => ({ value: 'SOME', label: `${calls} calls` });
