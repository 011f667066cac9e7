/**
 * Tests and probes as requests write them, with references by id. Clients may send groups back as GET returned them. Ids of
 * groups, sub-populations and tracks keep them; new ones need no id.
 */
import * as z from 'zod';
import { Description, Name, PROBE_DEFAULTS, PROBE_FIELDS, Slug, Threshold, uniqueList } from '../fields.ts';
import { PROBE_SETTINGS, writtenOf } from './settings.ts';
import { AUDIO_SOURCES, VIDEO_SOURCES } from './track-words.ts';
import {
  CalledByProbe,
  calleeOf,
  groupOf,
  NEW_TEST,
  placementOf,
  subPopulationOf,
  tracksOf,
  WRITTEN_TEST,
} from './written.ts';

const Reference = z.string().max(100);
const Own = Reference.optional().describe('absent: a new one');

const Callee = calleeOf(
  z
    .strictObject({
      mode: z.literal('GROUP'),
      groupId: Reference.optional().describe('a group of this test that receives'),
      group: Name.optional().describe('or its name, if it has no id yet'),
    })
    .refine(
      (c) => (c.groupId === undefined) !== (c.group === undefined),
      'must have a groupId, or the name of a group',
    ),
);

const Placement = placementOf({ workerIds: z.array(Reference).min(1).max(1000) });

const SubPopulation = subPopulationOf({
  id: Own,
  sipAccountIds: z.array(Reference).nullable().default(null).describe('null: the next free ones of the registrar'),
});

export const GroupBody = groupOf({
  id: Own,
  registrarId: Reference,
  callee: Callee,
  placement: Placement,
  mediaTracks: tracksOf(
    { id: Own, mediaFileId: Reference.nullable().default(null).describe('of source FILE') },
    z.enum(AUDIO_SOURCES).default('TONE'),
    z.enum(VIDEO_SOURCES).default('PATTERN'),
  ),
  subPopulations: z.array(SubPopulation).min(1).max(1000),
}).meta({ id: 'GroupBody' });
export type GroupBody = z.output<typeof GroupBody>;

const Groups = uniqueList(z.array(GroupBody).min(1, 'a test needs a group').max(1000), (g) => g.name, 'group').refine(
  (groups) => distinct(groups.flatMap((g) => g.id ?? [])),
  'each group id must be unique',
);
const distinct = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const Thresholds = uniqueList(z.array(Threshold), (t) => t.metricKey, 'metric key');

const Parts = { groups: Groups, thresholds: Thresholds };

export const NewTest = {
  slug: Slug.optional().describe('absent: derived from the name'),
  ...NEW_TEST,
  ...Parts,
  thresholds: Thresholds.default(() => []),
};
export const TestChange = z.object({ ...WRITTEN_TEST, ...Parts }).partial().shape;

export const ProbeCall = z
  .strictObject({
    registrarId: Reference,
    callee: CalledByProbe,
    placement: Placement,
    ...writtenOf(PROBE_SETTINGS),
  })
  .meta({ id: 'ProbeCallBody' });
export type ProbeCall = z.output<typeof ProbeCall>;

const ProbeThresholds = uniqueList(
  z.array(Threshold.extend({ id: Own, enabled: z.boolean().default(true) })),
  (t) => t.metricKey,
  'metric key',
);

const Probe = {
  name: Name,
  description: Description,
  ...PROBE_FIELDS,
  parentProbeId: Reference.nullable().describe('siblings are shown together'),
  test: ProbeCall,
  thresholds: ProbeThresholds,
};

export const NewProbe = {
  slug: Slug.optional().describe('absent: derived from the name'),
  ...Probe,
  ...PROBE_DEFAULTS,
  description: Description.default(''),
  parentProbeId: Probe.parentProbeId.default(null),
  thresholds: ProbeThresholds.default(() => []),
};
export const ProbeChange = z.object(Probe).partial().shape;
