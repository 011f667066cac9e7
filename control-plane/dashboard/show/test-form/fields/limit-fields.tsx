/** What ends a run early: the circuit breaker, and the longest duration. */
import { Checkbox, Fieldset, SimpleGrid, Stack } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import { type Draft, FIRST_BREAKER } from '../drafts/test-draft.ts';
import { Decimal, MaybeWhole, Whole } from './whole.tsx';

const MAX_SECONDS = 86_400;
const MAX_CALLS = 100_000;

type Limits = Pick<Draft, 'breaker' | 'maxExecutionSeconds'>;
type Props = {
  readonly limits: Limits;
  readonly error: Error | null;
  readonly onChange: (change: Partial<Limits>) => void;
};

export function LimitFields({ limits: { breaker, maxExecutionSeconds }, error, onChange }: Props) {
  return (
    <Fieldset legend="Limits">
      <Stack>
        <Checkbox
          label="Circuit breaker"
          description="Stops starting calls when too many of the last ten seconds fail, or when all are blocked as fraud. Without it, the target may be overloaded."
          checked={breaker !== null}
          onChange={(e) => onChange({ breaker: e.target.checked ? FIRST_BREAKER : null })}
          error={faultOf(error, 'breaker')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {breaker && (
            <>
              <Decimal
                label="Failures, %"
                description="Of the calls that ended in the last ten seconds."
                value={breaker.failurePercent}
                min={1}
                max={100}
                onChange={(failurePercent) => onChange({ breaker: { ...breaker, failurePercent } })}
                error={faultOf(error, 'breaker.failurePercent')}
              />
              <Whole
                label="After at least, calls"
                description="Ended calls before the breaker decides."
                value={breaker.minCalls}
                min={1}
                max={MAX_CALLS}
                onChange={(minCalls) => onChange({ breaker: { ...breaker, minCalls } })}
                error={faultOf(error, 'breaker.minCalls')}
              />
            </>
          )}
          <MaybeWhole
            label="Maximum run time, seconds"
            description="The run is ended then, whatever happens."
            placeholder="as long as its calls may take"
            value={maxExecutionSeconds}
            min={1}
            max={MAX_SECONDS}
            onChange={(next) => onChange({ maxExecutionSeconds: next })}
            error={faultOf(error, 'maxExecutionSeconds')}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
