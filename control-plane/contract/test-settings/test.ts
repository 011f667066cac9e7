/** A test's configuration: groups, sub-populations, media, load (docs/decisions.md, Test detail). */
import * as z from 'zod';
import { Id, Timestamp, Version } from '../envelope.ts';
import { METRIC_KEY_NAMES } from '../metric-keys.ts';
import { RunResult } from '../run-result.ts';
import { RUN_STATUSES } from '../run-status.ts';
import { answeredOf, GROUP_SETTINGS, SUB_POPULATION_SETTINGS, TEST_SETTINGS, TRACK_SETTINGS } from './settings.ts';
import { AUDIO_SOURCES, TRACK_KINDS, VIDEO_SOURCES } from './track-words.ts';
import { ENDPOINT_TYPES } from './words.ts';

const MediaTrack = z.object({
  id: Id,
  kind: z.enum(TRACK_KINDS),
  source: z.enum([...AUDIO_SOURCES, ...VIDEO_SOURCES]),
  mediaFileId: Id.nullable(),
  ...answeredOf(TRACK_SETTINGS),
});

const SubPopulation = z.object({
  id: Id,
  name: z.string(),
  role: z.enum(ENDPOINT_TYPES),
  endpoints: z.int().min(1).describe('calls at once'),
  ...answeredOf(SUB_POPULATION_SETTINGS),
  sipAccountIds: z.array(Id).nullable(),
});

export const Callee = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('EXTERNAL_URI'), uri: z.string(), uris: z.array(z.string()).optional() }),
  z.object({ mode: z.literal('GROUP'), groupId: Id }),
  z.object({ mode: z.literal('RECEIVE') }),
  z.object({ mode: z.literal('NONE') }).describe('of mode REGISTER: no calls'),
]);

export const Placement = z.discriminatedUnion('mode', [
  z.object({
    mode: z.literal('REGION'),
    region: z.string(),
    regions: z
      .record(z.string(), z.int())
      .optional()
      .describe('regions that share the endpoints, with their weights; absent: only `region`'),
  }),
  z.object({ mode: z.literal('WORKERS'), workerIds: z.array(Id).min(1) }),
]);

export const Group = z
  .object({
    id: Id,
    name: z.string(),
    registrarId: Id,
    callee: Callee,
    placement: Placement,
    ...answeredOf(GROUP_SETTINGS),
    mediaTracks: z.array(MediaTrack),
    subPopulations: z.array(SubPopulation).min(1),
  })
  .meta({ id: 'Group' });
export type Group = z.infer<typeof Group>;

export const TestThreshold = z.object({
  metricKey: z.enum(METRIC_KEY_NAMES),
  greenValue: z.number(),
  orangeValue: z.number(),
});

/** The configuration in a test's row, besides its name and its three numbers. A run has its own copy. */
export const TestConfig = z.object({
  groups: z.array(Group).min(1),
  ...answeredOf(TEST_SETTINGS),
  thresholds: z.array(TestThreshold),
  maxExecutionSeconds: z.int().min(1).nullable(),
});
export type TestConfig = z.infer<typeof TestConfig>;

export const Test = z
  .object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    endpoints: z.int(),
    durationSeconds: z.int(),
    buildup: z
      .int()
      .describe(
        'seconds over which registrations and call starts are spread; of other shapes than BUILDUP, the length of their starts',
      ),
    lastRunStatus: z.enum(RUN_STATUSES).nullable(),
    lastRunResult: RunResult.nullable().describe('as `result` of that run'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Test' });

export const TestDetail = Test.extend({
  description: z.string(),
  projectId: Id,
  version: Version,
  ...TestConfig.shape,
  codecs: z.object({ audio: z.array(z.string()), video: z.array(z.string()) }),
  media: z.array(z.object({ kind: z.string(), source: z.string() })),
}).meta({ id: 'TestDetail' });
