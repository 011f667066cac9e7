/** The identity provider that the environment names. */
import { openIdentityProvider } from './courier/identity-provider.ts';
import type { IdentityProvider } from './ports.ts';
import type { ProviderEnvironment } from './settings.ts';

export const OPENERS = {
  /** It is asked for the first time when somebody signs in: the control plane starts without it. */
  provider(e: ProviderEnvironment): IdentityProvider | null {
    const { CARILLON_OIDC_ISSUER: issuer, CARILLON_OIDC_CLIENT_ID: clientId, CARILLON_PUBLIC_URL: publicUrl } = e;
    if (issuer === undefined || clientId === undefined || publicUrl === undefined) return null;
    return openIdentityProvider({
      issuer,
      clientId,
      clientSecret: e.CARILLON_OIDC_CLIENT_SECRET ?? null,
      name: e.CARILLON_OIDC_NAME ?? new URL(issuer).hostname,
      redirectUri: `${publicUrl.replace(/\/+$/, '')}/sign-in`,
    });
  },
};
