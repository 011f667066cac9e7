/**
 * The provisioning file (docs/decisions.md, Provisioning file): the intended contents of an installation, by slug. It is applied
 * at start, and applying it again changes nothing. Things that it does not name stay, unless `prune: true`. Any text may be
 * `env:NAME`.
 */
import * as z from 'zod';
import {
  Description,
  uniqueList as listOf,
  Name,
  Pasted,
  Slug as PlainSlug,
  Threshold as PlainThreshold,
  PROBE_DEFAULTS,
  Protocol,
  REGISTRAR_FIELDS,
  RegistrarSlug,
  SipUri,
  secret,
  Text,
  WebhookEvents,
  WebhookUrl,
  WrittenSipAccount,
  withoutLineFeed,
} from './fields.ts';
import { type WebhookFormat as Format, takesEvent } from './notify/formats.ts';
import { WebhookFormat, WebhookSecret } from './notify/webhook-fields.ts';
import { TIERS } from './people/words.ts';
import { ROLES } from './roles.ts';
import { PROBE_SETTINGS, writtenOf } from './test-settings/settings.ts';
import { Tls } from './test-settings/tls.ts';
import { calleeOf, groupOf, NEW_TEST, placementOf, subPopulationOf, tracksOf } from './test-settings/written.ts';

const IDENTIFIES = 'identifies the object; another slug creates a new object';
const Slug = PlainSlug.describe(IDENTIFIES);

/** A missing list counts as empty. */
export const listedOnce = <T extends z.ZodType>(item: T, key: (item: z.output<T>) => string, what: string) =>
  listOf(z.array(item), key, what).prefault(() => []);

const User = z.strictObject({
  email: z.email(),
  name: Name,
  role: z.enum(ROLES),
  password: secret(Text.min(12).refine(withoutLineFeed, 'contains a line feed'))
    .optional()
    .describe('for the dashboard; at least 12 characters'),
  projects: z.array(Slug).optional().describe('the membership reaches these projects only; absent: all'),
});

const ApiKey = z.strictObject({
  name: Name,
  user: z.email().describe('the key has the current role and projects of this user'),
  key: secret(z.string().regex(/^crl_[0-9a-f]{32}$/, 'an API key is crl_ and 32 hexadecimal characters')),
  expiresAt: z.iso.datetime().optional(),
});

const Worker = z
  .strictObject({
    name: Name,
    region: Slug.default('local'),
    capacity: z.int().min(1).max(100_000).default(1000).describe('endpoints at once'),
    joinToken: secret(Pasted.min(16))
      .optional()
      .describe('enrolls one agent, valid until used; at least 16 characters'),
    publicKey: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/, 'an Ed25519 public key is 32 bytes in base64')
      .optional(),
  })
  .refine((w) => w.joinToken !== undefined || w.publicKey !== undefined, 'a worker needs a joinToken or a publicKey');

/** A registrar of the provisioning file, and of a project's file (project-file.ts). */
export const WrittenRegistrar = z.strictObject({
  slug: RegistrarSlug.describe(IDENTIFIES),
  name: Name,
  uri: SipUri,
  protocol: Protocol.default('UDP'),
  register: REGISTRAR_FIELDS.register.default(true),
  outboundProxyUri: REGISTRAR_FIELDS.outboundProxyUri.default(null),
  webSocketPath: REGISTRAR_FIELDS.webSocketPath.default(null),
  domain: REGISTRAR_FIELDS.domain.default(null),
  gateways: REGISTRAR_FIELDS.gateways.default(() => []),
  sourceAddress: REGISTRAR_FIELDS.sourceAddress.default(null),
  tls: Tls.nullable().prefault(null),
  sipAccounts: listedOnce(WrittenSipAccount, (a) => a.username, 'SIP account'),
});

export const CALL_PATH = {
  registrar: Slug.describe('a registrar of this project, or cloud: agents call each other'),
  callee: calleeOf(
    z.strictObject({ mode: z.literal('GROUP'), group: Name.describe('a group of this test that receives') }),
  ),
  placement: placementOf({ workers: z.array(Name).min(1) }),
};

