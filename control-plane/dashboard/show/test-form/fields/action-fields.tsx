/** Actions of endpoints in their calls. Each row has a trigger and the action that follows it. */
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { ACTIONS, MAX_ACTIONS, TRIGGERS } from '../../../../contract/test-settings/scenario-words.ts';
import { faultOf } from '../../../api.ts';
import { NumericField } from '../../basics/field.tsx';
import { RemoveButton } from '../../basics/remove-button.tsx';
import {
  type DraftAction,
  type DraftStep,
  type DraftTrigger,
  FIRST_ACTION,
  stepThat,
  triggerOn,
} from '../drafts/scenario-draft.ts';

const EVENTS: Readonly<Record<(typeof TRIGGERS)[number], string>> = {
  ANSWERED: 'the answer',
  HOLD: 'the far end holds',
  RESUME: 'the far end resumes',
  INFO: 'INFO arrives',
  DTMF: 'digits arrive',
  REFRESH: 'a session refresh',
};
const STEPS: Readonly<Record<(typeof ACTIONS)[number], string>> = {
  SEND_DTMF: 'Press digits',
  HOLD: 'Hold',
  RESUME: 'Resume',
  ACTIVATE_TRACK: 'Add a deferred track',
  REINVITE: 're-INVITE',
  UPDATE: 'UPDATE',
  REFER: 'Transfer (REFER)',
  ATTENDED_TRANSFER: 'Attended transfer',
  HANG_UP: 'Hang up',
};
const METHODS = [
  { value: 'RFC4733', label: 'in RTP (RFC 4733)' },
  { value: 'INFO', label: 'by INFO' },
];
const TRACKS = [
  { value: '0', label: 'audio' },
  { value: '1', label: 'video' },
];
const SECONDS = { min: 0, max: 86_400 };
const choices = <W extends string>(words: readonly W[], labels: Readonly<Record<W, string>>) =>
  words.map((value) => ({ value, label: labels[value] }));

type Props = {
  readonly actions: readonly DraftAction[];
  /** Index of the track that an action can add. */
  readonly deferred: number;
  readonly error: Error | null;
  /** The path in a request, as `groups[0].actions`. */
  readonly at: string;
  readonly onChange: (actions: readonly DraftAction[]) => void;
};

export function ActionFields({ actions, deferred, error, at, onChange }: Props) {
  const change = (i: number, part: Partial<DraftAction>) =>
    onChange(actions.map((one, n) => (n === i ? { ...one, ...part } : one)));
  return (
    <Stack gap="sm">
      {actions.map((action, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an action is nothing but its place
        <Stack key={i} gap="xs" className="limit-row">
          <Group align="flex-start" gap="sm">
            <TriggerFields
              number={i + 1}
              trigger={action.trigger}
              error={error}
              at={`${at}[${i}].trigger`}
              onChange={(trigger) => change(i, { trigger })}
            />
            <Select
              label="Action"
              aria-label={`Action ${i + 1}`}
              flex="2 1 190px"
              data={choices(ACTIONS, STEPS)}
              value={action.action.do}
              allowDeselect={false}
              onChange={(does) => change(i, { action: stepThat(does as DraftStep['do'], action.action, deferred) })}
              error={faultOf(error, `${at}[${i}].action.do`)}
            />
            <RemoveButton
              name={`Remove action ${i + 1}`}
              isBesideFields
              onClick={() => onChange(actions.filter((_, n) => n !== i))}
            />
          </Group>
          <StepFields
            number={i + 1}
            step={action.action}
            error={error}
            at={`${at}[${i}].action`}
            onChange={(step) => change(i, { action: step })}
          />
        </Stack>
      ))}
      {faultOf(error, at) && (
        <Text size="sm" c="red" className="refused">
          {faultOf(error, at)}
        </Text>
      )}
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          disabled={actions.length >= MAX_ACTIONS}
          onClick={() => onChange([...actions, FIRST_ACTION])}
        >
          Add an action
        </Button>
        {actions.length === 0 && (
          <Text size="sm" c="dimmed">
            Hold, digits, transfer: actions of an endpoint during a call.
          </Text>
        )}
      </Group>
    </Stack>
  );
}

type TriggerProps = {
  readonly number: number;
  readonly trigger: DraftTrigger;
  readonly error: Error | null;
  readonly at: string;
  readonly onChange: (trigger: DraftTrigger) => void;
};

const TriggerFields = ({ number, trigger, error, at, onChange }: TriggerProps) => (
  <>
    <NumericField
      label="Seconds"
      aria-label={`Action ${number}, seconds`}
      value={trigger.afterSeconds ?? 0}
      of={SECONDS}
      onChange={(afterSeconds) => onChange({ ...trigger, afterSeconds })}
      error={faultOf(error, `${at}.afterSeconds`)}
      flex="0 1 90px"
    />
    <Select
      label="After"
      aria-label={`Action ${number}, after`}
      flex="1 1 150px"
      data={choices(TRIGGERS, EVENTS)}
      value={trigger.on}
      allowDeselect={false}
      onChange={(on) => onChange(triggerOn(on as DraftTrigger['on'], trigger))}
      error={faultOf(error, `${at}.on`)}
    />
    {trigger.on === 'DTMF' && (
      <TextInput
        label="Digits"
        aria-label={`Action ${number}, digits received`}
        placeholder="any"
        flex="0 1 110px"
        value={trigger.digits ?? ''}
        onChange={({ target: { value } }) => {
          const { digits: _, ...rest } = trigger;
          onChange(value === '' ? rest : { ...rest, digits: value });
        }}
        error={faultOf(error, `${at}.digits`)}
      />
    )}
  </>
);

type StepProps = {
  readonly number: number;
  readonly step: DraftStep;
  readonly error: Error | null;
  readonly at: string;
  readonly onChange: (step: DraftStep) => void;
};

/** The values that an action needs. Most need none. */
function StepFields({ number, step, error, at, onChange }: StepProps) {
  if (step.do === 'SEND_DTMF')
    return (
      <Group align="flex-start" gap="sm">
        <TextInput
          label="Digits"
          aria-label={`Action ${number}, digits`}
          required
          flex="1 1 150px"
          value={step.digits}
          onChange={(e) => onChange({ ...step, digits: e.target.value })}
          error={faultOf(error, `${at}.digits`)}
        />
        <Select
          label="Sent"
          aria-label={`Action ${number}, sent`}
          flex="1 1 150px"
          data={METHODS}
          value={step.by ?? 'RFC4733'}
          allowDeselect={false}
          onChange={(by) => onChange({ ...step, by: by as 'RFC4733' | 'INFO' })}
          error={faultOf(error, `${at}.by`)}
        />
      </Group>
    );
  if (step.do === 'ACTIVATE_TRACK')
    return (
      <Select
        label="Track"
        aria-label={`Action ${number}, track`}
        maw={200}
        data={TRACKS}
        value={String(step.track)}
        allowDeselect={false}
        onChange={(track) => onChange({ ...step, track: Number(track) })}
        error={faultOf(error, `${at}.track`)}
      />
    );
  if (step.do === 'REFER' || step.do === 'ATTENDED_TRANSFER')
    return (
      <TextInput
        label="To"
        aria-label={`Action ${number}, to`}
        placeholder="sip:9000@pbx.example"
        required
        value={step.target}
        onChange={(e) => onChange({ ...step, target: e.target.value })}
        error={faultOf(error, `${at}.target`)}
      />
    );
  return null;
}
