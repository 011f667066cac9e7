/** What ends a call or a run early: nobody answers, too many calls fail, it lasts too long. */
import { Stack } from '@mantine/core';
import { Fields, Part } from '../../basics/fields.tsx';
import type { Form } from '../../basics/form.ts';
import { type DraftRequests, same } from '../drafts/group-draft.ts';
import { type Draft, FIRST_BREAKER } from '../drafts/test-draft.ts';

export const AnswerTimeoutField = ({ form }: { readonly form: Form<Pick<DraftRequests, 'answerTimeoutSeconds'>> }) => (
  <Fields
    form={form}
    rows={[
      {
        key: 'answerTimeoutSeconds',
        label: 'Answer timeout, seconds',
        hint: 'A call that has not been answered by then is cancelled.',
      },
    ]}
  />
);

type Props = {
  readonly form: Form<Pick<Draft, 'does' | 'breaker' | 'abortOn' | 'maxExecutionSeconds'>>;
  readonly group: Form<DraftRequests>;
};

export const LimitFields = ({ form, group }: Props) => {
  const { does, breaker } = form.values;
  return (
    <Stack>
      {does === 'CALL' && <AnswerTimeoutField form={group} />}
      {(does !== 'RECEIVE' || !same(breaker, FIRST_BREAKER)) && (
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
      )}
      <Fields
        form={form}
        rows={[
          {
            key: 'abortOn',
            label: 'End the run when',
            hint: 'One or more rules with commas between them: successShare<90 for 30s, callSetup>2000 for 10s (p95, ms).',
            placeholder: 'no rule ends it',
          },
          {
            key: 'maxExecutionSeconds',
            label: 'Maximum run time, seconds',
            hint: 'A run that lasts longer is ended.',
            placeholder: 'as long as its calls may take',
          },
        ]}
      />
    </Stack>
  );
};
