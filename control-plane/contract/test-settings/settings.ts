/**
 * The settings of a group, of a sub-population, of a media track and of a test, each declared once. Answers, bodies, the
 * provisioning file, drafts, probes, orders to agents and the dashboard's forms read these tables. A new setting is a row here.
 * If agents obey it, it is also a field of allocation.proto with the same name, and code of the agent.
 */
import * as z from 'zod';
import { AbortOn } from './abort-on.ts';
import { AssertedIdentity, CallerNumber, Diversion, Headers, Privacy, ShownName } from './caller.ts';
import { Expectations, NO_EXPECTATIONS } from './expectations.ts';
import { Load } from './load.ts';
import {
  Actions,
  AnswerTimeout,
  BreakerSettings,
  CallsEach,
  CallsFrom,
  DEFAULT_BREAKER,
  Engine,
  Mode,
  PLAIN_SIGNALLING,
  RegisterExpires,
  RegisterRetry,
  Signalling,
} from './scenario.ts';
import {
  AudioCodecs,
  Direction,
  Dscp,
  Dtmf,
  Encryption,
  FeedbackProfile,
  Ice,
  Impairment,
  PacketMs,
  RtpTrace,
  Sdp,
  VideoCodecs,
} from './stream-fields.ts';

type Marks<Value> = {
  /** The value of tests that were stored before the setting existed; absent: `fallback`. */
  readonly before?: Value;
  /** The one call of a probe has this setting, too. */
  readonly ofProbes?: true;
  /** Agents receive it unchanged, under its name. */
  readonly ofAgents?: true;
};
type Setting<S extends z.ZodType = z.ZodType> = Marks<z.output<S>> & {
  /** The schema includes the description. */
  readonly schema: S;
  /** The value if the setting is left out. */
  readonly fallback: z.output<S>;
};
type Settings = Readonly<Record<string, Setting>>;

const setting = <S extends z.ZodType, const M extends Marks<z.output<S>>>(
  schema: S,
  fallback: z.output<S>,
  marks: M,
) => ({
  schema,
  fallback,
  ...marks,
});

export const GROUP_SETTINGS = {
  mode: setting(Mode, 'CALL', { before: 'CALL', ofAgents: true }),
  engine: setting(Engine, 'CORE', { before: 'CORE', ofProbes: true, ofAgents: true }),
  audioCodecs: setting(AudioCodecs, ['PCMU'], { ofProbes: true, ofAgents: true }),
  videoCodecs: setting(VideoCodecs, [], {}),
  encryption: setting(Encryption, 'NONE', { ofProbes: true, ofAgents: true }),
  sdp: setting(Sdp, 'OFFER', { before: 'OFFER', ofAgents: true }),
  ice: setting(Ice, 'NONE', { before: 'NONE', ofProbes: true, ofAgents: true }),
  feedbackProfile: setting(FeedbackProfile, 'AVP', { before: 'AVP', ofAgents: true }),
  rtcpMux: setting(z.boolean(), false, { ofProbes: true, ofAgents: true }),
  displayName: setting(ShownName.nullable(), null, { before: null, ofProbes: true }),
  callerNumber: setting(CallerNumber.nullable(), null, { before: null, ofProbes: true }),
  assertedIdentity: setting(AssertedIdentity.nullable(), null, { before: null, ofProbes: true }),
  privacy: setting(Privacy, [], { before: [], ofProbes: true }),
  diversion: setting(Diversion.nullable(), null, { before: null, ofProbes: true }),
  headers: setting(Headers, [], { before: [], ofProbes: true }),
  answerTimeoutSeconds: setting(AnswerTimeout, 60, { before: 60, ofProbes: true }),
  registerExpiresSeconds: setting(RegisterExpires, 3600, { before: 3600, ofProbes: true, ofAgents: true }),
  registerRetry: setting(RegisterRetry.nullable(), null, { before: null, ofProbes: true, ofAgents: true }),
  packetMs: setting(PacketMs, 20, { before: 20, ofProbes: true, ofAgents: true }),
  actions: setting(Actions, [], { before: [] }),
  signalling: setting(Signalling, PLAIN_SIGNALLING, { before: PLAIN_SIGNALLING, ofProbes: true }),
  callsFrom: setting(CallsFrom, 'SERVER', { before: 'ANYBODY', ofAgents: true }),
  dtmf: setting(Dtmf.nullable(), null, { ofAgents: true }),
  impairment: setting(Impairment.nullable(), null, { before: null, ofAgents: true }),
  rtpTrace: setting(RtpTrace.nullable(), null, { before: null }),
  expectations: setting(Expectations, NO_EXPECTATIONS, { before: NO_EXPECTATIONS, ofProbes: true }),
};

