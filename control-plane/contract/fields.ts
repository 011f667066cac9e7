/**
 * The types of single fields, which the API's bodies and the provisioning file share. They have no defaults: only bodies that
 * create things have those.
 */
import { Secret } from '@carillon/proto/base/secret.ts';
import * as z from 'zod';
import { METRIC_KEY_NAMES } from './metric-keys.ts';
import { WEBHOOK_EVENTS } from './notify/words.ts';
import { SCHEDULE_TYPES } from './probe/words.ts';
import { ACCOUNT_COLUMNS, PROBE_MODES, PROTOCOLS } from './test-settings/words.ts';
import { INVISIBLE, isVisible } from './visible.ts';

/** PostgreSQL accepts neither NUL nor unpaired surrogates. */
export const Text = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'), {
  error: 'contains an invalid character (NUL, or half of a surrogate pair)',
  abort: true,
});

/** Text that users paste. A line feed or blank that was copied with it does not belong to the key, and would not be noticed. */
export const Pasted = Text.refine((text) => text === text.trim(), 'begins or ends with white space').refine(
  isVisible,
  INVISIBLE,
);

/** A secret text that is never printed. Documents show only a `prefault`, no `default`, of objects with such a field. */
export const secret = <T extends z.ZodType<string>>(text: T) => text.transform((value) => new Secret(value));

export const Slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'a slug has lower-case letters, digits and inner hyphens, at most 63',
  );
/** White space around the text is not a part of it. */
export const Name = Text.trim().min(1).max(200).refine(isVisible, INVISIBLE);
export const Description = Text.max(2000);
export const SipUri = Text.max(1000)
  .regex(/^sips?:\S+$/i, { error: 'a SIP URI begins with sip: or sips:', abort: true })
  .refine(isVisible, INVISIBLE);
export const Seconds = z.int().min(1).max(86_400);
export const Buildup = z.int().min(0).max(86_400);
/** The maximum number of endpoints of a run, of all groups together. */
export const MAX_ENDPOINTS = 1_000_000;
export const Endpoints = z.int().min(1).max(MAX_ENDPOINTS);

const Domain = Text.max(253).regex(
  /^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/,
  'must be a host name or an address, without sip:',
);
const Gateways = z
  .array(
    Text.max(100).regex(
      /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/,
      'must be an address, for example 192.0.2.1 or 192.0.2.1:5060',
    ),
  )
  .max(20)
  .refine((all) => new Set(all).size === all.length, 'duplicates are not allowed');

const SourceAddress = Text.max(45)
  .refine(
    (text) => z.union([z.ipv4(), z.ipv6()]).safeParse(text).success,
    'must be an address, for example 192.0.2.7 or 2001:db8::7',
  )
  .refine((text) => !/^(0\.0\.0\.0|[0:]+)$/.test(text), 'must be one address of a host, not all of them');

