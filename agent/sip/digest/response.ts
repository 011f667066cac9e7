/** The digest itself (RFC 7616, 3.4.1 to 3.4.3). */
import { hash } from 'node:crypto';
import { type Challenge, HASH_NAMES } from './challenge.ts';

export type DigestInput = {
  readonly challenge: Challenge;
  /** As bytes on the wire, one character each. */
  readonly username: string;
  readonly password: string;
  readonly method: string;
  /** The Request-URI, exactly as it is sent. */
  readonly uri: string;
  readonly body: string;
  readonly cnonce: string;
  /** Eight hexadecimal digits. */
  readonly nonceCount: string;
};

/** What stands for the name where a challenge has `userhash=true` (RFC 7616, 3.4.4). */
export const usernameHash = (challenge: Challenge, username: string): string =>
  hash(HASH_NAMES[challenge.algorithm], Buffer.from(`${username}:${challenge.realm}`, 'latin1'), 'hex');

/** `response`: 32 hexadecimal digits with MD5, 64 with the others. */
export function digestResponse(input: DigestInput): string {
  const { challenge, cnonce, nonceCount } = input;
  const name = HASH_NAMES[challenge.algorithm];
  const H = (text: string): string => hash(name, Buffer.from(text, 'latin1'), 'hex');
  const secret = H(`${input.username}:${challenge.realm}:${input.password}`);
  const a1 = challenge.session ? H(`${secret}:${challenge.nonce}:${cnonce}`) : secret;
  const integrity = challenge.qop === 'auth-int' ? `:${H(input.body)}` : '';
  const a2 = H(`${input.method}:${input.uri}${integrity}`);
  if (challenge.qop === null) return H(`${a1}:${challenge.nonce}:${a2}`);
  return H(`${a1}:${challenge.nonce}:${nonceCount}:${cnonce}:${challenge.qop}:${a2}`);
}
