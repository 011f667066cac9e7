/** TLS as a client: trusted authorities, our certificate, and the domain that the server must prove. */
import { isIP } from 'node:net';
import {
  type ConnectionOptions,
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  type SecureContext,
} from 'node:tls';
import type { TlsSettings } from './stream-port.ts';

const SYSTEM: TlsSettings = { verify: 'SYSTEM' };
const contexts = new WeakMap<TlsSettings, SecureContext>();
let authorities: string[] | null = null;

/** The rules by which a certificate is for a domain. SIP: RFC 5922; HTTPS, of WebSockets: RFC 2818, by which `*.example` counts. */
type IdentityRules = 'SIP' | 'HTTPS';

/** Null: SYSTEM, and no certificate of our own. Throws if a key, a certificate or an authority cannot be read. */
export function clientOptions(
  settings: TlsSettings | null,
  serverName: string | undefined,
  rules: IdentityRules = 'SIP',
): ConnectionOptions {
  const tls = settings ?? SYSTEM;
  const named = serverName !== undefined && isIP(serverName) === 0;
  return {
    secureContext: contextOf(tls),
    rejectUnauthorized: tls.verify !== 'SKIP',
    // An address is not a server name (RFC 6066, 3).
    ...(named ? { servername: serverName } : {}),
    checkServerIdentity: (asked, certificate) => {
      const domain = serverName ?? asked;
      const isProved =
        rules === 'SIP' ? isForSipDomain(domain, certificate) : checkServerIdentity(domain, certificate) === undefined;
      return isProved ? undefined : identityFault(domain, certificate, rules);
    },
  };
}

function identityFault(domain: string, { subject, subjectaltname }: PeerCertificate, rules: IdentityRules): Error {
  const holds = subjectaltname ?? `CN=${subject?.CN ?? ''}`;
  const rfc = rules === 'SIP' ? 'RFC 5922' : 'RFC 2818';
  const wildcard = rules === 'SIP' && holds.includes('*.') ? '; SIP takes no wildcards (7.2)' : '';
  return new Error(`the certificate is not for ${domain} (${rfc}), but for ${holds.slice(0, 200)}${wildcard}`);
}

/**
 * RFC 5922, 7.1 and 7.2: a sip URI without a user, otherwise a DNS name, otherwise, if it has neither, its common name.
 * Wildcards are ignored. For an address: its IP addresses.
 */
function isForSipDomain(domain: string, certificate: PeerCertificate): boolean {
  const names = alternativeNames(certificate.subjectaltname ?? '');
  const wanted = domain.toLowerCase().replace(/\.$/, '');
  if (isIP(domain) !== 0)
    return names.some(([kind, name]) => kind === 'IP Address' && canonical(name) === canonical(domain));
  const uris = names.flatMap(([kind, name]) => (kind === 'URI' ? sipDomain(name) : []));
  const hosts = names.flatMap(([kind, name]) => (kind === 'DNS' ? [name.toLowerCase()] : []));
  const common = [certificate.subject?.CN ?? []].flat().map((name) => name.toLowerCase());
  const identities = uris.length > 0 ? uris : hosts.length > 0 ? hosts : common;
  return identities.includes(wanted);
}

function contextOf(tls: TlsSettings): SecureContext {
  let context = contexts.get(tls);
  if (context === undefined) {
    context = createSecureContext({
      ...(tls.verify === 'CUSTOM' ? { ca: tls.ca ?? '' } : {}),
      ...(tls.verify === 'SYSTEM' ? { ca: trusted() } : {}),
      ...(tls.certificate ? { cert: tls.certificate } : {}),
      ...(tls.key ? { key: tls.key.reveal() } : {}),
    });
    contexts.set(tls, context);
  }
  return context;
}

/** Those of the host, or node's if the host has none, plus those of NODE_EXTRA_CA_CERTS. */
function trusted(): string[] {
  if (authorities === null) {
    const system = getCACertificates('system');
    const host = system.length > 0 ? system : getCACertificates('bundled');
    authorities = [...host, ...getCACertificates('extra')];
  }
  return authorities;
}

/** `URI:sip:pbx.example, DNS:pbx.example, IP Address:192.0.2.1`; node puts values with odd characters in quotes. */
function alternativeNames(text: string): (readonly [kind: string, name: string])[] {
  const found = text.matchAll(/(URI|DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return [...found].map(([, kind, value]) => [kind ?? '', unquoted(value ?? '')] as const);
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value.trim();
  try {
    return String(JSON.parse(value));
  } catch {
    return '';
  }
}

/** The domain of `sip:pbx.example`; a URI with a user names a person, no domain (RFC 5922, 7.1). */
function sipDomain(uri: string): string[] {
  const match = /^sips?:([^@;?:]+)(?::\d+)?(?:[;?].*)?$/i.exec(uri);
  return match?.[1] === undefined ? [] : [match[1].toLowerCase()];
}

/** One spelling per address; node expands IPv6 addresses in certificates. */
function canonical(address: string): string {
  if (isIP(address) !== 6) return address;
  return new URL(`http://[${address.replace(/%.*/, '')}]`).hostname;
}
