/**
 * The policy of the host, asked before the server is told to send: the server itself knows nothing of it. What a URI names by a
 * number is asked at once; names are found here (RFC 3263), and their servers are asked about.
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

  /** May it be sent to where a URI leads? Answers at once where it is a number. */
  ask(isFarewell: boolean, uri: string, done: (decision: PolicyDecision) => void): void {
    const { locator, mayLeave, ...now } = this.#options;
    const leaves = (host: string): boolean => isFarewell && mayLeave?.(host, this.#clock()) === true;
    const mayReach = (address: string): boolean => now.mayReach(address) || leaves(address);
    const mayName = (name: string): boolean => (now.mayName?.(name) ?? true) || leaves(name);
    const refuse = (reason: string): void => done({ reason, target: null });
    const hop = parseUri(uri);
    if (typeof hop === 'string') refuse(`${uri}: ${hop}`);
    else if (isIP(hop.host) !== 0) done({ reason: mayReach(hop.host) ? null : forbidden(hop.host), target: null });
    else if (!mayName(hop.host)) refuse(forbidden(hop.host));
    else if (locator === undefined) refuse(`${hop.host} needs a DNS, and there is none here`);
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