const Group = groupOf({
  ...CALL_PATH,
  mediaTracks: tracksOf(
    {},
    z.enum(['TONE', 'SPEECH', 'SILENCE']).default('TONE'),
    z.enum(['PATTERN']).default('PATTERN'),
  ),
  subPopulations: z
    .array(
      subPopulationOf({
        sipAccounts: z.array(z.string()).optional().describe('usernames; absent: the next free ones'),
      }),
    )
    .min(1),
});

export const WrittenThreshold = PlainThreshold.extend({ enabled: z.boolean().default(true) });

const Test = z.strictObject({
  slug: Slug,
  ...NEW_TEST,
  maxExecutionSeconds: NEW_TEST.maxExecutionSeconds.describe(
    'absent: buildup + duration + the longest answer timeout + 60',
  ),
  groups: listedOnce(Group, (g) => g.name, 'group').refine((groups) => groups.length > 0, 'a test needs a group'),
  thresholds: listedOnce(WrittenThreshold, (t) => t.metricKey, 'metric key'),
});

export const WrittenProbe = z.strictObject({
  slug: Slug,
  name: Name,
  description: Description.default(''),
  ...PROBE_DEFAULTS,
  parent: Slug.nullable().default(null).describe('slug of the parent probe: siblings are shown together'),
  test: z.strictObject({ ...CALL_PATH, ...writtenOf(PROBE_SETTINGS) }),
  thresholds: listedOnce(WrittenThreshold, (t) => t.metricKey, 'metric key'),
});

const Webhook = z
  .strictObject({
    url: WebhookUrl,
    format: WebhookFormat.default('STANDARD'),
    events: WebhookEvents,
    secret: WebhookSecret,
  })
  .refine(({ format, events }) => events.every((one) => takesEvent(format, one)), {
    path: ['events'],
    error: ({ input }) => `${(input as { format: Format }).format} receives incidents only`,
  });

const Project = z.strictObject({
  slug: Slug,
  name: Name,
  description: Description.default(''),
  registrars: listedOnce(WrittenRegistrar, (r) => r.slug, 'registrar slug'),
  tests: listedOnce(Test, (t) => t.slug, 'test slug'),
  probes: listedOnce(WrittenProbe, (p) => p.slug, 'probe slug'),
  webhooks: listedOnce(Webhook, (w) => w.url, 'webhook URL'),
});

const Organization = z.strictObject({
  slug: Slug,
  name: Name,
  plan: z.enum(TIERS).default('UNLIMITED'),
  runsInstallation: z
    .boolean()
    .default(false)
    .describe('its OWNERs own the installation: they see figures of all organizations, and create others'),
  prune: z.boolean().default(false).describe('delete objects of this organization that the file does not name'),
  users: listedOnce(User, (u) => u.email.toLowerCase(), 'e-mail address'),
  apiKeys: listedOnce(ApiKey, (k) => k.name, 'API key name'),
  workers: listedOnce(Worker, (w) => w.name, 'worker name'),
  projects: listedOnce(Project, (p) => p.slug, 'project slug'),
});

export const ProvisionFile = z.strictObject({
  organizations: listedOnce(Organization, (o) => o.slug, 'organization slug'),
});

export type ProvisionFile = z.output<typeof ProvisionFile>;
export type ProvisionOrganization = ProvisionFile['organizations'][number];
export type ProvisionProject = ProvisionOrganization['projects'][number];
export type ProvisionTest = ProvisionProject['tests'][number];
export type ProvisionGroup = ProvisionTest['groups'][number];
export type ProvisionProbe = ProvisionProject['probes'][number];

/** The JSON Schema (2020-12) of the file, for editors. It is committed as provision.schema.json. */
export const provisionJsonSchema = (): object => ({
  $id: 'https://carillon.example/provision.schema.json',
  title: 'Carillon provisioning file',
  ...z.toJSONSchema(ProvisionFile, { io: 'input' }),
});
