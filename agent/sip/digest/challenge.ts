/** WWW-Authenticate and Proxy-Authenticate (RFC 7616, 3.3; RFC 8760; RFC 3261, 20.44 and 25.1). */
import { endOfMember, trimEnd, unfold, unquote } from '../message/scan.ts';

export type DigestAlgorithm = 'MD5' | 'SHA-256' | 'SHA-512-256';

/** Node's name of each hash. SHA-512/256 is a hash of its own, not SHA-512 cut short. */
export const HASH_NAMES: Readonly<Record<DigestAlgorithm, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};

export type Challenge = {
  /** All quoted values are without their quotes, as bytes on the wire. */
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly stale: boolean;
  readonly algorithm: DigestAlgorithm;
  /** The algorithm had `-sess`: A1 is bound to nonce and cnonce (RFC 7616, 3.4.2). */
  readonly session: boolean;
  /** As the server wrote it, null if it did not: it goes back the same way. */
  readonly algorithmText: string | null;
  /** null: the way of RFC 2069, without qop. */
  readonly qop: 'auth' | 'auth-int' | null;
};

/** A challenge we can answer, or why not. */
export function parseChallenge(value: string): Challenge | string {
  const text = unfold(value);
  const space = text.search(/[ \t]/);
  const scheme = space < 0 ? text : text.slice(0, space);
  if (scheme.toLowerCase() !== 'digest') return `authentication scheme "${scheme}" is not supported`;
  const fields = readFields(text.slice(scheme.length));
  const realm = fields.get('realm');
  const nonce = fields.get('nonce');
  if (realm === undefined || nonce === undefined) return 'the challenge has no realm or no nonce';
  const algorithmText = fields.get('algorithm') ?? null;
  const name = (algorithmText ?? 'MD5').toUpperCase();
  const session = name.endsWith('-SESS');
  const algorithm = session ? name.slice(0, -5) : name;
  if (!isAlgorithm(algorithm)) return `digest algorithm "${algorithmText}" is not supported`;
  const qop = chooseQop(fields.get('qop'));
  if (qop === undefined) return `digest qop "${fields.get('qop')}" is not supported`;
  const stale = fields.get('stale')?.toLowerCase() === 'true';
  return { realm, nonce, opaque: fields.get('opaque') ?? null, stale, algorithm, session, algorithmText, qop };
}

const isAlgorithm = (name: string): name is DigestAlgorithm => Object.hasOwn(HASH_NAMES, name);

/** `auth` where the server leaves the choice; undefined: it offers only what we do not know. */
function chooseQop(offered: string | undefined): 'auth' | 'auth-int' | null | undefined {
  if (offered === undefined || offered.trim() === '') return null;
  const options = offered.split(',').map((option) => option.trim().toLowerCase());
  if (options.includes('auth')) return 'auth';
  return options.includes('auth-int') ? 'auth-int' : undefined;
}

/** `name=value, …` by lower-case name; of a repeated name the first. Values may be quoted or not, whatever they should be. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const end = endOfMember(text, at, text.length);
    const equals = text.indexOf('=', at);
    if (equals >= 0 && equals < end) {
      const name = text
        .slice(at, trimEnd(text, at, equals))
        .trim()
        .toLowerCase();
      if (!fields.has(name)) fields.set(name, unquote(text.slice(equals + 1, end).trim()));
    }
    at = end + 1;
  }
  return fields;
}
