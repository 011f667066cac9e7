/** How a connection leaves this host: whom it trusts, and through which proxy (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY). */
import type { Agent } from 'node:http';
import { checkServerIdentity, getCACertificates, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

export type WayOut = {
  /** PEM: these certificates and nobody else's. */
  readonly ca: readonly string[];
  /** By the URL's host: behind a proxy, node would take an address for `localhost`. */
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
  /** Left out: straight. */
  readonly agent?: Agent;
};

/** @throws Error if the environment names a proxy that is no http(s) URL */
export function wayOut(url: string, ca: string | null): WayOut {
  // A WebSocket asks for the proxy of its page's scheme, and is tunnelled by CONNECT (RFC 6455, 4.1).
  const proxy = getProxyForUrl(url.replace(/^ws/, 'http'));
  if (proxy !== '' && !/^https?:\/\//.test(proxy))
    throw new Error('HTTPS_PROXY, HTTP_PROXY or ALL_PROXY: http://HOST:PORT and https://HOST:PORT are understood');
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return {
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    ca: ca === null ? rootsFor(url) : [ca],
    ...(proxy !== '' && { agent: new HttpsProxyAgent(proxy) }),
  };
}

let roots: readonly string[] | undefined;

/** node's own roots, NODE_EXTRA_CA_CERTS, and those of the host, where operators put their own: some 800, not read for nothing. */
function rootsFor(url: string): readonly string[] {
  if (new URL(url).protocol !== 'wss:') return [];
  roots ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return roots;
}

/** Of a proxy, for messages: without its password. */
export function proxyName(url: string): string | null {
  const proxy = getProxyForUrl(url.replace(/^ws/, 'http'));
  return proxy === '' ? null : new URL(proxy).host;
}
