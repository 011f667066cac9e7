/** Operations of the second factor: to set it up, to renew its recovery codes, to remove it. */
import * as z from 'zod';
import { Deleted } from '../../contract/envelope.ts';
import { Code } from '../../contract/people/account.ts';
import type { OperationRow } from '../../contract/row.ts';

const SecondFactorOffer = z.object({
  secret: z.string().describe('in base 32; shown once'),
  url: z.string().describe('content of the QR code for an authenticator: otpauth://totp/…'),
});
const RecoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).describe('each can be used once instead of a code; shown only now'),
});

const people = {
  by: 'SESSION',
  role: 'VIEWER',
  answers: 'single',
  status: 200,
  method: 'POST',
  proof: true,
} as const;

export const ROWS = {
  offerSecondFactor: {
    ...people,
    path: '/me/second-factor',
    summary: 'A new secret for my authenticator; it replaces the old one once its first code is confirmed',
    status: 201,
    input: z.object({}),
    output: SecondFactorOffer,
  },
  confirmSecondFactor: {
    ...people,
    path: '/me/second-factor/confirmation',
    summary: 'Confirm the first code of the authenticator: log-in then requires a code; ends my other sessions',
    input: z.object({ code: Code }),
    output: RecoveryCodes,
  },
  renewRecoveryCodes: {
    ...people,
    path: '/me/second-factor/recovery-codes',
    summary: 'Create new recovery codes; the old ones become invalid',
    status: 201,
    input: z.object({}),
    output: RecoveryCodes,
  },
  removeSecondFactor: {
    ...people,
    method: 'DELETE',
    output: Deleted,
    path: '/me/second-factor',
    summary: 'Remove my second factor',
    input: z.object({}),
  },
} as const satisfies Record<string, OperationRow>;

type SecondFactorRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends SecondFactorRows {}
}
