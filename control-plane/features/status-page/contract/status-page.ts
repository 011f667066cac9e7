/** The public view of a project, and its settings. */
import * as z from 'zod';
import { Id, Timestamp, Version } from '../../../contract/envelope.ts';
import { Text } from '../../../contract/fields.ts';
import { SEVERITIES } from '../../../contract/probe/words.ts';
import { HEALTH_STATES } from '../../../contract/run/measured-words.ts';
import { INVISIBLE, isVisible } from '../../../contract/visible.ts';

/** The number of days that the bars show. */
export const STATUS_DAYS = 90;
const MAX_PROBES = 50;

const PublicName = Text.trim().min(1).max(100).refine(isVisible, INVISIBLE);
const DisplayName = PublicName.describe('public name; internal names are not shown');

export const StatusPageSettings = z
  .object({
    published: z.boolean().describe('false: the address answers 404'),
    slug: z.string().nullable().describe('null: never set'),
    path: z
      .string()
      .nullable()
      .describe('where the page is; add .json for its data')
      .meta({ example: '/status/contact-center' }),
    title: z.string(),
    description: z.string(),
    probes: z.array(z.object({ probeId: Id, displayName: z.string() })),
    version: Version,
  })
  .meta({ id: 'StatusPageSettings' });

export const StatusPageChange = {
  published: z.boolean().optional(),
  slug: z
    .string()
    .min(3)
    .max(60)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must consist of a-z, 0-9 and single hyphens between them')
    .optional()
    .describe("the page's address; one in the installation"),
  title: PublicName.optional(),
  description: Text.max(1000).optional(),
  probes: z
    .array(z.strictObject({ probeId: Id, displayName: DisplayName }))
    .max(MAX_PROBES)
    .refine((all) => new Set(all.map((one) => one.probeId)).size === all.length, 'each probe must be unique')
    .optional()
    .describe('in the order in which they are shown'),
};

const uptime = z
  .number()
  .nullable()
  .describe('percent of graded executions that were not UNHEALTHY; null: none was graded');

const PublicIncident = z.object({
  component: z.string(),
  severity: z.enum(SEVERITIES),
  startedAt: Timestamp.describe('when it was opened'),
  firstFailedAt: Timestamp.nullable().describe('the first bad execution of the series; null: not known'),
  endedAt: Timestamp.nullable(),
  durationMs: z.int().nullable(),
  reason: z.string().nullable().describe('cause without names, numbers and addresses; null: not known'),
});

/** The answer of GET /status/{slug}.json. UNKNOWN: no execution was graded. */
export const StatusPage = z
  .object({
    title: z.string(),
    description: z.string(),
    status: z.enum(HEALTH_STATES).describe('the worst of the components'),
    components: z.array(
      z.object({
        name: z.string(),
        status: z.enum(HEALTH_STATES),
        uptime: z.object({ last24Hours: uptime, last7Days: uptime, last30Days: uptime, last90Days: uptime }),
        days: z
          .array(z.object({ date: z.iso.date(), status: z.enum(HEALTH_STATES), uptime }))
          .length(STATUS_DAYS)
          .describe('UTC, today last; status: the worst of the day'),
      }),
    ),
    maintenance: z
      .array(z.object({ component: z.string(), startsAt: Timestamp, endsAt: Timestamp }))
      .describe('current or planned maintenance: no alarms, and checks do not count'),
    openIncidents: z.array(PublicIncident),
    pastIncidents: z.array(PublicIncident).describe('the last incidents of the days shown'),
  })
  .meta({ id: 'StatusPage' });
export type StatusPage = z.infer<typeof StatusPage>;
