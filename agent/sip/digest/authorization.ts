/**
 * Authentication state of one registration or call: its challenges, one per realm, and the use count of each nonce.
 * Answers the topmost supported challenge (RFC 8760, 2.4) and stops when a realm refuses the same credentials again
 * (RFC 3261, 22.2).
 */
import type { Credentials } from '../engine.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { wireText } from '../message/wire-text.ts';
import { type Challenge, nextNonce, parseChallenges } from './challenge.ts';
import { clientNonce } from './client-nonce.ts';
import { digestResponse, usernameHash } from './response.ts';

type Protection = {
  readonly header: 'Authorization' | 'Proxy-Authorization';
  challenge: Challenge;
  nonceCount: number;
};

/** A server that calls every nonce stale, or has a new realm each time, would keep us asking forever. */
const MAX_ROUNDS = 5;
const MAX_REALMS = 8;
const ZEROS = '00000000';
/** In hexadecimal digits. */
const HASH_LENGTHS = { MD5: 32, 'SHA-256': 64, 'SHA-512-256': 64 } as const;

/**
 * Challenges of an endpoint's earlier calls to one target: the next call starts with them (RFC 3261, 22.1 and 22.3).
 */
export class KnownChallenges {
  #targetUri: string | null = null;
  readonly #protections: Protection[] = [];

  /** For another target nothing is known: its servers are different. */
  to(targetUri: string): Protection[] {
    this.#targetUri ??= targetUri;
    return targetUri === this.#targetUri ? this.#protections : [];
  }
}

export class Authorization {
  readonly #credentials: Credentials | null;
  readonly #protections: Protection[];
  /** Challenges answered since the request was first sent, and the protections challenged by them. */
  #rounds = 0;
  #challenged: Protection[] = [];

  /** `protections`: known ones; calls that share it continue each nonce's count. */
  constructor(credentials: Credentials | null, protections: Protection[] = []) {
    this.#credentials = credentials;
    this.#protections = protections;
  }

  /** A new request starts: a refusal of credentials that were accepted before is not final yet. */
  begin(): void {
    this.#rounds = 0;
    this.#challenged = [];
  }

  /**
   * Handles the challenges of a 401 or 407. Null: send the request again with `headers`; otherwise the reason why not.
   */
  accept(response: SipMessage): string | null {
    if (this.#credentials === null) return 'the server asks for credentials, but the account has none';
    if (++this.#rounds > MAX_ROUNDS) return `challenged ${this.#rounds} times`;
    const isProxy = response.status === 407;
    const header = isProxy ? 'Proxy-Authorization' : 'Authorization';
    let isTaken = false;
    let problem = `a ${response.status} without a challenge`;
    const lines = response.headerLines(isProxy ? 'proxy-authenticate' : 'www-authenticate');
    const challenges = lines.length === 1 ? parseChallenges(lines[0] as string) : lines.flatMap(parseChallenges);
    for (const challenge of challenges) {
      if (typeof challenge === 'string') {
        problem = challenge;
        continue;
      }
      const strange = this.#strangeTo(challenge);
      if (strange !== null) {
        problem = strange;
        continue;
      }
      // The first one per realm.
      if (challenges.find((one) => this.#isOf(challenge.realm, one)) !== challenge) continue;
      isTaken = true;
      if (!this.#take(header, challenge)) return `realm "${challenge.realm}" refused the credentials`;
    }
    return isTaken ? null : problem;
  }

  /** Why an HA1 is no answer: it is of one algorithm (RFC 7616, 3.4.2). */
  #strangeTo({ algorithm }: Challenge): string | null {
    const length = this.#credentials?.ha1?.reveal().length ?? 0;
    if (length === 0 || length === HASH_LENGTHS[algorithm]) return null;
    return `the server asks for ${algorithm}, but the HA1 of ${length} digits is for another algorithm`;
  }

  #isOf(realm: string, one: Challenge | string): boolean {
    return typeof one !== 'string' && one.realm === realm && this.#strangeTo(one) === null;
  }

  /**
   * Takes the nonce that a 2xx names for the next request (RFC 7616, 3.5). It does not say whose realm's it is: with several
   * in one kind of header, nonces are used on until they are refused.
   */
  learn(response: SipMessage): void {
    if (this.#protections.length === 0) return;
    this.#takeNext('Authorization', response.header('authentication-info'));
    this.#takeNext('Proxy-Authorization', response.header('proxy-authentication-info'));
  }

  /** The header lines that answer all challenges so far, '' before the first. Increments the count of each nonce. */
  headers(method: string, uri: string, body: string): string {
    let lines = '';
    for (const protection of this.#protections) lines += this.#line(protection, method, uri, body);
    return lines;
  }

  #takeNext(header: Protection['header'], info: string | null): void {
    if (info === null) return;
    const nonce = nextNonce(info);
    const [only, ...others] = this.#protections.filter((one) => one.header === header);
    if (nonce === null || only === undefined || others.length > 0 || nonce === only.challenge.nonce) return;
    only.challenge = { ...only.challenge, nonce };
    only.nonceCount = 0;
  }

  #take(header: Protection['header'], challenge: Challenge): boolean {
    const known = this.#protections.find((one) => one.header === header && one.challenge.realm === challenge.realm);
    if (known === undefined) {
      if (this.#protections.length === MAX_REALMS) this.#protections.shift();
      const protection = { header, challenge, nonceCount: 0 };
      this.#protections.push(protection);
      this.#challenged.push(protection);
      return true;
    }
    if (this.#challenged.includes(known) && !challenge.stale) return false;
    this.#challenged.push(known);
    if (challenge.nonce !== known.challenge.nonce) known.nonceCount = 0;
    known.challenge = challenge;
    return true;
  }

  #line(protection: Protection, method: string, uri: string, body: string): string {
    const { challenge, header } = protection;
    const username = wireText(this.#credentials?.username ?? '');
    const count = (++protection.nonceCount).toString(16);
    const nonceCount = ZEROS.slice(count.length) + count;
    const cnonce = clientNonce();
    const password = wireText(this.#credentials?.password.reveal() ?? '');
    const ha1 = this.#credentials?.ha1?.reveal().toLowerCase() ?? '';
    const response = digestResponse({ challenge, username, password, ha1, method, uri, body, cnonce, nonceCount });
    // algorithm, qop and nc go without quotes (RFC 7616, 3.4); some servers insist.
    const name = challenge.userhash ? usernameHash(challenge, username) : username;
    const { realm, nonce } = challenge;
    let line = `${header}: Digest username="${escaped(name)}", realm="${escaped(realm)}", nonce="${escaped(nonce)}", uri="${escaped(uri)}", response="${response}"`;
    if (challenge.algorithmText !== null) line += `, algorithm=${challenge.algorithmText}`;
    if (challenge.qop !== null) line += `, qop=${challenge.qop}, nc=${nonceCount}`;
    if (challenge.qop !== null || challenge.session) line += `, cnonce="${cnonce}"`;
    if (challenge.opaque !== null) line += `, opaque="${escaped(challenge.opaque)}"`;
    if (challenge.userhash) line += ', userhash=true';
    return `${line}\r\n`;
  }
}

/** The text as it stands in a quoted string. */
const escaped = (text: string): string =>
  text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text;
