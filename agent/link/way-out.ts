/**
 * How connections leave this host: trusted certificates, and proxies (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY).
 */
import type { Agent } from 'node:http';
import { checkServerIdentity, getCACertificates, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

export type WayOut = {
  /** Only these PEM certificates are trusted. */
  readonly ca: readonly string[];
  /** Checks the URL's host: with a proxy, node would replace an address with `localhost`. */
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
  /** Absent: the connection uses no proxy. */
  readonly agent?: Agent;
};

/** @throws Error if the environment names a proxy that is not an http(s) URL */
export function wayOut(url: string, ca: string | null): WayOut {
  // A WebSocket uses the proxy of its http(s) scheme, tunnelled by CONNECT (RFC 6455, 4.1).
  const proxy = getProxyForUrl(url.replace(/^ws/, 'http'));
  if (proxy !== '' && !/^https?:\/\//.test(proxy))
    throw new Error('HTTPS_PROXY, HTTP_PROXY or ALL_PROXY: http://HOST:PORT and https://HOST:PORT are supported');
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return {
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    ca: ca === null ? rootsFor(url) : [ca],
    ...(proxy !== '' && { agent: new HttpsProxyAgent(proxy) }),
  };
}

let roots: readonly string[] | undefined;

/**
 * Node's built-in roots, NODE_EXTRA_CA_CERTS, and those of the host, where operators install their own: about 800, read
 * only if needed.
 */
function rootsFor(url: string): readonly string[] {
  if (new URL(url).protocol !== 'wss:') return [];
  roots ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return roots;
}

/** The name of a proxy in messages, without its password. */
export function proxyName(url: string): string | null {
  const proxy = getProxyForUrl(url.replace(/^ws/, 'http'));
  return proxy === '' ? null : new URL(proxy).host;
}
