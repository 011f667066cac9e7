/**
 * A test as users write it, declared once for requests and the provisioning file. These differ in how they refer to other things,
 * by ids or by slugs and names, so each adds its own references.
 */
import * as z from 'zod';
import { Buildup, Description, Endpoints, Name, Seconds, Slug } from '../fields.ts';
import { CalleeUri, CalleeUris } from './caller.ts';
import {
  GROUP_SETTINGS,
  SUB_POPULATION_SETTINGS,
  schemasOf,
  TEST_SETTINGS,
  TRACK_SETTINGS,
  writtenOf,
} from './settings.ts';
import { ENDPOINT_TYPES } from './words.ts';

type Shape = z.core.$ZodLooseShape;

const ExternalCallee = z.strictObject({ mode: z.literal('EXTERNAL_URI'), uri: CalleeUri, uris: CalleeUris });

/** The callee of mode REGISTER. */
const Nobody = z.strictObject({ mode: z.literal('NONE') });

/** The callee of a probe. */
export const CalledByProbe = z.discriminatedUnion('mode', [ExternalCallee, Nobody]).default({ mode: 'NONE' });

/** `ofGroup` defines how a group of the test is called. */
export const calleeOf = <G extends z.core.$ZodTypeDiscriminable>(ofGroup: G) =>
  z
    .discriminatedUnion('mode', [ExternalCallee, ofGroup, z.strictObject({ mode: z.literal('RECEIVE') }), Nobody])
    .default({ mode: 'NONE' } as never);

/** Regions of one group, with weights. */
const Regions = z
  .record(Slug, z.int().min(1).max(1000))
  .refine((regions) => Object.keys(regions).length <= 100, 'has at most 100 regions')
  .describe(
    'regions that share the endpoints, with their weights; `region` is one of them. Absent: all are in `region`',
  );

export const placementOf = <W extends Shape>(workers: W) =>
  z.discriminatedUnion('mode', [
    z
      .strictObject({ mode: z.literal('REGION'), region: Slug, regions: Regions.optional() })
      .refine(({ region, regions }) => regions === undefined || Object.hasOwn(regions, region), {
        path: ['regions'],
        message: 'must have the region itself',
      }),
    z.strictObject({ mode: z.literal('WORKERS'), ...workers }),
  ]);

const track = writtenOf(TRACK_SETTINGS);

/** `own`: the other fields of a track; `audio`, `video`: the possible sources, with the default. */
export const tracksOf = <T extends Shape, A extends z.ZodType, V extends z.ZodType>(own: T, audio: A, video: V) => {
  const common = { ...own, ...track, deferred: track.deferred.describe('silent until an action activates it') };
  const MediaTrack = z.discriminatedUnion('kind', [
    z.strictObject({ ...common, kind: z.literal('AUDIO'), source: audio }),
    z.strictObject({ ...common, kind: z.literal('VIDEO'), source: video }),
  ]);
  const tracks = z.array(MediaTrack).max(2);
  return tracks.default(() => tracks.parse([{ kind: 'AUDIO' }]) as never);
};

/** `own`: its id, and the accounts that it refers to. */
export const subPopulationOf = <S extends Shape>(own: S) =>
  z.strictObject({
    name: Name,
    role: z.enum(ENDPOINT_TYPES),
    endpoints: Endpoints,
    ...writtenOf(SUB_POPULATION_SETTINGS),
    ...own,
  });

/** `own`: its id, and how it refers to its registrar, callee, placement, tracks and sub-populations. */
export const groupOf = <G extends Shape>(own: G) =>
  z.strictObject({ name: Name, ...writtenOf(GROUP_SETTINGS), ...own });

/** The fields of a test that can be changed, besides its groups and thresholds. */
export const WRITTEN_TEST = {
  name: Name,
  description: Description,
  buildup: Buildup.describe(
    'seconds over which the starts are spread; of other shapes than BUILDUP, it follows from them',
  ),
  durationSeconds: Seconds.describe('duration of a call'),
  maxExecutionSeconds: Seconds.nullable().describe('null: buildup + duration + the longest answer timeout + 60'),
  ...schemasOf(TEST_SETTINGS),
};

/** The same fields of a new test, in which some may be left out. */
export const NEW_TEST = {
  ...WRITTEN_TEST,
  description: Description.default(''),
  buildup: WRITTEN_TEST.buildup.default(0),
  maxExecutionSeconds: WRITTEN_TEST.maxExecutionSeconds.default(null),
  ...writtenOf(TEST_SETTINGS),
};
