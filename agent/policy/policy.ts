/**
 * The policy of the host's owner: permitted targets and numbers of calls, and what may be kept of them. It is reported
 * to the control plane, which cannot extend it. This is the only definition: it parses the file, and the JSON Schema is
 * generated from it.
 */
import { isDeepStrictEqual } from 'node:util';
import { readRegular } from '@carillon/proto/base/files.ts';
import { parsePattern } from '@carillon/proto/number-pattern.ts';
import ipaddr from 'ipaddr.js';
import { parse } from 'yaml';
import * as z from 'zod';

/** Private, loopback and link-local networks: public ones are allowed only if the policy lists them. */
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
 * Numbers without separators and without + or 00. Emergency numbers match as a whole; 100 to 109, which some countries
 * use, are common extensions and not included. Expensive numbers follow: premium rate in the larger countries,
 * satellites.
 */
const DEFAULT_REFUSED_NUMBERS = [
  '^(?:000|08|15|17|18|11[0-9]|12[02]|133|144|19[0-9]|911|933|988|99[1-9])$',
  // The services of RFC 5031, 4.2, are written without separators.
  '^[Ss][Oo][Ss](?:ambulance|animalcontrol|fire|gas|marine|mountain|physician|poison|police)?$',
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

/** 9 is used in North America, 0 in most of the rest of the world, * by some key systems. */
const DEFAULT_OUTSIDE_LINES = ['0', '9', '*'];
/** This allows 35 calls day and night: more than most tests last, and less than the use of a stolen account. */
const DEFAULT_MINUTES_A_DAY = 50_000;

const Pattern = z.string().superRefine((text, context) => {
  const pattern = parsePattern(text);
  if (typeof pattern === 'string') context.addIssue({ code: 'custom', message: pattern });
});

const Cidr = z.string().refine((text) => ipaddr.isValidCIDR(text), 'a network is ADDRESS/PREFIX');

const Domain = z
  .string()
  .toLowerCase()
  .regex(/^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'a domain is NAME or *.NAME');

const Ports = z
  .string()
  .regex(/^\d+-\d+$/, 'a range is FROM-TO')
  .refine((text) => {
    const { from, to } = portsOf(text);
    return from >= 1 && from <= to && to <= 65_535;
  }, 'a range must be within 1-65535');

const PolicyFile = z.strictObject({
  targetNetworks: z
    .array(Cidr)
    .min(1)
    .default(DEFAULT_NETWORKS)
    .describe(
      'networks that SIP and RTP may be sent to, ADDRESS/PREFIX; checked for each address when something is sent',
    ),
  targetDomains: z
    .array(Domain)
    .nullable()
    .default(null)
    .describe('names that may be called or looked up: NAME, or *.NAME for what is below it; null: any'),
  refusedNumbers: z
    .array(Pattern)
    .default(DEFAULT_REFUSED_NUMBERS)
    .describe('regular expressions over a number as it is dialled, without separators, + and 00'),
  outsideLinePrefixes: z
    .array(z.string().regex(/^[\d*#]{1,4}$/, 'a prefix is 1 to 4 of 0-9, * and #'))
    .default(DEFAULT_OUTSIDE_LINES)
    .describe(
      'prefixes that a PBX takes for an outside line; refusedNumbers also apply to the number after such a prefix',
    ),
  allowedNumbers: z
    .array(Pattern)
    .nullable()
    .default(null)
    .describe('regular expressions; null: every number that is not refused'),
  maxCallsPerSecond: z.number().positive().default(50).describe('over all runs that the host carries'),
  maxEndpoints: z.int().min(1).default(1000).describe('at once, over all runs'),
  maxDurationSeconds: z.int().min(1).default(3600).describe('of a call'),
  maxMinutesADay: z
    .number()
    .positive()
    .nullable()
    .default(DEFAULT_MINUTES_A_DAY)
    .describe('minutes of calls of all endpoints on this host since midnight UTC, across restarts; null: no limit'),
  listenAddresses: z
    .array(Cidr)
    .min(1)
    .nullable()
    .default(null)
    .describe('addresses on which SIP and RTP may listen, ADDRESS/PREFIX; null: as the environment says'),
  ports: Ports.nullable().default(null).describe('that SIP and RTP may use, FROM-TO; null: any'),
  mayKeep: z
    .strictObject({
      messages: z.boolean().default(true).describe('SIP messages, for the ladder and the trace'),
      bodies: z.boolean().default(true).describe('message bodies'),
      rtpHeaders: z
        .boolean()
        .default(true)
        .describe('headers of RTP packets, without payload, if a test asks for them'),
    })
    .prefault({})
    .describe('what traces of calls may contain'),
  mayExport: z
    .strictObject({ hep: z.boolean().default(true).describe('SIP messages to a HEP collector') })
    .prefault({}),
});

/** `targetDomains` and the other nullable rules: null means no rule. See policy.schema.json. */
export type Policy = Readonly<z.infer<typeof PolicyFile>>;

/** The schema that editors read; `npm run generate` writes it to policy.schema.json. */
export const policyJsonSchema = (): object => ({
  $id: 'https://carillon.example/policy.schema.json',
  title: 'Carillon agent policy: what this host allows',
  ...z.toJSONSchema(PolicyFile, { io: 'input' }),
});

export function portsOf(range: string): { readonly from: number; readonly to: number } {
  const [from = 0, to = 0] = range.split('-').map(Number);
  return { from, to };
}

/**
 * `before`: the active policy, which an empty file does not replace by the defaults: the file is probably incomplete.
 * @throws Error that names the file and its fault
 */
export async function readPolicy(file: string | null, before: Policy | null = null): Promise<Policy> {
  const defaults = PolicyFile.parse({});
  if (file === null) return defaults;
  try {
    const document: unknown = parse(await readRegular(file)) ?? null;
    if (document === null && before !== null && !isDeepStrictEqual(before, defaults))
      throw new Error('it is empty; write {} for the defaults');
    const parsed = PolicyFile.safeParse(document ?? {});
    if (parsed.success) return parsed.data;
    throw new Error(parsed.error.issues.map((i) => `${i.path.join('.') || '(file)'}: ${i.message}`).join('; '));
  } catch (error) {
    throw new Error(`The policy ${file} cannot be used: ${(error as Error).message}`);
  }
}
