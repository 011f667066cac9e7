/**
 * What one registration or call knows about authentication: the challenges it was given, one a realm, and how often each
 * nonce was used. Answers the topmost challenge it supports (RFC 8760, 2.4) and stops when a realm refuses the same
 * credentials again (RFC 3261, 22.2).
 */
import { randomBytes } from 'node:crypto';
import type { Credentials } from '../engine.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { wireText } from '../message/wire-text.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import { digestResponse } from './response.ts';

type Protection = {
  readonly header: 'Authorization' | 'Proxy-Authorization';
  challenge: Challenge;
  nonceCount: number;
  /** Challenges of this realm since the request was first sent. */
  rounds: number;
};

/** A server that calls every nonce stale would keep us asking for ever. */
const MOST_ROUNDS = 5;

export class Authorization {
  private readonly credentials: Credentials | null;
  private readonly protections: Protection[] = [];

  constructor(credentials: Credentials | null) {
    this.credentials = credentials;
  }

  /** A new request begins: a refusal of what was accepted before is no refusal of the credentials yet. */
  begin(): void {
    for (const protection of this.protections) protection.rounds = 0;
  }

  /** Takes the challenges of a 401 or 407. Null: send the request again with `headers`; else why that would be of no use. */
  accept(response: SipMessage): string | null {
    if (this.credentials === null) return 'credentials are asked for and the user agent has none';
    const isProxy = response.status === 407;
    const header = isProxy ? 'Proxy-Authorization' : 'Authorization';
    const realms = new Set<string>();
    let problem = `a ${response.status} without a challenge`;
    for (const line of response.headerLines(isProxy ? 'proxy-authenticate' : 'www-authenticate')) {
      const challenge = parseChallenge(line);
      if (typeof challenge === 'string') {
        problem = challenge;
        continue;
      }
      if (realms.has(challenge.realm)) continue;
      realms.add(challenge.realm);
      if (!this.take(header, challenge)) return `realm "${challenge.realm}" refused the credentials`;
    }
    return realms.size > 0 ? null : problem;
  }

  /** The header lines that answer all challenges so far, '' before the first. Counts a use of each nonce. */
  headers(method: string, uri: string, body: string): string {
    let lines = '';
    for (const protection of this.protections) lines += this.line(protection, method, uri, body);
    return lines;
  }

  private take(header: Protection['header'], challenge: Challenge): boolean {
    const known = this.protections.find((one) => one.header === header && one.challenge.realm === challenge.realm);
    if (known === undefined) {
      this.protections.push({ header, challenge, nonceCount: 0, rounds: 1 });
      return true;
    }
    known.rounds++;
    if (known.rounds > MOST_ROUNDS || (known.rounds > 1 && !challenge.stale)) return false;
    if (challenge.nonce !== known.challenge.nonce) known.nonceCount = 0;
    known.challenge = challenge;
    return true;
  }

  private line(protection: Protection, method: string, uri: string, body: string): string {
    const { challenge, header } = protection;
    const username = wireText(this.credentials?.username ?? '');
    const nonceCount = (++protection.nonceCount).toString(16).padStart(8, '0');
    const cnonce = randomBytes(8).toString('hex');
    const password = wireText(this.credentials?.password ?? '');
    const response = digestResponse({ challenge, username, password, method, uri, body, cnonce, nonceCount });
    // algorithm, qop and nc go without quotes (RFC 7616, 3.4); some servers insist.
    let line = `${header}: Digest username=${quote(username)}, realm=${quote(challenge.realm)}, nonce=${quote(challenge.nonce)}`;
    line += `, uri=${quote(uri)}, response="${response}"`;
    if (challenge.algorithmText !== null) line += `, algorithm=${challenge.algorithmText}`;
    if (challenge.qop !== null) line += `, qop=${challenge.qop}, nc=${nonceCount}`;
    if (challenge.qop !== null || challenge.session) line += `, cnonce="${cnonce}"`;
    if (challenge.opaque !== null) line += `, opaque=${quote(challenge.opaque)}`;
    return `${line}\r\n`;
  }
}

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
