/**
 * The host's policy, checked before the server is told to send: the server does not know it. Numeric URIs are checked
 * immediately; names are resolved here (RFC 3263), and their servers are checked.
 */
import { isIP } from 'node:net';
import type { SipEngineOptions, SipTarget } from '../../engine.ts';
import { parseUri } from '../../message/uri.ts';

/** `target`: the server of a name that was found; null: the URI says it. */
export type PolicyDecision = { readonly reason: string | null; readonly target: SipTarget | null };

type GateOptions = Pick<SipEngineOptions, 'mayReach' | 'mayLeave' | 'mayName' | 'locator'>;

export class PolicyGate {
  readonly #options: GateOptions;
  readonly #clock: () => number;

  constructor(options: GateOptions, clock: () => number) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Whether the destination of a URI is allowed. Answers immediately if it is numeric. */
  ask(isEnding: boolean, uri: string, done: (decision: PolicyDecision) => void): void {
    const { locator, mayLeave, ...now } = this.#options;
    const leaves = (host: string): boolean => isEnding && mayLeave?.(host, this.#clock()) === true;
    const mayReach = (address: string): boolean => now.mayReach(address) || leaves(address);
    const mayName = (name: string): boolean => (now.mayName?.(name) ?? true) || leaves(name);
    const refuse = (reason: string): void => done({ reason, target: null });
    const hop = parseUri(uri);
    if (typeof hop === 'string') refuse(`${uri}: ${hop}`);
    else if (isIP(hop.host) !== 0) done({ reason: mayReach(hop.host) ? null : forbidden(hop.host), target: null });
    else if (!mayName(hop.host)) refuse(forbidden(hop.host));
    else if (locator === undefined) refuse(`${hop.host} needs DNS, which is not configured here`);
    else
      locator.locate(uri, (found) => {
        if (typeof found === 'string') return refuse(found);
        const target = found.find(({ address }) => mayReach(address));
        if (target === undefined) refuse(forbidden(found.map(({ address }) => address).join(', ') || hop.host));
        else done({ reason: null, target });
      });
  }
}

const forbidden = (where: string): string => `the policy of this host forbids ${where}`;
