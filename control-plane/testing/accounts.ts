/** SIP accounts as planning receives them. */
import { Secret } from '@carillon/proto/base/secret.ts';
import type { AccountNames } from '../domain/run/group/accounts.ts';

export const accountNamed = (username: string, more: Partial<AccountNames> = {}) => ({
  id: username,
  username,
  authName: null,
  displayName: null,
  number: null,
  values: {},
  password: new Secret('p'),
  ha1: null,
  hasSecret: true,
  ...more,
});
