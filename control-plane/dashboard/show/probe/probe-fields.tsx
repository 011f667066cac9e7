/** The fields of a probe beyond its target and its limits: when it runs, whom it alarms, and the settings of its call. */
import { Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { Field } from '../basics/field.tsx';
import { Fields } from '../basics/fields.tsx';
import type { Form } from '../basics/form.ts';
import { FoldedSection } from '../basics/form-sections.tsx';
import { CallerFields } from '../test-form/fields/caller-fields.tsx';
import { HeaderFields } from '../test-form/fields/header-fields.tsx';
import { IceFields } from '../test-form/fields/ice-fields.tsx';
import { AnswerTimeoutField } from '../test-form/fields/limit-fields.tsx';
import { hasRegistration, RequestFields } from '../test-form/fields/request-fields.tsx';
import { doingOfProbe, type ProbeDraft } from './probe-draft.ts';
import {
  alertSummary,
  hoursSummary,
  probeCallerSummary,
  probeLimitsSummary,
  probeMediaSummary,
  probeSignallingSummary,
} from './probe-summaries.ts';

const INTERVALS = [
  { value: '300', label: 'Every 5 minutes' },
  { value: '900', label: 'Every 15 minutes' },
  { value: '1800', label: 'Every 30 minutes' },
  { value: '3600', label: 'Every hour' },
  { value: 'CRON', label: 'Cron expression' },
];

const TIME_ZONE = { key: 'timezone', label: 'Time zone', hint: 'An IANA name such as Europe/Paris' } as const;

export const ScheduleFields = ({ form }: { readonly form: Form<ProbeDraft> }) => (
  <Fields
    form={form}
    cols={{ base: 1, sm: 2, lg: 3 }}
    rows={[
      <Select
        key="every"
        label="Interval"
        data={INTERVALS}
        value={form.values.every}
        allowDeselect={false}
        onChange={(every) => form.set({ every: every as ProbeDraft['every'] })}
      />,
      ...(form.values.every === 'CRON'
        ? [
            {
              key: 'cronExpression' as const,
              label: 'Cron expression',
              hint: 'minute hour day month weekday',
              required: true,
            },
            TIME_ZONE,
          ]
        : []),
    ]}
  />
);

/** Only a time of day and a cron expression, which has it beside it, are of a time zone. */
const HourFields = ({ form }: { readonly form: Form<ProbeDraft> }) => {
  const { every, timeOfDayStartUtc, timeOfDayEndUtc } = form.values;
  return (
    <Stack gap="sm">
      <Fields
        form={form}
        cols={{ base: 1, sm: 2, lg: 3 }}
        rows={[
          { key: 'timeOfDayStartUtc', label: 'Run only from (time of day)', hint: 'Empty: all day', isTime: true },
          {
            key: 'timeOfDayEndUtc',
            label: 'Run only until',
            hint: 'If this is earlier than the start, the window ends the next day',
            isTime: true,
          },
          every !== 'CRON' && Boolean(timeOfDayStartUtc || timeOfDayEndUtc) && TIME_ZONE,
        ]}
      />
      <Text size="xs" c="dimmed">
        Times of day are in the time zone of the probe and follow daylight saving time.
      </Text>
    </Stack>
  );
};

type Props = {
  readonly form: Form<ProbeDraft>;
  /** The form of its call. */
  readonly test: Form<ProbeDraft['test']>;
  readonly error: Error | null;
  /** Whether its server wants registrations, and speaks over a WebSocket. */
  readonly server: { readonly registers: boolean; readonly isWebSocket: boolean };
};

export function FoldedFields({ form, test, error, server }: Props) {
  const draft = form.values;
  const { calls, asks, registers } = doingOfProbe(draft);
  const { ice, rtcpMux } = draft.test;
  const registration = registers && hasRegistration(server.registers, draft.test);
  const signalling = probeSignallingSummary(draft, registration);
  return (
    <>
      <FoldedSection title="Hours" summary={hoursSummary(draft)} error={error}>
        <HourFields form={form} />
      </FoldedSection>
      <FoldedSection title="Alerting" summary={alertSummary(draft)} error={error}>
        <Fields
          form={form}
          cols={{ base: 1, sm: 2, lg: 3 }}
          rows={[
            {
              key: 'alertStrikeRuns',
              label: 'Open an incident after',
              hint: 'failed executions in a row',
              required: false,
            },
            { key: 'escalateAfterMinutes', label: 'Escalate after', hint: 'minutes', required: false },
            { key: 'autoPauseAfterHours', label: 'Pause the probe after', hint: 'hours', placeholder: 'never' },
          ]}
        />
      </FoldedSection>
      {calls && (
        <FoldedSection title="Media" summary={probeMediaSummary(draft)} error={error}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <IceFields form={test} />
            {(rtcpMux || ice === 'NONE') && (
              <Field
                form={test}
                row={{ key: 'rtcpMux', label: 'RTP and RTCP on one port', hint: 'Offered and accepted (RFC 5761).' }}
              />
            )}
          </SimpleGrid>
        </FoldedSection>
      )}
      <FoldedSection
        title={draft.mode === 'REGISTER' ? 'Account' : 'Caller'}
        summary={probeCallerSummary(draft)}
        error={error}
      >
        <Stack>
          {(calls || asks) && <CallerFields form={test} isCalling={calls} />}
          {!asks && <HeaderFields form={test} />}
        </Stack>
      </FoldedSection>
      {(signalling !== '' || server.isWebSocket) && (
        <FoldedSection title="Signalling" summary={signalling} error={error}>
          <RequestFields form={test} has={{ registration, timer: calls, engine: server.isWebSocket }} />
        </FoldedSection>
      )}
      {calls && (
        <FoldedSection title="Limits" summary={probeLimitsSummary(draft)} error={error}>
          <AnswerTimeoutField form={test} />
        </FoldedSection>
      )}
    </>
  );
}
