/**
 * The last word of the host's owner: where calls may go and how many. Reported to the control plane, which cannot widen it,
 * and asked at send time for every address.
 */
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parse } from 'yaml';
import * as z from 'zod';

/** Private, loopback and link-local networks: nothing public unless the owner says so. */
const DEFAULT_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/**
 * Of a number without separators and without + or 00. Emergency numbers as a whole; 100 to 109, which some countries use, are
 * everybody's extensions and not among them. Then numbers that cost: premium rate in the larger countries, satellites.
 */
const DEFAULT_REFUSED_NUMBERS = [
  '^(?:000|08|15|17|18|11[0-9]|12[02]|133|144|19[0-9]|911|933|988|99[1-9])$',
  '^1?900\\d{7}$',
  '^0900\\d{4,}$',
  '^49900\\d{4,}$',
  '^(?:31|32|41|43)90\\d{5,}$',
  '^3389\\d{7}$',
  '^34(?:80[367]|905)\\d{6}$',
  '^3989[259]\\d{3,}$',
  '^44(?:9\\d|87[123])\\d{7,8}$',
  '^4870\\d{7}$',
  '^61190\\d{7}$',
  '^(?:870|88[123]|979)\\d{7,}$',
];

const Pattern = z.string().refine((text) => {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}, 'not a regular expression');

const Cidr = z.string().refine((text) => ipaddr.isValidCIDR(text), 'a network is ADDRESS/PREFIX');

const Domain = z
  .string()
  .toLowerCase()
  .regex(/^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'a domain is NAME or *.NAME');

const PolicyFile = z.strictObject({
  targetNetworks: z.array(Cidr).min(1).default(DEFAULT_NETWORKS),
  targetDomains: z.array(Domain).nullable().default(null),
  maxCallsPerSecond: z.number().positive().default(50),
  maxEndpoints: z.int().min(1).default(1000),
  maxDurationSeconds: z.int().min(1).default(3600),
  refusedNumbers: z.array(Pattern).default(DEFAULT_REFUSED_NUMBERS),
});

export type Policy = {
  readonly targetNetworks: readonly string[];
  /** `example.net`, `*.example.net`: what is below it. Null: any name, as long as its addresses are allowed. */
  readonly targetDomains: readonly string[] | null;
  readonly maxCallsPerSecond: number;
  readonly maxEndpoints: number;
  readonly maxDurationSeconds: number;
  /** Regular expressions. */
  readonly refusedNumbers: readonly string[];
};

/** @throws Error that names the file and what is wrong in it */
export async function readPolicy(file: string | null): Promise<Policy> {
  if (file === null) return PolicyFile.parse({});
  try {
    const parsed = PolicyFile.safeParse(parse(await readFile(file, 'utf8')) ?? {});
    if (parsed.success) return parsed.data;
    throw new Error(parsed.error.issues.map((i) => `${i.path.join('.') || '(file)'}: ${i.message}`).join('; '));
  } catch (error) {
    throw new Error(`The policy ${file} cannot be used: ${(error as Error).message}`);
  }
}

/** May anything be sent to this numeric address? IPv6-mapped IPv4 addresses count as what they map. */
export function reachPredicate(policy: Policy): (address: string) => boolean {
  const networks = policy.targetNetworks.map((text) => ipaddr.parseCIDR(text));
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const target = ipaddr.process(address);
    return networks.some(([network, prefix]) => network.kind() === target.kind() && target.match(network, prefix));
  };
}

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

/** May this URI be called, by its number and by its domain? */
export function callPredicate(policy: Policy): (uri: string) => boolean {
  const [mayDial, mayName] = [numberPredicate(policy), domainPredicate(policy)];
  return (uri) => mayDial(uri) && mayName(hostOf(uri));
}

/** The user part of a SIP URI, or a tel URI, as a telephone dials it: unescaped, without parameters, visual separators and + (RFC 3966, 5.1.1). */
export function dialledNumber(uri: string): string {
  const user = /^(?:sips?:([^@:;?]*)[^@]*@|tel:([^;?@]*))/i.exec(uri)?.slice(1).join('') ?? '';
  return unescaped(user)
    .replace(/[-.()/\s]/g, '')
    .replace(/^\+|#$/g, '');
}

/** May this URI be called? Asked as it is dialled, and without an international prefix. */
export function numberPredicate(policy: Policy): (uri: string) => boolean {
  const refused = policy.refusedNumbers.map((text) => new RegExp(text));
  return (uri) => {
    const number = dialledNumber(uri);
    const spellings = number.startsWith('00') ? [number, number.slice(2)] : [number];
    return number === '' || !refused.some((pattern) => spellings.some((spelling) => pattern.test(spelling)));
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
