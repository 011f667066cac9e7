/** A real OpenID provider on this host, and a browser for it: the user that the test names is logged in there without a prompt. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientMetadata } from 'oidc-provider';
import type { Test } from 'tap';

export type ProviderAccount = { readonly email?: string; readonly email_verified?: unknown; readonly amr?: string[] };

export type OpenIdProvider = {
  readonly issuer: string;
  /** By subject. */
  readonly accounts: Map<string, ProviderAccount>;
  /** The user who is logged in from now on; null: the browser stops at the log-in page. */
  subject: string | null;
  /** Follows redirects as a browser does, until the way back. @returns the query of that address */
  visit(url: string): Promise<string>;
};

const CLIENT = { client_id: 'carillon', client_secret: 'the-secret-of-the-client-carillon' } as const;
export const PROVIDER_CLIENT = { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret } as const;

export async function startOpenIdProvider(t: Test, redirectUri: string, port = 0): Promise<OpenIdProvider> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, ProviderAccount>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const client: ClientMetadata = { ...CLIENT, redirect_uris: [redirectUri], id_token_signed_response_alg: 'RS256' };
  const provider = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key for the cookies of a test'] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    // Every requested scope is granted.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId, clientId: oidc.client?.clientId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const self: OpenIdProvider = { issuer, accounts, subject: null, visit: (url) => visit(url, redirectUri) };
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const { subject } = self;
    const result =
      subject === null
        ? { error: 'access_denied', error_description: 'Nobody <b>logs in</b>' }
        : { login: { accountId: subject, remember: false, amr: accounts.get(subject)?.amr ?? [] } };
    provider.interactionFinished(request, response, result).catch((error: Error) => {
      response.statusCode = 500;
      response.end(error.message);
    });
  });
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return self;
}

/** Cookies are kept for one visit. */
async function visit(url: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let at = url, hops = 0; hops < 10; hops++) {
    const header = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie: header } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name) cookies.set(name, value ?? '');
    }
    const to = response.headers.get('location');
    if (to === null) throw new Error(`the provider answers ${response.status}: ${await response.text()}`);
    const next = new URL(to, at);
    if (next.href.startsWith(`${redirectUri}?`)) return next.search.slice(1);
    at = next.href;
  }
  throw new Error('the provider sends the browser round and round');
}
