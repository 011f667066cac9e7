/** How endpoints speak TLS with a registrar. The private key is accepted and never returned. */
import * as z from 'zod';
import { secret, Text } from '../fields.ts';

const VERIFY = ['SYSTEM', 'CUSTOM', 'SKIP'] as const;

const Verify = z
  .enum(VERIFY)
  .describe(
    'SYSTEM: the certificate of the server must be of an authority that the agent’s host trusts; CUSTOM: of one in `ca`; SKIP: any. ' +
      'SYSTEM and CUSTOM also require that it is valid for the domain of the URI (RFC 5922).',
  );
const Pem = Text.max(100_000).regex(
  /^-----BEGIN [A-Z0-9 ]+-----\r?\n[\s\S]*-----END [A-Z0-9 ]+-----\s*$/,
  'is not PEM',
);

export const Tls = z
  .strictObject({
    verify: Verify,
    ca: Pem.nullable().default(null).describe('authorities, PEM; with CUSTOM'),
    certificate: Pem.nullable().default(null).describe('client certificate for servers that request one, PEM'),
    key: secret(Pem)
      .optional()
      .describe('private key of the certificate, PEM; never returned. If omitted in a change, the key is unchanged'),
  })
  .describe('null: SYSTEM, without a certificate');

export const TlsAnswer = z.object({
  verify: Verify,
  ca: z.string().nullable(),
  certificate: z.string().nullable(),
  hasKey: z.boolean().describe('there is a private key, which is never returned'),
});

export type Tls = z.output<typeof Tls>;
