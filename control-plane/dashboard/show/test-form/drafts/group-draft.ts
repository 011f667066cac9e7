/** The form's copy of a group's settings, part by part. Settings that it lacks must have their defaults. Pure. */
import type { Output } from '../../../../contract/catalogue.ts';
import { DEFAULT_GROUP } from '../../../../contract/test-settings/defaults.ts';

export type TestGroup = Output<'getTest'>['groups'][number];
type GroupDefaults = typeof DEFAULT_GROUP;
type GivenFields<K extends keyof TestGroup> = Partial<Pick<TestGroup, K>>;

const OF_CALLER = ['displayName', 'callerNumber', 'assertedIdentity', 'privacy', 'diversion'] as const;
const OF_MEDIA = ['packetMs', 'ice', 'feedbackProfile', 'rtcpMux'] as const;
const OF_REQUESTS = ['engine', 'headers', 'answerTimeoutSeconds', 'registerExpiresSeconds', 'registerRetry'] as const;

/** How callers name themselves. */
export type DraftCaller = Pick<GroupDefaults, (typeof OF_CALLER)[number]>;
export type DraftMedia = Pick<GroupDefaults, (typeof OF_MEDIA)[number]>;
/** The header fields and timeouts of requests. */
export type DraftRequests = Pick<GroupDefaults, (typeof OF_REQUESTS)[number]> & {
  readonly sessionTimer: DraftTimer | null;
};
export type DraftTimer = NonNullable<GroupDefaults['signalling']['sessionTimer']>;
export type DraftRetry = NonNullable<GroupDefaults['registerRetry']>;
export type DraftExpectations = Required<NonNullable<TestGroup['expectations']>>;

export const FIRST_TIMER: DraftTimer = { expiresSeconds: 1800, minSeconds: 90, refresher: null };
export const FIRST_RETRY: DraftRetry = { afterSeconds: 5, withinSeconds: 30 };

/** All fields, in one order, because a text may leave out some of them. */
export const callerOf = (g: GivenFields<(typeof OF_CALLER)[number]>): DraftCaller => ({
  displayName: g.displayName ?? null,
  callerNumber: g.callerNumber ?? null,
  assertedIdentity: g.assertedIdentity ?? null,
  privacy: g.privacy ?? [],
  diversion: g.diversion
    ? { uri: g.diversion.uri, reason: g.diversion.reason ?? 'UNCONDITIONAL', counter: g.diversion.counter ?? 1 }
    : null,
});

export const mediaOf = (g: GivenFields<(typeof OF_MEDIA)[number]>): DraftMedia => ({
  packetMs: g.packetMs ?? DEFAULT_GROUP.packetMs,
  ice: g.ice ?? DEFAULT_GROUP.ice,
  feedbackProfile: g.feedbackProfile ?? DEFAULT_GROUP.feedbackProfile,
  rtcpMux: g.rtcpMux ?? DEFAULT_GROUP.rtcpMux,
});

export const requestsOf = (g: GivenFields<(typeof OF_REQUESTS)[number] | 'signalling'>): DraftRequests => ({
  engine: g.engine ?? DEFAULT_GROUP.engine,
  headers: (g.headers ?? []).map(({ methods = ['INVITE'], name, value }) => ({ methods, name, value })),
  answerTimeoutSeconds: g.answerTimeoutSeconds ?? DEFAULT_GROUP.answerTimeoutSeconds,
  registerExpiresSeconds: g.registerExpiresSeconds ?? DEFAULT_GROUP.registerExpiresSeconds,
  registerRetry: g.registerRetry
    ? { afterSeconds: g.registerRetry.afterSeconds, withinSeconds: g.registerRetry.withinSeconds }
    : null,
  sessionTimer: timerOf(g.signalling?.sessionTimer),
});

const timerOf = (said: NonNullable<TestGroup['signalling']>['sessionTimer']): DraftTimer | null =>
  said
    ? {
        expiresSeconds: said.expiresSeconds ?? FIRST_TIMER.expiresSeconds,
        minSeconds: said.minSeconds ?? FIRST_TIMER.minSeconds,
        refresher: said.refresher ?? null,
      }
    : null;

/** The requests as a body has them; `signalling`: the other fields of signalling. */
export const writtenRequests = ({ sessionTimer, ...rest }: DraftRequests, signalling: TestGroup['signalling']) => ({
  ...rest,
  signalling: { ...DEFAULT_GROUP.signalling, ...signalling, sessionTimer },
});

export const NO_REQUESTS = requestsOf({});

export const expectationsOf = ({ expectations: e }: Pick<TestGroup, 'expectations'>): DraftExpectations => ({
  farEndHangsUp: e?.farEndHangsUp ?? false,
  farEndMayPause: e?.farEndMayPause ?? false,
  toleratedFindings: [...(e?.toleratedFindings ?? [])].sort(),
});

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The form does not ask groups that take calls how callers name themselves. */
export const definesCaller = (g: TestGroup): boolean => !same(callerOf(g), callerOf({}));
