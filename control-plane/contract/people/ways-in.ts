/** Rows of the other ways to log in or to confirm an identity: passkeys, and the installation's identity provider. */
import * as z from 'zod';
import { Deleted, Id, Page, Timestamp } from '../envelope.ts';
import { Name, secret, Text } from '../fields.ts';
import type { OperationRow } from '../row.ts';
import { Code, Me } from './account.ts';

const Base64Url = Text.max(20_000).regex(/^[\w-]*$/, 'is not base64url');
/** The format is that of browsers (WebAuthn, PublicKeyCredential.toJSON); additional fields are ignored. */
const CredentialId = Text.min(1)
  .max(2000)
  .regex(/^[\w-]+$/, 'is not base64url');
const Credential = { id: CredentialId, rawId: CredentialId, type: z.literal('public-key') };
const Extensions = z.looseObject({}).default({});
const Registration = z.looseObject({
  ...Credential,
  response: z.looseObject({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(Text.max(20)).max(10).optional(),
  }),
  clientExtensionResults: Extensions,
});
const Assertion = z.looseObject({
  ...Credential,
  response: z.looseObject({ clientDataJSON: Base64Url, authenticatorData: Base64Url, signature: Base64Url }),
  clientExtensionResults: Extensions,
});
export type RegistrationOfPasskey = z.infer<typeof Registration>;
export type AssertionOfPasskey = z.infer<typeof Assertion>;

const Options = z.object({
  options: z.looseObject({}).describe('options for the authenticator; valid for five minutes'),
});

const Passkey = z
  .object({ id: Id, name: z.string(), createdAt: Timestamp, lastUsedAt: Timestamp.nullable() })
  .meta({ id: 'Passkey' });

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
const deleted = { ...people, method: 'DELETE', output: Deleted, proof: true } as const;

export const WAYS_IN = {
  beginPasskeyLogIn: {
    ...anyone,
    path: '/entrance/passkey/options',
    summary: 'Options for an authenticator, to log in with a passkey',
    input: z.object({}),
    output: Options,
  },
  logInByPasskey: {
    ...anyone,
    path: '/entrance/passkey',
    summary: 'Log in with a passkey, which replaces the password and a second factor',
    input: z.object({ answer: Assertion }),
    output: Me,
  },
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
    summary: "Sign in with the identity provider's callback parameters",
    input: z.object(Answer),
    output: Me,
  },
  listPasskeys: {
    ...people,
    method: 'GET',
    answers: 'list',
    path: '/me/passkeys',
    summary: 'My passkeys, oldest first',
    input: z.object(Page),
    output: Passkey,
  },
  beginPasskey: {
    ...people,
    proof: true,
    path: '/me/passkeys/options',
    summary: 'Options for an authenticator, to create a passkey',
    input: z.object({}),
    output: Options,
  },
  addPasskey: {
    ...people,
    proof: true,
    path: '/me/passkeys',
    summary: 'Add the passkey that the authenticator has created',
    status: 201,
    input: z.object({ name: Name, answer: Registration }),
    output: Passkey,
  },
  removePasskey: {
    ...deleted,
    path: '/me/passkeys/{passkeyId}',
    summary: 'Remove one of my passkeys',
    input: z.object({ passkeyId: z.string().describe('passkey id') }),
  },
  beginPasskeyProof: {
    ...people,
    path: '/me/proof/passkey/options',
    summary: 'Options for an authenticator, to confirm my identity',
    input: z.object({}),
    output: Options,
  },
  proveMeByPasskey: {
    ...people,
    path: '/me/proof/passkey',
    summary: 'Confirm my identity with a passkey',
    input: z.object({ answer: Assertion }),
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
    ...deleted,
    path: '/me/identity',
    summary: 'Disconnect my account from the identity provider',
    input: z.object({}),
  },
} as const satisfies Record<string, OperationRow>;
