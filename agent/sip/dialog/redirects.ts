/**
 * Targets of 3xx responses, in order of preference (RFC 3261, 8.1.3.4). Each target is tried once, none that the policy
 * forbids, and not more than allowed. Only redirected calls have this.
 */
import { addressParameter, parseNameAddress } from '../message/name-address.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri, type SipUri } from '../message/uri.ts';
import type { Hop } from '../transport/route.ts';

/** Decides on targets of redirects, for the call's user agent. */
export interface TargetJudge {
  /** The place to which a request to the URI goes, or the reason why there is none. */
  hopFor(text: string, uri: SipUri): Hop | string;
  /** The destination of the URI itself, regardless of the outbound proxy. */
  addressFor(text: string, uri: SipUri): Hop | string;
  /** Does the host's policy allow the number or name, and the address, where it is known already? */
  mayCall(uri: string, hop: Hop): boolean;
  mayDial(uri: string): boolean;
}

export type NextTarget = {
  readonly requestUri: string;
  /** 305 Use Proxy: a Route to it; otherwise ''. */
  readonly route: string;
  readonly hop: Hop;
};

type Candidate = { readonly uri: string; readonly q: number; readonly isProxy: boolean };

const FOLLOWED: ReadonlySet<number> = new Set([300, 301, 302, 305]);

export class Redirects {
  /** Why the last response led nowhere. */
  problem = 'no other target';
  /** A target was forbidden, by its address or name or by its number, and none was tried. */
  forbidden: 'POLICY' | 'NUMBER' | null = null;
  readonly #judge: TargetJudge;
  readonly #candidates: Candidate[] = [];
  readonly #namedTargets = new Set<string>();
  readonly #most: number;
  #tried = 0;

  constructor(judge: TargetJudge, invitedUri: string, most: number) {
    this.#judge = judge;
    this.#most = most;
    this.#namedTargets.add(identityOf(invitedUri));
  }

  static follows(status: number): boolean {
    return FOLLOWED.has(status);
  }

  /** Takes the targets that a 3xx names. */
  add(response: SipMessage): void {
    const isProxy = response.status === 305;
    for (const contact of response.headerMembers('contact')) {
      const address = parseNameAddress(contact);
      if (address === null) continue;
      const id = isProxy ? `proxy ${identityOf(address.uri)}` : identityOf(address.uri);
      if (this.#namedTargets.has(id)) {
        this.problem = `a loop: ${address.uri} was already called`;
        continue;
      }
      this.#namedTargets.add(id);
      const q = Number(addressParameter(address, 'q') ?? '1');
      this.#candidates.push({ uri: address.uri, q: q >= 0 && q <= 1 ? q : 1, isProxy });
    }
    this.#candidates.sort((a, b) => b.q - a.q);
  }

  /** The best remaining target; null: none, with the reason in `problem`. `requestUri` is the current one. */
  next(requestUri: string): NextTarget | null {
    for (let best = this.#candidates.shift(); best !== undefined; best = this.#candidates.shift()) {
      if (this.#tried === this.#most) {
        this.problem = `${this.#tried} other targets were tried`;
        return null;
      }
      const next = this.#judged(best, requestUri);
      if (next === null) continue;
      this.#tried++;
      this.forbidden = null;
      return next;
    }
    return null;
  }

  #refused(text: string, what: 'POLICY' | 'NUMBER'): null {
    if (this.#tried === 0) this.forbidden = what;
    this.problem = `the policy of this host forbids ${text}`;
    return null;
  }

  #judged({ uri: text, isProxy }: Candidate, requestUri: string): NextTarget | null {
    const uri = parseUri(text);
    if (!this.#judge.mayDial(text)) return this.#refused(text, 'NUMBER');
    if (typeof uri === 'string') {
      this.problem = `not a SIP URI: ${text}`;
      return null;
    }
    // The peer must not set headers of our requests by its URI (19.1.5).
    const bare = uri.headers === '' ? text : text.slice(0, text.indexOf('?'));
    const hop = isProxy ? this.#judge.addressFor(bare, uri) : this.#judge.hopFor(bare, uri);
    if (typeof hop === 'string') {
      this.problem = hop;
      return null;
    }
    if (!this.#judge.mayCall(bare, hop)) return this.#refused(bare, 'POLICY');
    return isProxy ? { requestUri, route: `Route: <${bare}>\r\n`, hop } : { requestUri: bare, route: '', hop };
  }
}

/** The same for URIs that call the same (RFC 3261, 19.1.4), as far as it takes to see a loop. */
function identityOf(text: string): string {
  const uri = parseUri(text);
  if (typeof uri === 'string') return text;
  return `${uri.scheme}:${uri.user}@${uri.host.toLowerCase()}:${uri.port}${uri.parameters.toLowerCase()}`;
}
