/**
 * The settings of a group, of a sub-population, of a media track and of a test, each declared once. Answers, bodies, the provisioning file, drafts, probes,
 * orders to agents and the dashboard's forms read these tables. A new setting is a row here; where agents obey it, a field of
 * allocation.proto under the same name, and the agent's code that obeys.
 */
import * as z from 'zod';
import { AssertedIdentity, CallerNumber, Diversion, Headers, Privacy, ShownName } from './caller.ts';
import { Expectations, NO_EXPECTATIONS } from './expectations.ts';
import {
  Actions,
  AnswerTimeout,
  BreakerSettings,
  CallsEach,
  CallsFrom,
  DEFAULT_BREAKER,
  Load,
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
  /** What tests mean that were stored before there was such a setting; absent: `fallback`. */
  readonly before?: Value;
  /** The one call of a probe has it, too. */
  readonly ofProbes?: true;
  /** Agents are told it under its name, as it is. */
  readonly ofAgents?: true;
};
type Setting<S extends z.ZodType = z.ZodType> = Marks<z.output<S>> & {
  /** With its sentence. */
  readonly schema: S;
  /** What leaving it out means. */
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
};

/** Names of the settings that have this mark. */
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

// The types of what is made of each row cannot be told by mapping its entries: they are said here, once.
const each = <R>(settings: Settings, make: (one: Setting, name: string) => unknown): R =>
  Object.fromEntries(Object.entries(settings).map(([name, one]) => [name, make(one, name)])) as R;

/** As they are, for a change, or for answers that always have them. */
export const schemasOf = <T extends Settings>(settings: T) =>
  each<{ [K in keyof T]: T[K]['schema'] }>(settings, ({ schema }) => schema);

/** For writers: each may be left out. */
export const writtenOf = <T extends Settings>(settings: T) =>
  each<{ [K in keyof T]: z.ZodDefault<T[K]['schema']> }>(settings, ({ schema, fallback }) => schema.default(fallback));

type Answered<S> = S extends { readonly schema: infer Z extends z.ZodType }
  ? S extends { readonly before: unknown }
    ? z.ZodDefault<Z>
    : Z
  : never;
/** For answers, and what is stored: older ones lack what came later. */
export const answeredOf = <T extends Settings>(settings: T) =>
  each<{ [K in keyof T]: Answered<T[K]> }>(settings, ({ schema, ...one }) =>
    'before' in one ? schema.default(one.before) : schema,
  );

export const defaultsOf = <T extends Settings>(settings: T): Values<T> => each(settings, ({ fallback }) => fallback);
/** Settings that are missing in tests stored by older versions. */
export const beforeOf = <T extends Settings>(settings: T): Values<T> =>
  each(settings, (one) => ('before' in one ? one.before : one.fallback));

/** Those of something that has more. */
export const settingsOf = <T extends Settings>(settings: T, from: Values<T>): Values<T> =>
  each(settings, (_, name) => from[name as keyof T]);
