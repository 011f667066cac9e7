/** Operations of passkeys: log-in without a session, and the keys and the identity of the user who has one. */
import * as z from 'zod';
import { Deleted, Id, Page, Timestamp } from '../../contract/envelope.ts';
import { Name, Text } from '../../contract/fields.ts';
import { Me } from '../../contract/people/account.ts';
import type { OperationRow } from '../../contract/row.ts';

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

const anyone = { by: 'ANYONE', role: 'VIEWER', answers: 'single', status: 200, method: 'POST' } as const;
const people = { by: 'SESSION', role: 'VIEWER', answers: 'single', status: 200, method: 'POST' } as const;

export const ROWS = {
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
    ...people,
    method: 'DELETE',
    output: Deleted,
    proof: true,
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
} as const satisfies Record<string, OperationRow>;

type PasskeyRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends PasskeyRows {}
}
