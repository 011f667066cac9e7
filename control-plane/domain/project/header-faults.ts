/** Header fields of a group that would never be sent, or would be sent twice. Pure. */
import type { Group } from '../../contract/test-settings/test.ts';
import type { FileFault } from '../../contract/yaml-file.ts';
import { type RegistrarPlan, registers } from '../run/plan/plan.ts';

type Fields = Pick<Group, 'assertedIdentity' | 'privacy' | 'diversion' | 'headers' | 'actions'> & {
  readonly callee: { readonly mode: Group['callee']['mode'] };
};

/** Paths start within the group. `registrar` undefined: unknown. */
export function headerFaults(group: Fields, registrar: RegistrarPlan | undefined): FileFault[] {
  const { headers, callee, actions } = group;
  // Callees also make the call to the third party.
  const invites = callee.mode !== 'RECEIVE' || actions.some(({ action }) => action.do === 'ATTENDED_TRANSFER');
  return headers.flatMap(({ methods, name }, i) => {
    const fault = (key: string, message: string): FileFault => ({ path: ['headers', i, key], message });
    const field = methods.includes('INVITE') ? FIELDS[name.toLowerCase()] : undefined;
    return [
      ...(field !== undefined && isPresent(group[field])
        ? [fault('name', `is already sent for ${field}: use one of them`)]
        : []),
      ...(methods.includes('INVITE') && !invites
        ? [fault('methods', 'INVITE is sent by callers, and the group has none')]
        : []),
      ...(methods.includes('REGISTER') && registrar && !registers(registrar)
        ? [fault('methods', 'REGISTER is not sent: the group does not register')]
        : []),
    ];
  });
}

const FIELDS: { readonly [name: string]: 'assertedIdentity' | 'privacy' | 'diversion' } = {
  'p-asserted-identity': 'assertedIdentity',
  privacy: 'privacy',
  diversion: 'diversion',
};

const isPresent = (value: Fields['privacy'] | Fields['diversion'] | string): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null;
