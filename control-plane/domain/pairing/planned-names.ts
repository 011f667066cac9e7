/** The names by which servers may know a planned endpoint, used to find both ends of its calls. Pure. */
import { filled, placesOf } from '@carillon/proto/words/template.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
import { ownValue } from '../run/group/own-values.ts';
import { callerOf } from '../run/orders/order-caller.ts';
import type { PlannedEndpoint, PlannedInstance } from '../run/plan/plan.ts';

type Roles = readonly { readonly role: EndpointType; readonly registrar: { readonly isCloud: boolean } }[];

/** Agents that call each other pass on the call's name; without both roles there is no other end. */
export const mayBePaired = (instances: Roles): boolean =>
  instances.some(({ role }) => role === 'CALLER') &&
  instances.some(({ role }) => role === 'CALLEE') &&
  instances.some(({ registrar }) => !registrar.isCloud);

/** The user parts of its Contact, of its From and of its account. */
export function namesOf(instance: PlannedInstance, endpoint: PlannedEndpoint): string[] {
  const { user, account } = endpoint;
  const { callerNumber } = callerOf(instance);
  const values = Object.fromEntries(placesOf(callerNumber).map((name) => [name, ownValue(endpoint, name) ?? '']));
  const from = instance.role === 'CALLER' ? filled(callerNumber, values).split('@', 1)[0] : '';
  const all = [user, from, account?.number, account?.username];
  return [...new Set(all.flatMap((name) => name || []))];
}
