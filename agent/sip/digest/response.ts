/** The digest itself (RFC 7616, 3.4.1 to 3.4.3). */
import { hash } from 'node:crypto';
import { rememberLast } from '../message/remember-last.ts';
import { type Challenge, type DigestAlgorithm, HASH_NAMES } from './challenge.ts';

export type DigestInput = {
  readonly challenge: Challenge;
  /** The name as bytes of the wire, one character each. */
  readonly username: string;
  readonly password: string;
  /** Instead of user name, realm and password; '': computed from them. */
  readonly ha1?: string;
  readonly method: string;
  /** The Request-URI, exactly as it is sent. */
  readonly uri: string;
  readonly body: string;
  readonly cnonce: string;
  /** Eight hexadecimal digits. */
  readonly nonceCount: string;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** For text with one character per byte. Node hashes ASCII a third faster without a buffer. */
const hashed = (algorithm: DigestAlgorithm, text: string): string =>
  hash(HASH_NAMES[algorithm], BEYOND_ASCII.test(text) ? Buffer.from(text, 'latin1') : text, 'hex');

/** Thousands of endpoints register at the same URI: values that depend only on it are cached. */
const methodHashes: Readonly<Record<DigestAlgorithm, (text: string) => string>> = {
  MD5: rememberLast((text) => hashed('MD5', text)),
  'SHA-256': rememberLast((text) => hashed('SHA-256', text)),
  'SHA-512-256': rememberLast((text) => hashed('SHA-512-256', text)),
};

/** Replaces the name if a challenge has `userhash=true` (RFC 7616, 3.4.4). */
export const usernameHash = (challenge: Challenge, username: string): string =>
  hashed(challenge.algorithm, `${username}:${challenge.realm}`);

/** `response`: 32 hexadecimal digits with MD5, 64 with the others. */
export function digestResponse(input: DigestInput): string {
  const { challenge, cnonce, nonceCount } = input;
  const H = (text: string): string => hashed(challenge.algorithm, text);
  const secret = input.ha1 || H(`${input.username}:${challenge.realm}:${input.password}`);
  const a1 = challenge.session ? H(`${secret}:${challenge.nonce}:${cnonce}`) : secret;
  const integrity = challenge.qop === 'auth-int' ? `:${H(input.body)}` : '';
  const a2 = methodHashes[challenge.algorithm](`${input.method}:${input.uri}${integrity}`);
  if (challenge.qop === null) return H(`${a1}:${challenge.nonce}:${a2}`);
  return H(`${a1}:${challenge.nonce}:${nonceCount}:${cnonce}:${challenge.qop}:${a2}`);
}
