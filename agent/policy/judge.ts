/** What a policy says of an address, a name, a number. Pure. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { spellings } from './number.ts';
import { type Policy, portsOf } from './policy.ts';

/** Answers that are remembered: most messages go where one before went, most calls to whom one before went. */
const MOST_REMEMBERED = 4096;
/** A longer one, which only a far end would name, is judged each time: what is remembered is bounded in bytes, too. */
const LONGEST_REMEMBERED = 256;

/** `judge` must say the same of the same text each time. */
function remembering(judge: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const may = judge(text);
    if (text.length > LONGEST_REMEMBERED) return may;
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, may);
    return may;
  };
}

const within = (networks: readonly string[]): ((address: string) => boolean) => {
  const parsed = networks.map((text) => ipaddr.parseCIDR(text));
  return (address) => {
    // Others read 010.0.0.1 and 0x7f.1 in ways of their own: whatever is not the one plain spelling is no address.
    if (isIP(address) === 0) return false;
    const target = ipaddr.process(address);
    return parsed.some(([network, prefix]) => network.kind() === target.kind() && target.match(network, prefix));
  };
};

/** May anything be sent to this numeric address? IPv6-mapped IPv4 addresses count as what they map. */
export const reachPredicate = (policy: Policy): ((address: string) => boolean) =>
  remembering(within(policy.targetNetworks));

/** May this host be asked for, or stand in a URI that is called? Of numeric hosts the networks decide. */
export function domainPredicate({ targetDomains }: Policy): (host: string) => boolean {
  if (targetDomains === null) return () => true;
  return (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    if (name === '' || isIP(name) !== 0) return true;
    return targetDomains.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one));
  };
}

/** The host of a SIP URI, without the brackets of IPv6; '' if there is none. */
export const hostOf = (uri: string): string =>
  /^<?sips?:(?:[^@>]*@)?(\[[^\]]+\]|[^:;?>\s]+)/i.exec(uri)?.[1]?.replace(/^\[|\]$/g, '') ?? '';

/** An address in a spelling of which some resolvers make one, and others a name: 2130706433, 0x7f.1. */
const OTHER_NUMERIC = /^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+))*\.?$/i;

/** The addresses that stand in a URI, whichever element routes it: as its host, or as maddr (RFC 3261, 19.1.1). */
const addressesIn = (uri: string): string[] =>
  [hostOf(uri), /;maddr=\[?([^;?>\]]+)/i.exec(uri)?.[1] ?? ''].filter(
    (host) => isIP(host) !== 0 || OTHER_NUMERIC.test(host),
  );

/** May what this URI names be called, by its domain and by the addresses in it? Those that a name leads to are asked when something is sent. */
export function targetPredicate(policy: Policy): (uri: string) => boolean {
  const [mayName, mayReach] = [domainPredicate(policy), reachPredicate(policy)];
  return (uri) => mayName(hostOf(uri)) && addressesIn(uri).every(mayReach);
}

/** May this URI be called, by its number and by its target? */
export function callPredicate(policy: Policy): (uri: string) => boolean {
  const [mayDial, mayTarget] = [numberPredicate(policy), targetPredicate(policy)];
  return remembering((uri) => mayDial(uri) && mayTarget(uri));
}

/** May the number of this URI be dialled? Asked in every way that it can be taken. Without a number there is nothing to refuse. */
export function numberPredicate(policy: Policy): (uri: string) => boolean {
  const refused = policy.refusedNumbers.map((text) => new RegExp(text));
  const allowed = policy.allowedNumbers?.map((text) => new RegExp(text)) ?? null;
  return (uri) => {
    const outside = [...spellings(uri, policy.outsideLinePrefixes)];
    if (outside.some((one) => refused.some((pattern) => pattern.test(one)))) return false;
    const all = [...spellings(uri)];
    return allowed === null || all.length === 0 || all.some((one) => allowed.some((pattern) => pattern.test(one)));
  };
}

/** Why nothing may be listened on there; null: it may. `ports`: what is used or may be, each FROM-TO. */
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
