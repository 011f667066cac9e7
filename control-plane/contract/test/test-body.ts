/**
 * Tests and probes as requests write them: other things by their ids. What GET tells of groups may be sent back as it is; ids
 * of groups, sub-populations and tracks keep them, new ones need none.
 */
import * as z from 'zod';
import {
  Buildup,
  Description,
  Endpoints,
  Name,
  PROBE_DEFAULTS,
  PROBE_FIELDS,
  Seconds,
  SipUri,
  Slug,
  Threshold,
  uniqueList,
} from '../fields.ts';
import { Expectations, NO_EXPECTATIONS } from '../run/expectations.ts';
import { AUDIO_SOURCES, ENDPOINT_TYPES, VIDEO_SOURCES } from '../words.ts';
import { Actions, Breaker, DEFAULT_BREAKER, Load, Mode, PLAIN_SIGNALLING, Signalling } from './scenario.ts';
import { AudioCodecs, Direction, Dscp, Dtmf, Encryption, Impairment, RtpTrace, VideoCodecs } from './stream-fields.ts';

const Reference = z.string().max(100);
const Own = Reference.optional().describe('absent: a new one');

const ExternalCallee = z.strictObject({ mode: z.literal('EXTERNAL_URI'), uri: SipUri });

const Callee = z.discriminatedUnion('mode', [
  ExternalCallee,
  z
    .strictObject({
      mode: z.literal('GROUP'),
      groupId: Reference.optional().describe('a group of this test that receives'),
      group: Name.optional().describe('or its name, where it has no id yet'),
    })
    .refine((c) => (c.groupId === undefined) !== (c.group === undefined), 'needs a groupId, or the name of a group'),
  z.strictObject({ mode: z.literal('RECEIVE') }),
]);

const Placement = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('REGION'), region: Slug }),
  z.strictObject({ mode: z.literal('WORKERS'), workerIds: z.array(Reference).min(1).max(1000) }),
]);

const Track = {
  id: Own,
  mediaFileId: Reference.nullable().default(null).describe('of source FILE'),
  direction: Direction.default('BOTH'),
  dscp: Dscp.default(null),
  deferred: z.boolean().default(false).describe('silent until an action activates it'),
};

const MediaTrack = z.discriminatedUnion('kind', [
  z.strictObject({ ...Track, kind: z.literal('AUDIO'), source: z.enum(AUDIO_SOURCES).default('TONE') }),
  z.strictObject({ ...Track, kind: z.literal('VIDEO'), source: z.enum(VIDEO_SOURCES).default('PATTERN') }),
]);

const SubPopulation = z.strictObject({
  id: Own,
  name: Name,
  role: z.enum(ENDPOINT_TYPES),
  endpoints: Endpoints,
  sipAccountIds: z.array(Reference).nullable().default(null).describe('null: the next free ones of the registrar'),
});

export const GroupBody = z
  .strictObject({
    id: Own,
    name: Name,
    mode: Mode.default('CALL'),
    registrarId: Reference,
    callee: Callee,
    placement: Placement,
    audioCodecs: AudioCodecs.default(['PCMU']),
    videoCodecs: VideoCodecs.default([]),
    encryption: Encryption.default('NONE'),
    rtcpMux: z.boolean().default(false),
    mediaTracks: z
      .array(MediaTrack)
      .max(2)
      .default(() => [MediaTrack.parse({ kind: 'AUDIO' })]),
    actions: Actions.default(() => []),
    signalling: Signalling.default(PLAIN_SIGNALLING),
    dtmf: Dtmf.nullable().default(null),
    impairment: Impairment.nullable().default(null),
    rtpTrace: RtpTrace.nullable().default(null),
    expectations: Expectations.default(NO_EXPECTATIONS),
    subPopulations: z.array(SubPopulation).min(1).max(1000),
  })
  .meta({ id: 'GroupBody' });
export type GroupBody = z.output<typeof GroupBody>;

const Groups = uniqueList(z.array(GroupBody).min(1, 'a test needs a group').max(1000), (g) => g.name, 'group').refine(
  (groups) => distinct(groups.flatMap((g) => g.id ?? [])),
  'each group id may stand once',
);
const distinct = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const Thresholds = uniqueList(z.array(Threshold), (t) => t.metricKey, 'metric key');

const Test = {
  name: Name,
  description: Description,
  buildup: Buildup.describe(
    'seconds over which the starts are spread; of other shapes than BUILDUP, it follows from them',
  ),
  durationSeconds: Seconds.describe('how long a call lasts'),
  maxExecutionSeconds: Seconds.nullable().describe('null: buildup + duration + 120'),
  groups: Groups,
  load: Load,
  breaker: Breaker.nullable().describe('null: off, the target may be overloaded'),
  thresholds: Thresholds,
};

export const NewTest = {
  slug: Slug.optional().describe('absent: made from the name'),
  ...Test,
  description: Description.default(''),
  buildup: Test.buildup.default(0),
  maxExecutionSeconds: Test.maxExecutionSeconds.default(null),
  load: Load.default({ shape: 'BUILDUP' }),
  breaker: Test.breaker.default(DEFAULT_BREAKER),
  thresholds: Thresholds.default(() => []),
};
export const TestChange = z.object(Test).partial().shape;

export const ProbeCall = z
  .strictObject({
    registrarId: Reference,
    callee: ExternalCallee,
    placement: Placement,
    audioCodecs: AudioCodecs.default(['PCMU']),
    encryption: Encryption.default('NONE'),
    expectations: Expectations.default(NO_EXPECTATIONS),
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
  slug: Slug.optional().describe('absent: made from the name'),
  ...Probe,
  ...PROBE_DEFAULTS,
  description: Description.default(''),
  parentProbeId: Probe.parentProbeId.default(null),
  thresholds: ProbeThresholds.default(() => []),
};
export const ProbeChange = z.object(Probe).partial().shape;
