/** Operations of password resets. Nobody who needs them can log in. */
import * as z from 'zod';
import { Email, NewPassword, Token } from '../../contract/people/account.ts';
import type { OperationRow } from '../../contract/row.ts';

const anyone = { by: 'ANYONE', role: 'VIEWER', answers: 'single', status: 200, method: 'POST' } as const;

export const ROWS = {
  requestPassword: {
    ...anyone,
    path: '/entrance/password-link',
    summary:
      'Request a mail with a link that sets a new password; the answer is the same whether or not the account exists',
    input: z.object({ email: Email }),
    output: z.object({ sent: z.literal(true) }),
  },
  setNewPassword: {
    ...anyone,
    path: '/entrance/password',
    summary: 'Set a new password with a link from mail or from the operator; ends all sessions of the account',
    input: z.object({ token: Token, password: NewPassword }),
    output: z.object({ email: z.string() }),
  },
} as const satisfies Record<string, OperationRow>;

type PasswordRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends PasswordRows {}
}
