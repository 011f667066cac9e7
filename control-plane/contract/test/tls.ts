/** How endpoints speak TLS with a registrar. The private key is taken and never told. */
import * as z from 'zod';
import { secret, Text } from '../fields.ts';

const VERIFY = ['SYSTEM', 'CUSTOM', 'SKIP'] as const;

const Verify = z
  .enum(VERIFY)
  .describe(
    'SYSTEM: the server must show a certificate of an authority that the agent’s host trusts; CUSTOM: of one in `ca`; SKIP: any. ' +
      'SYSTEM and CUSTOM also want it to be for the domain of the URI (RFC 5922).',
  );
const Pem = Text.max(100_000).regex(/^-----BEGIN [A-Z0-9 ]+-----\r?\n[\s\S]*-----END [A-Z0-9 ]+-----\s*$/, 'is no PEM');

export const Tls = z
  .strictObject({
    verify: Verify,
    ca: Pem.nullable().default(null).describe('authorities, PEM; with CUSTOM'),
    certificate: Pem.nullable().default(null).describe('shown to servers that ask for one, PEM'),
    key: secret(Pem)
      .optional()
      .describe('private key of the certificate, PEM; never told. Absent in a change: the one before stays'),
  })
  .describe('null: SYSTEM, without a certificate');

export const ToldTls = z.object({
  verify: Verify,
  ca: z.string().nullable(),
  certificate: z.string().nullable(),
  hasKey: z.boolean().describe('there is a private key, which is never told'),
});

export type Tls = z.output<typeof Tls>;
