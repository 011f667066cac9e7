/** A small registrar's side of digest, implemented separately from RFC 7616: tests check our credentials against it. */
import { createHash } from 'node:crypto';
import { headerOf } from './virtual.ts';

/** `name=value` pairs of a Digest header, quotes removed. */
export function digestFields(value: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [, name, quoted, plain] of value.matchAll(/([a-z]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/gi)) {
    fields.set((name as string).toLowerCase(), quoted ?? plain ?? '');
  }
  return fields;
}

const NODE_HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' };

/** Does the request carry the right answer for this user? `header` is Authorization or Proxy-Authorization. */
export function isAuthorized(request: string, header: string, username: string, password: string): boolean {
  const fields = digestFields(headerOf(request, header));
  const get = (name: string): string => fields.get(name) ?? '';
  const [, algorithm = 'MD5', session] = /^(.*?)(-sess)?$/i.exec(fields.get('algorithm') ?? 'MD5') ?? [];
  const hash = (text: string): string =>
    createHash(NODE_HASHES[algorithm] ?? 'md5')
      .update(text, 'latin1')
      .digest('hex');
  let a1 = hash(`${username}:${get('realm')}:${password}`);
  if (session !== undefined) a1 = hash(`${a1}:${get('nonce')}:${get('cnonce')}`);
  const [method = ''] = request.split(' ');
  const body = request.slice(request.indexOf('\r\n\r\n') + 4);
  const a2 = hash(`${method}:${get('uri')}${get('qop') === 'auth-int' ? `:${hash(body)}` : ''}`);
  const middle = fields.has('qop') ? `${get('nc')}:${get('cnonce')}:${get('qop')}:` : '';
  return get('username') === username && get('response') === hash(`${a1}:${get('nonce')}:${middle}${a2}`);
}
