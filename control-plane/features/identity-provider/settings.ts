/** The environment variables of the identity provider. */
import { Secret } from '@carillon/proto/base/secret.ts';
import * as z from 'zod';
import { Pasted } from '../../contract/fields.ts';

export const ENVIRONMENT = {
  CARILLON_OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'issuer of the OpenID Connect provider for logging in (`https://login.example/realms/acme`); needs CARILLON_PUBLIC_URL',
    ),
  CARILLON_OIDC_CLIENT_ID: z.string().optional().describe('client id of this installation at the provider'),
  CARILLON_OIDC_CLIENT_SECRET: Pasted.transform((text) => new Secret(text))
    .optional()
    .describe('client secret; without one it is a public client'),
  CARILLON_OIDC_NAME: z
    .string()
    .max(60)
    .optional()
    .describe('name of the provider on the log-in page; default: its host'),
};

const Own = z.object(ENVIRONMENT);
export type ProviderEnvironment = z.output<typeof Own> & { readonly CARILLON_PUBLIC_URL?: string | undefined };

/** What is wrong with values that are right by themselves. */
export const FAULTS = {
  provider(e: ProviderEnvironment, wrong: (name: string, message: string) => void): void {
    const { CARILLON_OIDC_ISSUER: issuer, CARILLON_PUBLIC_URL: publicUrl } = e;
    if (issuer === undefined) {
      const others = ['CARILLON_OIDC_CLIENT_ID', 'CARILLON_OIDC_CLIENT_SECRET', 'CARILLON_OIDC_NAME'] as const;
      for (const name of others) if (e[name] !== undefined) wrong(name, 'is of no use without CARILLON_OIDC_ISSUER');
      return;
    }
    if (new URL(issuer).protocol === 'http:' && !isLoopback(new URL(issuer).hostname))
      wrong('CARILLON_OIDC_ISSUER', 'has to begin with https://, unless the provider is on this host');
    if (e.CARILLON_OIDC_CLIENT_ID === undefined)
      wrong('CARILLON_OIDC_CLIENT_ID', 'is needed with CARILLON_OIDC_ISSUER: as the provider knows this installation');
    if (publicUrl === undefined)
      wrong('CARILLON_PUBLIC_URL', 'is needed with CARILLON_OIDC_ISSUER: the provider sends browsers back to it');
  },
};

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);
