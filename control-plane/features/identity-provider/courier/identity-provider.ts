/**
 * OpenID Connect: the authorization code flow with PKCE (RFC 9700, 2.1.1). The ID token comes directly from the
 * provider over TLS; its signature is checked anyway, with its issuer, audience, nonce and times (OpenID Connect Core
 * 1.0, 3.1.3.7).
 */

import type { Secret } from '@carillon/proto/base/secret.ts';
import * as client from 'openid-client';
import type { IdentityProvider, LoginRequest, ProviderPerson } from '../ports.ts';

export type ProviderOptions = {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: Secret | null;
  /** The name that users know it by. */
  readonly name: string;
  /** The address to which the provider sends browsers back. */
  readonly redirectUri: string;
};

const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;
/** The refresh interval of the provider's metadata. */
const KEEP_MS = 3600_000;
/** The value for more than one factor (RFC 8176, 2). */
const MANY_FACTORS = 'mfa';
/** The tolerance of the provider's clock for a required new log-in. */
const FRESH_SECONDS = 60;

export function openIdentityProvider(options: ProviderOptions): IdentityProvider {
  let found: { readonly atMs: number; readonly configuration: Promise<client.Configuration> } | undefined;
  const configured = (): Promise<client.Configuration> => {
    const nowMs = Date.now();
    if (!found || nowMs - found.atMs > KEEP_MS) {
      const one = { atMs: nowMs, configuration: discover(options) };
      found = one;
      // An unavailable provider is asked again for the next user.
      one.configuration.catch(() => {
        if (found === one) found = undefined;
      });
    }
    return found.configuration;
  };
  return {
    name: options.name,
    issuer: options.issuer,
    async begin(asked) {
      const { state, nonce, verifier, fresh } = asked;
      const parameters = {
        redirect_uri: options.redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(fresh && { prompt: 'login', max_age: '0' }),
      };
      return client.buildAuthorizationUrl(await configured(), parameters).href;
    },
    async finish(parameters, asked) {
      const answer = new URL(`${options.redirectUri}?${parameters}`);
      const tokens = await client.authorizationCodeGrant(await configured(), answer, {
        expectedState: asked.state,
        expectedNonce: asked.nonce,
        pkceCodeVerifier: asked.verifier,
        idTokenExpected: true,
        ...(asked.fresh && { maxAge: FRESH_SECONDS }),
      });
      return personOf(await configured(), tokens, asked);
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<client.Configuration> {
  const url = new URL(issuer);
  const authentication = clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret.reveal());
  const configuration = await client.discovery(url, clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    // config.ts lets only an issuer on this host go without TLS.
    ...(url.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
  });
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

async function personOf(
  configuration: client.Configuration,
  tokens: Tokens,
  { fresh }: LoginRequest,
): Promise<ProviderPerson> {
  const claims = tokens.claims();
  if (!claims) throw new Error('it has sent no ID token');
  if (fresh && typeof claims.auth_time !== 'number') throw new Error('it does not say when the person has logged in');
  // Many providers return the address only there.
  const more =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
  const email = more['email'];
  return {
    issuer: claims.iss,
    subject: claims.sub,
    // The string "true" does not count: only the provider can verify it.
    email: typeof email === 'string' && more['email_verified'] === true ? email.toLowerCase() : null,
    isStrong: Array.isArray(claims['amr']) && claims['amr'].includes(MANY_FACTORS),
  };
}