const WebSocketPath = Text.max(500)
  .regex(/^\/[!-"$-~]*$/, 'begins with / and has no spaces, no # and nothing but ASCII')
  .nullable()
  .describe("of WS and WSS: path of the server's WebSocket, such as /ws; null: /");

export const REGISTRAR_FIELDS = {
  register: z
    .boolean()
    .describe(
      'whether endpoints register; false: a trunk, calls go to its URI without registration; challenges are answered with its accounts, which endpoints take in turn',
    ),
  outboundProxyUri: SipUri.nullable().describe(
    'first hop of requests, with this URI as their Route (RFC 3261, 8.1.2); null: the URI of the registrar',
  ),
  webSocketPath: WebSocketPath,
  sourceAddress: SourceAddress.nullable().describe(
    "source address of SIP and media, on the agent's host; agents without it carry no calls of this registrar; null: the agent's default",
  ),
  domain: Domain.nullable().describe('host of the addresses of record, in From and To; null: that of the URI'),
  gateways: Gateways.describe(
    'further addresses, tried in turn if the address of the URI does not answer (RFC 3263, 4.3); only if the URI has an address, not a name',
  ),
};

export const RegistrarSlug = Slug.refine(
  (s) => s !== 'cloud',
  'the built-in registrar of each project has the slug cloud',
);
export const Protocol = z.enum(PROTOCOLS);

/** The user name becomes the user part of a SIP URI. */
const SipUsername = Text.min(1)
  .max(128)
  .regex(/^[^\s@<>"\p{Cc}]+$/u, {
    error: 'a user name has no spaces, control characters, @, <, > and quotes',
    abort: true,
  })
  .refine(isVisible, INVISIBLE);
/** A password may begin or end with a blank; a line feed was only pasted with it. */
export const withoutLineFeed = (text: string): boolean => !/[\r\n]/.test(text);
/** Text that is visible, and has no replacement character for bytes that could not be decoded. */
const isReadable = (text: string): boolean => isVisible(text) && !text.includes('\ufffd');
const SipPassword = secret(
  Text.max(256)
    .refine(withoutLineFeed, 'contains a line feed')
    .refine(isReadable, 'has a character that cannot be seen'),
);

/** Text that is valid within one line of a message. */
export const Line = Text.regex(/^\P{Cc}*$/u, 'has a control character, such as a line break');
export const VisibleLine = Text.refine(isVisible, { error: INVISIBLE, abort: true }).refine(
  (text) => text.trim() !== '',
  'is only white space',
);
const DisplayName = VisibleLine.min(1).max(100).describe('the name before the address in From (RFC 3261, 20.20)');

/** The name of a column of accounts, in `{{pin}}` as in the account. */
const ColumnName = Text.max(64).regex(
  /^\p{L}[\p{L}\p{N}_ -]*$/u,
  'a column begins with a letter; letters, digits, spaces, _ and - follow',
);
const MAX_COLUMNS = 50;
const Values = z
  .record(ColumnName, Line.max(256))
  .refine((values) => Object.keys(values).length <= MAX_COLUMNS, `an account has ${MAX_COLUMNS} values at most`)
  .refine(
    (values) => ACCOUNT_COLUMNS.every((name) => !(name in values)),
    `${ACCOUNT_COLUMNS.join(', ')} are columns of every account`,
  )
  .describe(
    'custom values by column: `{{pin}}` in a test stands for the value of pin. Not for secrets: values are visible',
  );

/** The fields of an account besides its user name. Each is optional. */
const ACCOUNT_FIELDS = {
  password: SipPassword.nullable().describe('null without ha1: challenges are not answered'),
  ha1: secret(Text.regex(/^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{64})$/, 'HA1 is 32 hexadecimal digits (MD5) or 64 (SHA-256)'))
    .nullable()
    .describe('H(auth name:realm:password), instead of the password (RFC 7616, 3.4.2)'),
  authName: VisibleLine.min(1)
    .max(128)
    .nullable()
    .describe('the user name in answers to challenges; null: the user name'),
  displayName: DisplayName.nullable().describe('shown in From, unless the group sets another; null: none'),
  number: SipUsername.nullable().describe(
    'by which groups of a test call it, and from which its calls over a trunk come; null: the user name',
  ),
  values: Values,
};

/** An account as bodies and the provisioning file write it. */
export const WrittenSipAccount = z
  .strictObject({
    username: SipUsername,
    ...ACCOUNT_FIELDS,
    password: ACCOUNT_FIELDS.password.prefault(null),
    ha1: ACCOUNT_FIELDS.ha1.prefault(null),
    authName: ACCOUNT_FIELDS.authName.default(null),
    displayName: ACCOUNT_FIELDS.displayName.default(null),
    number: ACCOUNT_FIELDS.number.default(null),
    values: Values.default({}),
  })
  .refine((a) => a.password === null || a.ha1 === null, {
    path: ['ha1'],
    message: 'is set in addition to a password: an account has one of the two',
  });

/** A password and an HA1 replace each other. */
export const CHANGED_SIP_ACCOUNT = z.object({ username: SipUsername, ...ACCOUNT_FIELDS }).partial().shape;

export const Threshold = z.strictObject({
  metricKey: z.enum(METRIC_KEY_NAMES),
  greenValue: z.number(),
  orangeValue: z.number(),
});

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day is HH:MM');
const TimeZone = z.string().max(64).refine(isTimeZone, 'is not an IANA time zone, such as Europe/Paris');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The columns of a probe besides its names and its call. */
export const PROBE_FIELDS = {
  mode: z.enum(PROBE_MODES),
  enabled: z.boolean(),
  scheduleType: z.enum(SCHEDULE_TYPES),
  fixedIntervalSec: z
    .union([z.literal(300), z.literal(900), z.literal(1800), z.literal(3600)], 'is 300, 900, 1800 or 3600 seconds')
    .nullable(),
  cronExpression: Text.max(200).trim().nullable().describe('minute hour day month weekday, in the time zone'),
  timeOfDayStartUtc: TimeOfDay.nullable().describe("HH:MM in the probe's time zone: start of the daily period"),
  timeOfDayEndUtc: TimeOfDay.nullable().describe(
    'HH:MM: end of the daily period, on the next day if it is earlier than the start',
  ),
  timezone: TimeZone,
  durationSeconds: Seconds,
  alertStrikeRuns: z.int().min(1).max(100),
  escalateAfterMinutes: z.int().min(1).max(1_000_000),
  autoPauseAfterHours: z.int().min(1).max(100_000).nullable(),
  expectedStatusCodes: z
    .array(z.int().min(300).max(699))
    .min(1)
    .max(50)
    .nullable()
    .describe('final SIP statuses that are expected of a target that refuses; null: the target accepts'),
};

/** The fields of a new probe: all of them are optional. */
export const PROBE_DEFAULTS = {
  mode: PROBE_FIELDS.mode.default('CALL'),
  enabled: PROBE_FIELDS.enabled.default(true),
  scheduleType: PROBE_FIELDS.scheduleType.default('FIXED_INTERVAL'),
  fixedIntervalSec: PROBE_FIELDS.fixedIntervalSec.default(null),
  cronExpression: PROBE_FIELDS.cronExpression.default(null),
  timeOfDayStartUtc: PROBE_FIELDS.timeOfDayStartUtc.default(null),
  timeOfDayEndUtc: PROBE_FIELDS.timeOfDayEndUtc.default(null),
  timezone: PROBE_FIELDS.timezone.default('UTC'),
  durationSeconds: PROBE_FIELDS.durationSeconds.default(10),
  alertStrikeRuns: PROBE_FIELDS.alertStrikeRuns.default(2),
  escalateAfterMinutes: PROBE_FIELDS.escalateAfterMinutes.default(60),
  autoPauseAfterHours: PROBE_FIELDS.autoPauseAfterHours.default(null),
  expectedStatusCodes: PROBE_FIELDS.expectedStatusCodes.default(null),
};

export const WebhookUrl = Text.max(2000)
  .pipe(z.url({ protocol: /^https?$/, error: 'is not an http:// or https:// address' }))
  .refine(
    (url) => !/^https?:\/\/[^/?#]*@/i.test(url),
    'contains a user name or password; the signature authenticates deliveries',
  );

export const WebhookEvents = z.array(z.enum(WEBHOOK_EVENTS)).min(1);

/** A list whose items are identified by `key`. */
export const uniqueList = <T extends z.ZodArray>(list: T, key: (item: z.output<T>[number]) => string, what: string) =>
  list.refine((items) => new Set(items.map(key)).size === items.length, `each ${what} must be unique`);