export const SUB_POPULATION_SETTINGS = {
  calls: setting(CallsEach, 1, { before: 1 }),
};

export const TRACK_SETTINGS = {
  direction: setting(Direction, 'BOTH', {}),
  dscp: setting(Dscp, null, {}),
  deferred: setting(z.boolean(), false, {}),
};

export const TEST_SETTINGS = {
  load: setting(Load, { shape: 'BUILDUP' }, {}),
  breaker: setting(BreakerSettings.nullable().describe('null: off, the target may be overloaded'), DEFAULT_BREAKER, {
    before: null,
  }),
  abortOn: setting(AbortOn.nullable(), null, { before: null }),
};

/** The names of the settings that have this mark. */
type Marked<T extends Settings, Mark extends string> = {
  [K in keyof T]: T[K] extends Readonly<Record<Mark, unknown>> ? K : never;
}[keyof T];
type Having<T extends Settings, Mark extends string> = Pick<T, Marked<T, Mark>>;
type Values<T extends Settings> = { [K in keyof T]: z.output<T[K]['schema']> };

const having = <T extends Settings, Mark extends keyof Marks<unknown>>(settings: T, mark: Mark): Having<T, Mark> =>
  Object.fromEntries(Object.entries(settings).filter(([, one]) => mark in one)) as Having<T, Mark>;

export const PROBE_SETTINGS = having(GROUP_SETTINGS, 'ofProbes');
export const AGENT_SETTINGS = having(GROUP_SETTINGS, 'ofAgents');

export type TestSettings = Values<typeof TEST_SETTINGS>;
export type TrackSettings = Values<typeof TRACK_SETTINGS>;
export type SubPopulationSettings = Values<typeof SUB_POPULATION_SETTINGS>;
export type GroupSettings = Values<typeof GROUP_SETTINGS>;
export type ProbeSettings = Values<typeof PROBE_SETTINGS>;
export type AgentSettings = Values<typeof AGENT_SETTINGS>;

// TypeScript cannot derive the types of what is made of each row by mapping its entries, so they are stated here once.
const each = <R>(settings: Settings, make: (one: Setting, name: string) => unknown): R =>
  Object.fromEntries(Object.entries(settings).map(([name, one]) => [name, make(one, name)])) as R;

/** The schemas as they are, for a change, or for answers that always have the settings. */
export const schemasOf = <T extends Settings>(settings: T) =>
  each<{ [K in keyof T]: T[K]['schema'] }>(settings, ({ schema }) => schema);

/** The schemas for writers, who may leave each setting out. */
export const writtenOf = <T extends Settings>(settings: T) =>
  each<{ [K in keyof T]: z.ZodDefault<T[K]['schema']> }>(settings, ({ schema, fallback }) => schema.default(fallback));

type Answered<S> = S extends { readonly schema: infer Z extends z.ZodType }
  ? S extends { readonly before: unknown }
    ? z.ZodDefault<Z>
    : Z
  : never;
/** The schemas for answers and for stored tests: older ones lack settings that were added later. */
export const answeredOf = <T extends Settings>(settings: T) =>
  each<{ [K in keyof T]: Answered<T[K]> }>(settings, ({ schema, ...one }) =>
    'before' in one ? schema.default(one.before) : schema,
  );

export const defaultsOf = <T extends Settings>(settings: T): Values<T> => each(settings, ({ fallback }) => fallback);
/** The values of settings that are missing in tests stored by older versions. */
export const beforeOf = <T extends Settings>(settings: T): Values<T> =>
  each(settings, (one) => ('before' in one ? one.before : one.fallback));

/** The values of these settings, out of an object that has others, too. */
export const settingsOf = <T extends Settings>(settings: T, from: Values<T>): Values<T> =>
  each(settings, (_, name) => from[name as keyof T]);
