/** WWW-Authenticate and Proxy-Authenticate (RFC 7616, 3.3; RFC 8760; RFC 3261, 20.44 and 25.1). */
import { ownText } from '../message/own-text.ts';
import { endOfMember, skipSpace, trimEnd, unfold, unquote } from '../message/scan.ts';

export type DigestAlgorithm = 'MD5' | 'SHA-256' | 'SHA-512-256';

/** Node's name of each hash. SHA-512/256 is a separate hash, not SHA-512 truncated. */
export const HASH_NAMES: Readonly<Record<DigestAlgorithm, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};

/** All values are without quotes, as wire bytes, and copied: a challenge must not keep its datagram in memory. */
export type Challenge = {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly stale: boolean;
  readonly algorithm: DigestAlgorithm;
  /** The algorithm had `-sess`: A1 is bound to nonce and cnonce (RFC 7616, 3.4.2). */
  readonly session: boolean;
  /** The text of the server, which goes back unchanged; null: it named none. */
  readonly algorithmText: string | null;
  /** Null: the way of RFC 2069, without qop. */
  readonly qop: 'auth' | 'auth-int' | null;
  /** The server takes the hash of the user name in place of the name (RFC 7616, 3.4.4). */
  readonly userhash: boolean;
};

/** The last line with one challenge, and its text around the nonce: a server's challenges differ only in the nonce. */
let last: { readonly challenge: Challenge; readonly head: string; readonly tail: string } | null = null;
const NONCE = 'nonce="';

/**
 * The challenges of one header line, each supported or with the reason why not. There should be one per line (RFC 3261,
 * 7.3.1); some servers put several on one line, as HTTP allows.
 */
export function parseChallenges(value: string): (Challenge | string)[] {
  if (last !== null && value.startsWith(last.head) && value.endsWith(last.tail)) {
    const nonce = value.slice(last.head.length, -last.tail.length);
    if (isPlain(nonce)) return [withNonce(last.challenge, ownText(nonce))];
  }
  const challenges = readChallenges(unfold(value));
  const [only] = challenges;
  if (challenges.length === 1 && only !== undefined && typeof only !== 'string') remember(value, only);
  return challenges;
}

const withNonce = (
  { realm, opaque, stale, algorithm, session, algorithmText, qop, userhash }: Challenge,
  nonce: string,
): Challenge => ({ realm, nonce, opaque, stale, algorithm, session, algorithmText, qop, userhash });

/** Only if the nonce is unambiguous in the line. */
function remember(value: string, challenge: Challenge): void {
  const at = value.indexOf(NONCE) + NONCE.length;
  const end = at + challenge.nonce.length;
  const isIt = value.match(/nonce/gi)?.length === 1 && value.startsWith(`${challenge.nonce}"`, at);
  if (isIt && isPlain(challenge.nonce))
    last = { challenge, head: ownText(value.slice(0, at)), tail: ownText(value.slice(end)) };
}

/** Valid between quotes without escapes. */
const isPlain = (text: string): boolean => text !== '' && !/["\\\s]/.test(text);

function readChallenges(text: string): (Challenge | string)[] {
  const challenges: (Challenge | string)[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const start = skipSpace(text, at, text.length);
    if (start > from && beginsChallenge(text, start)) {
      challenges.push(parseChallenge(text.slice(from, start)));
      from = start;
    }
    at = endOfMember(text, start, text.length) + 1;
  }
  challenges.push(parseChallenge(text.slice(from)));
  return challenges;
}

/** A challenge we can answer, or why not. */
export function parseChallenge(value: string): Challenge | string {
  const text = unfold(value).trim();
  const space = text.search(/[ \t]/);
  const scheme = space < 0 ? text : text.slice(0, space);
  if (scheme.toLowerCase() !== 'digest') return `authentication scheme "${scheme}" is not supported`;
  const fields = readFields(text, scheme.length);
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
  return {
    realm,
    nonce,
    opaque: fields.get('opaque') ?? null,
    stale: isTrue(fields.get('stale')),
    algorithm,
    session,
    algorithmText,
    qop,
    userhash: isTrue(fields.get('userhash')),
  };
}

/** `nextnonce` of Authentication-Info or Proxy-Authentication-Info, null without one (RFC 7616, 3.5; RFC 7615). */
export const nextNonce = (value: string): string | null => readFields(unfold(value), 0).get('nextnonce') || null;

const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true';

const isAlgorithm = (name: string): name is DigestAlgorithm => Object.hasOwn(HASH_NAMES, name);

/** Two words before the equals sign: a scheme, and the first name of its fields. */
const CHALLENGE_START = /[^\s,="]+[ \t]+[^\s,="]+\s*=/y;

function beginsChallenge(text: string, at: number): boolean {
  CHALLENGE_START.lastIndex = at;
  return CHALLENGE_START.test(text);
}

/** `auth` where the server leaves the choice; undefined: it offers only what we do not know. */
function chooseQop(offered: string | undefined): 'auth' | 'auth-int' | null | undefined {
  if (offered === undefined || offered.trim() === '') return null;
  const options = offered.split(',').map((option) => option.trim().toLowerCase());
  if (options.includes('auth')) return 'auth';
  return options.includes('auth-int') ? 'auth-int' : undefined;
}

/** `name=value, …` from `from` on, by lower-case name; the first of repeated names. Values may be quoted or not. */
function readFields(text: string, from: number): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = from; at < text.length; ) {
    const end = endOfMember(text, at, text.length);
    const equals = text.indexOf('=', at);
    if (equals >= 0 && equals < end) {
      const name = text
        .slice(at, trimEnd(text, at, equals))
        .trim()
        .toLowerCase();
      if (!fields.has(name)) fields.set(name, ownText(unquote(text.slice(equals + 1, end).trim())));
    }
    at = end + 1;
  }
  return fields;
}
