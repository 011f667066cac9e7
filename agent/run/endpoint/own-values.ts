/** What an endpoint has of its own, put where its group's texts have a place for it (proto/template.ts). Most groups have none: nothing is copied then. */
import { filled, hasPlaces } from '@carillon/proto/template.ts';
import type { OwnHeader } from '../../sip/engine.ts';
import type { ActionPlan, EndpointPlan, GroupPlan } from '../plan.ts';

type Values = EndpointPlan['values'];

export const ownGroup = (group: GroupPlan, values: Values): GroupPlan =>
  group.dtmf !== null && hasPlaces(group.dtmf.digits)
    ? { ...group, dtmf: { ...group.dtmf, digits: filled(group.dtmf.digits, values) } }
    : group;

export const ownActions = (actions: readonly ActionPlan[], values: Values): readonly ActionPlan[] =>
  actions.some(asksDigits) ? actions.map((action) => ownAction(action, values)) : actions;

const asksDigits = ({ step }: ActionPlan): boolean => step.do === 'SEND_DTMF' && hasPlaces(step.digits);

const ownAction = (action: ActionPlan, values: Values): ActionPlan =>
  action.step.do === 'SEND_DTMF'
    ? { ...action, step: { ...action.step, digits: filled(action.step.digits, values) } }
    : action;

export const ownHeaders = (headers: readonly OwnHeader[], values: Values): readonly OwnHeader[] =>
  headers.some(({ value }) => hasPlaces(value))
    ? headers.map((header) => ({ ...header, value: filled(header.value, values) }))
    : headers;
