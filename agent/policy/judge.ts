/** Applies a policy to an address, a name or a number. Pure. */
import { isIP } from 'node:net';
import { numberPredicate } from '@carillon/proto/dialled-number.ts';
import ipaddr from 'ipaddr.js';

import { type Policy, portsOf } from './policy.ts';

/** The number of cached answers: most messages and calls are sent to recent targets. */
const MAX_REMEMBERED = 4096;
/** Longer texts, which only a far end would send, are judged each time, so that the cache is bounded in bytes too. */
const MAX_TEXT_LENGTH = 256;

/** `judge` must give the same answer for the same text. */
function remembering(judge: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>();
  return (text) => {
    const before = answers.get(text);
    if (before !== undefined) return before;
    const may = judge(text);
    if (text.length > MAX_TEXT_LENGTH) return may;
    if (answers.size >= MAX_REMEMBERED) answers.clear();
    answers.set(text, may);
    return may;
  };
}

const within = (networks: readonly string[]): ((address: string) => boolean) => {
  const parsed = networks.map((text) => ipaddr.parseCIDR(text));
  return (address) => {
    // Other parsers interpret 010.0.0.1 and 0x7f.1 in different ways: only the plain spelling counts as an address.
    if (isIP(address) === 0) return false;
    const target = ipaddr.process(address);
    return parsed.some(([network, prefix]) => network.kind() === target.kind() && target.match(network, prefix));
  };
};

/** Whether the policy allows sending to this numeric address. IPv6-mapped IPv4 addresses count as IPv4. */
export const reachPredicate = (policy: Policy): ((address: string) => boolean) =>
  remembering(within(policy.targetNetworks));

/** Whether this host may be resolved, or be in a called URI. For numeric hosts the networks decide. */
export function domainPredicate({ targetDomains }: Policy): (host: string) => boolean {
  if (targetDomains === null) return () => true;
  return (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    if (name === '' || isIP(name) !== 0) return true;
    return targetDomains.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one));
  };
}

/** The host of a SIP URI, without the brackets of IPv6; '': the URI has no host. */
export const hostOf = (uri: string): string =>
  /^<?sips?:(?:[^@>]*@)?(\[[^\]]+\]|[^:;?>\s]+)/i.exec(uri)?.[1]?.replace(/^\[|\]$/g, '') ?? '';

/** A spelling that some resolvers treat as an address, and others as a name: 2130706433, 0x7f.1. */
const OTHER_NUMERIC = /^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+))*\.?$/i;

/** The addresses in a URI that can route it: its host, or maddr (RFC 3261, 19.1.1). */
const addressesIn = (uri: string): string[] =>
  [hostOf(uri), /;maddr=\[?([^;?>\]]+)/i.exec(uri)?.[1] ?? ''].filter(
    (host) => isIP(host) !== 0 || OTHER_NUMERIC.test(host),
  );

/**
 * Whether this URI may be called, by its domain and the addresses in it. Resolved addresses are checked when something
 * is sent.
 */
export function targetPredicate(policy: Policy): (uri: string) => boolean {
  const [mayName, mayReach] = [domainPredicate(policy), reachPredicate(policy)];
  return (uri) => mayName(hostOf(uri)) && addressesIn(uri).every(mayReach);
}

/** Whether this URI may be called, by its number and by its target. */
export function callPredicate(policy: Policy): (uri: string) => boolean {
  const [mayDial, mayTarget] = [numberPredicate(policy), targetPredicate(policy)];
  return remembering((uri) => mayDial(uri) && mayTarget(uri));
}

/** Why the policy forbids listening there; null: it is allowed. `ports`: used or possible, each FROM-TO. */
export function listenRefusal(
  policy: Policy,
  address: string,
  ports: readonly { readonly from: number; readonly to: number }[],
): string | null {
  if (policy.listenAddresses !== null && !within(policy.listenAddresses)(address))
    return `the policy of this host does not allow listening on ${address}`;
  if (policy.ports === null) return null;
  const { from, to } = portsOf(policy.ports);
  const other = ports.find((one) => one.from < from || one.to > to);
  if (other === undefined) return null;
  const which = other.from === 0 ? 'any free port' : other.from === other.to ? other.from : `${other.from}-${other.to}`;
  return `the policy of this host allows the ports ${policy.ports}, not ${which}`;
}
