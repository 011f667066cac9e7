/**
 * A project as a file, for `carillon plan`, `apply`, `import` and `dev`. It is an entry of `projects` in the provisioning file,
 * plus recordings. Secrets are removed before it is checked (cli/project/secrets.ts), because a plan needs none.
 */
import * as z from 'zod';
import { Description, Name, Slug, uniqueList, WebhookEvents, WebhookUrl } from './fields.ts';
import { WebhookFormat } from './notify/webhook-fields.ts';
import { CALL_PATH, listedOnce, WrittenProbe, WrittenRegistrar, WrittenThreshold } from './provision.ts';
import { AUDIO_SOURCES, VIDEO_SOURCES } from './test-settings/track-words.ts';
import { groupOf, NEW_TEST, subPopulationOf, tracksOf } from './test-settings/written.ts';

const MediaFile = z.strictObject({
  name: Name,
  file: z.string().min(1).describe('its path, from the folder of this file'),
});

const Group = groupOf({
  ...CALL_PATH,
  mediaTracks: tracksOf(
    { mediaFile: Name.nullable().default(null).describe('of source FILE: the name of a recording') },
    z.enum(AUDIO_SOURCES).default('TONE'),
    z.enum(VIDEO_SOURCES).default('PATTERN'),
  ),
  subPopulations: uniqueList(
    z
      .array(
        subPopulationOf({
          sipAccounts: z.array(z.string()).nullable().default(null).describe('usernames; null: the next free ones'),
        }),
      )
      .min(1),
    (s) => s.name,
    'sub-population',
  ),
});

const Test = z.strictObject({
  slug: Slug,
  ...NEW_TEST,
  groups: listedOnce(Group, (g) => g.name, 'group').refine((groups) => groups.length > 0, 'a test needs a group'),
  thresholds: listedOnce(WrittenThreshold.omit({ enabled: true }), (t) => t.metricKey, 'metric key'),
});

const Webhook = z.strictObject({
  url: WebhookUrl,
  format: WebhookFormat.default('STANDARD'),
  events: WebhookEvents,
});

export const ProjectFile = z.strictObject({
  slug: Slug.default('default'),
  name: Name.optional().describe('absent: the slug'),
  description: Description.default(''),
  mediaFiles: listedOnce(MediaFile, (m) => m.name, 'recording'),
  registrars: listedOnce(WrittenRegistrar, (r) => r.slug, 'registrar slug'),
  tests: listedOnce(Test, (t) => t.slug, 'test slug'),
  probes: listedOnce(WrittenProbe, (p) => p.slug, 'probe slug'),
  webhooks: listedOnce(Webhook, (w) => w.url, 'webhook URL'),
});

export type ProjectFile = z.output<typeof ProjectFile>;
export type FileRegistrar = ProjectFile['registrars'][number];
export type FileTest = ProjectFile['tests'][number];
export type FileProbe = ProjectFile['probes'][number];
export type FileWebhook = ProjectFile['webhooks'][number];
