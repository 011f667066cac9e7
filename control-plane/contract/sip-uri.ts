/** The parts of a SIP URI (RFC 3261, 19.1) that planning and lists need: host and port, user, transport. */

/** The URI of the built-in registrar. No server has this name (RFC 2606, 2). */
export const CLOUD_URI = 'sip:carillon.invalid';

export type SipHost = { readonly host: string; readonly port: number | null };

/** Undefined: not a SIP URI with a host. IPv6 hosts are returned without brackets. */
export function sipHost(uri: string): SipHost | undefined {
  const match = /^<?sips?:(?:[^@>]*@)?(\[[0-9a-f:.]+\]|[^:;?>@\s]+)(?::(\d{1,5}))?(?:[;?>]|$)/i.exec(uri.trim());
  if (!match) return undefined;
  const port = match[2] === undefined ? null : Number(match[2]);
  if (port !== null && (port < 1 || port > 65_535)) return undefined;
  return { host: (match[1] as string).replace(/^\[|\]$/g, ''), port };
}

/** The number or name before the @, without password and parameters; null: the URI has none. */
export const sipUser = (uri: string): string | null => /^<?sips?:(?=[^@>]*@)([^@:;?>]+)/i.exec(uri.trim())?.[1] ?? null;

/** The user part, with the characters escaped that the grammar does not allow there (RFC 3261, 25.1). */
export const escapeUser = (user: string): string =>
  user.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/%]/gu, (char) => encodeURIComponent(char));

/** `host:port` as in a URI. */
export const hostPort = ({ host, port }: SipHost, defaultPort: number | null): string => {
  const written = host.includes(':') ? `[${host}]` : host;
  const p = port ?? defaultPort;
  return p === null ? written : `${written}:${p}`;
};

/** True: the host is not an address, so the DNS has to resolve it. */
export const isName = ({ host }: SipHost): boolean => !host.includes(':') && !/^[0-9.]+$/.test(host);

/**
 * The transports that a URI requires, other than UDP: `;transport=tls`, sips (RFC 3261, 19.1.1 and 26.2.2). Their names are those
 * of agents' abilities.
 */
export function transportOf(uri: string): string[] {
  const named = /;transport=([^;?>\s]+)/i.exec(uri)?.[1]?.toUpperCase() ?? '';
  const secure = /^<?sips:/i.test(uri.trim());
  if (secure) return [named === 'WS' || named === 'WSS' ? 'WSS' : 'TLS'];
  return named === '' || named === 'UDP' ? [] : [named];
}
