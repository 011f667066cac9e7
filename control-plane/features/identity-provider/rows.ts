/** Operations of a log-in through the identity provider. */
import * as z from 'zod';
import { Deleted, Timestamp } from '../../contract/envelope.ts';
import { secret, Text } from '../../contract/fields.ts';
import { Code, Me } from '../../contract/people/account.ts';
import type { OperationRow } from '../../contract/row.ts';

const Begun = z.object({
  url: z.string().describe('page of the provider, where the person logs in'),
  secret: z.string().describe('for the answer, which must come from the same browser within ten minutes'),
});
const Answer = {
  secret: secret(Text.max(100)),
  parameters: secret(Text.max(8000).describe('callback parameters: code=…&state=…')),
  code: Code.optional(),
};
const Identity = z.object({ email: z.string(), createdAt: Timestamp, lastUsedAt: Timestamp });

const anyone = { by: 'ANYONE', role: 'VIEWER', answers: 'single', status: 200, method: 'POST' } as const;
const people = { by: 'SESSION', role: 'VIEWER', answers: 'single', status: 200, method: 'POST' } as const;

export const ROWS = {
  beginSignIn: {
    ...anyone,
    path: '/entrance/provider',
    summary: 'Start a log-in at the identity provider',
    input: z.object({}),
    output: Begun,
  },
  signIn: {
    ...anyone,
    path: '/entrance/provider/answer',
    summary: "Log in with the identity provider's callback parameters",
    input: z.object(Answer),
    output: Me,
  },
  beginProviderProof: {
    ...people,
    path: '/me/proof/provider',
    summary: 'Start the confirmation of my identity at the identity provider',
    input: z.object({}),
    output: Begun,
  },
  proveMeByProvider: {
    ...people,
    path: '/me/proof/provider/answer',
    summary: "Confirm my identity with the identity provider's callback parameters",
    input: z.object(Answer),
    output: Me,
  },
  getIdentity: {
    ...people,
    method: 'GET',
    path: '/me/identity',
    summary: 'My identity at the identity provider',
    input: z.object({}),
    output: z.object({ identity: Identity.nullable() }),
  },
  beginConnecting: {
    ...people,
    proof: true,
    path: '/me/identity',
    summary: 'Start to connect my account with the identity provider',
    input: z.object({}),
    output: Begun,
  },
  connectIdentity: {
    ...people,
    proof: true,
    path: '/me/identity/answer',
    summary:
      'Connect my account with the identity returned by the identity provider; the verified e-mail addresses must be equal',
    input: z.object(Answer),
    output: Me,
  },
  disconnectIdentity: {
    ...people,
    method: 'DELETE',
    output: Deleted,
    proof: true,
    path: '/me/identity',
    summary: 'Disconnect my account from the identity provider',
    input: z.object({}),
  },
} as const satisfies Record<string, OperationRow>;

type ProviderRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends ProviderRows {}
}
