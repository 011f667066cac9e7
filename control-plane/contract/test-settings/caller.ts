/**
 * How callers name themselves, whom they call, and what their requests carry: declared once for answers, requests and the
 * provisioning file. `{{column}}` stands for that column of the endpoint's SIP account, `{{1000..1999}}` for a number of the
 * endpoint's own.
 */
import { filled, placesOf, rangeOf } from '@carillon/proto/words/template.ts';
import * as z from 'zod';
import { Line } from '../fields.ts';
import { DIVERSION_REASONS, HEADER_METHODS, PRIVACIES } from './words.ts';

/** A value for every placeholder. For a range, this is its longest number. */
const ANYTHING: Readonly<Record<string, string>> = new Proxy({}, { get: (_, name) => lastOf(String(name)) });

function lastOf(name: string): string {
  const range = rangeOf(name);
  return range === null ? '1' : String(range.last).padStart(range.width, '0');
}

/** The text with some value for each of its placeholders. */
export const withAnything = (text: string): string => filled(text, ANYTHING);

/** A range that counts down is refused: every endpoint would have the same number. */
export const countsUp = {
  test: (text: string): boolean => backwards(text) === undefined,
  error: ({ input }: { readonly input?: unknown }): string => {
    const { name = '', up = '' } = backwards(String(input)) ?? {};
    return `counts down in {{${name}}}: write the smaller number first, {{${up}}}`;
  },
};

const backwards = (text: string) =>
  placesOf(text).flatMap((name) => {
    const { first = 0, last = 0 } = rangeOf(name) ?? {};
    return first > last ? [{ name, up: name.split('..').reverse().join('..') }] : [];
  })[0];

/** A text with placeholders; `rest` is the pattern that it must match with its values inserted. */
const withPlaces = (rest: RegExp, message: string) =>
  Line.refine((text) => placesOf(text).every((name) => name !== ''), 'has a place {{}} without a name')
    .refine(countsUp.test, { error: countsUp.error })
    .refine((text) => rest.test(withAnything(text)), message);

/** The pattern that each of these texts must match with its values inserted. */
export const FILLED = {
  displayName: /^.{0,100}$/u,
  callerNumber: /^[^\s@<>":]+(@[^\s@<>":;?]+(:\d+)?)?$/u,
  uri: /^(sips?:[^\s<>"]+|tel:\+?[0-9A-Fa-f*#().-]+(;[^\s<>"]+)?)$/iu,
  digits: /^[0-9*#A-D]{1,64}$/,
  value: /^[^\r\n]{0,1024}$/u,
} as const;

const COLUMNS = 'with {{columns}} of their accounts, or {{1000..1999}}, which counts';

export const ShownName = withPlaces(/./u, 'is empty')
  .max(100)
  .describe(`display name in From (RFC 3261, 20.20), ${COLUMNS}; null: that of the account`);

export const CallerNumber = withPlaces(
  FILLED.callerNumber,
  'must be the user part of an address, or the whole address without sip:',
)
  .max(256)
  .describe(
    `the identity in From: a number or name, or with @host the whole address, ${COLUMNS}; null: the number of the account on a trunk, its user name where it registers`,
  );

const IdentityUri = withPlaces(FILLED.uri, 'is not a SIP or tel URI').max(1000);

export const AssertedIdentity = IdentityUri.describe(
  `P-Asserted-Identity of INVITE (RFC 3325), ${COLUMNS}; null: none`,
);

export const Privacy = z
  .array(z.enum(PRIVACIES))
  .max(PRIVACIES.length)
  .refine((all) => new Set(all).size === all.length, 'duplicates are not allowed')
  .refine((all) => !all.includes('NONE') || all.length === 1, 'NONE cannot be combined with others')
  .describe('Privacy of INVITE (RFC 3323, RFC 3325); []: not sent');

export const Diversion = z
  .strictObject({
    uri: IdentityUri.describe(`address of the diverting user, ${COLUMNS}`),
    reason: z.enum(DIVERSION_REASONS).default('UNCONDITIONAL'),
    counter: z.int().min(1).max(100).default(1),
  })
  .describe('Diversion of INVITE (RFC 5806)')
  .meta({ id: 'Diversion' });

export const CalleeUri = withPlaces(/^sips?:\S+$/i, 'a SIP URI begins with sip: or sips:')
  .max(1000)
  .describe(
    'address that callers call, with {{columns}} of their accounts; {{1000..1999}} counts: the first caller has 1000, the second 1001 …',
  );

export const CalleeUris = z
  .array(CalleeUri)
  .max(10_000)
  .optional()
  .describe('further addresses: callers use uri and these in turn');

/** Header fields that the SIP engine writes, or reads to distinguish messages. Short forms are included (RFC 3261, 7.3.3). */
const OURS: ReadonlySet<string> = new Set(
  `accept allow authorization call-id contact content-encoding content-length content-type cseq event expires from
   max-forwards min-expires min-se proxy-authorization proxy-require rack record-route refer-to referred-by replaces
   require route rseq session-expires supported to user-agent via x-carillon-call
   b c e f i k l m o r s t v x`.split(/\s+/),
);

const Header = z
  .strictObject({
    methods: z
      .array(z.enum(HEADER_METHODS))
      .min(1)
      .default(['INVITE'])
      .describe('methods of the requests with this field. INVITE: only the initial one'),
    name: z
      .string()
      .max(100)
      .regex(/^[A-Za-z0-9\-.!%*_+`'~]+$/, 'is not a valid header field name (RFC 3261, 25.1)')
      .refine((name) => !OURS.has(name.toLowerCase()), 'is a header field that the agent sets itself'),
    value: withPlaces(FILLED.value, 'is longer than 1024 characters').min(1).max(1024).describe(COLUMNS),
  })
  .meta({ id: 'Header' });

export const Headers = z.array(Header).max(30, 'at most 30 header fields a group');
