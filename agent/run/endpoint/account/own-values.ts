/**
 * Inserts an endpoint's own values into its group's texts (proto/words/template.ts). Most groups have no placeholders; their
 * texts are not copied.
 */
import { filled, hasPlaces } from '@carillon/proto/words/template.ts';
import type { OwnHeader } from '../../../sip/engine.ts';
import { escapeUser } from '../../../sip/message/uri.ts';
import type { ActionPlan, EndpointPlan, GroupPlan, StepPlan } from '../../plan.ts';

type Values = EndpointPlan['values'];

export const ownGroup = (group: GroupPlan, values: Values): GroupPlan =>
  group.dtmf !== null && hasPlaces(group.dtmf.digits)
    ? { ...group, dtmf: { ...group.dtmf, digits: filled(group.dtmf.digits, values) } }
    : group;

export const ownActions = (actions: readonly ActionPlan[], values: Values): readonly ActionPlan[] =>
  actions.some(asksValues) ? actions.map(({ trigger, step }) => ({ trigger, step: ownStep(step, values) })) : actions;

const asksValues = ({ step }: ActionPlan): boolean =>
  ('digits' in step && hasPlaces(step.digits)) || ('target' in step && hasPlaces(step.target));

function ownStep(step: StepPlan, values: Values): StepPlan {
  if ('digits' in step) return { ...step, digits: filled(step.digits, values) };
  return 'target' in step ? { ...step, target: filled(step.target, inUri(values)) } : step;
}

/** Values are escaped so that they cannot lead to another host. */
const inUri = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeUser(value)]));

export const ownHeaders = (headers: readonly OwnHeader[], values: Values): readonly OwnHeader[] =>
  headers.some(({ value }) => hasPlaces(value))
    ? headers.map((header) => ({ ...header, value: filled(header.value, values) }))
    : headers;
