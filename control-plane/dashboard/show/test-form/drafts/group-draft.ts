/**
 * The form's copy of a group's settings, as the table of settings has them (contract/test-settings/settings.ts). Settings that
 * it does not ask for must have their defaults. Pure.
 */
import { NO_IMPAIRMENT } from '@carillon/media/impairment/impairment.ts';
import type { Output } from '../../../../contract/catalogue.ts';
import { DEFAULT_GROUP } from '../../../../contract/test-settings/defaults.ts';
import { completed, type Loose, picked } from '../../basics/form.ts';

export type TestGroup = Output<'getTest'>['groups'][number];
type GroupDefaults = typeof DEFAULT_GROUP;
/** All settings, except those that follow from the target and the tracks. */
export type DraftGroup = Omit<GroupDefaults, 'mode' | 'videoCodecs'>;

const OF_CALLER = ['displayName', 'callerNumber', 'assertedIdentity', 'privacy', 'diversion'] as const;
const OF_MEDIA = ['packetMs', 'ice', 'feedbackProfile', 'rtcpMux'] as const;
const OF_REQUESTS = ['engine', 'headers', 'answerTimeoutSeconds', 'registerExpiresSeconds', 'registerRetry'] as const;
const OF_SCENARIO = ['signalling', 'actions', 'dtmf', 'impairment', 'rtpTrace'] as const;

/** How callers name themselves. */
export type DraftCaller = Pick<DraftGroup, (typeof OF_CALLER)[number]>;
/** The header fields and timeouts of requests. */
export type DraftRequests = Pick<DraftGroup, (typeof OF_REQUESTS)[number]>;
/** What endpoints do in a call beyond answering it. */
export type DraftScenario = Pick<DraftGroup, (typeof OF_SCENARIO)[number]>;
export type DraftExpectations = DraftGroup['expectations'];

/** What parts are when they are switched on. */
export const FIRST_PARTS = {
  diversion: { uri: '', reason: 'UNCONDITIONAL', counter: 1 },
  registerRetry: { afterSeconds: 5, withinSeconds: 30 },
  dtmf: { digits: '1', onMs: 100, offMs: 100, afterMs: 1000 },
  impairment: NO_IMPAIRMENT,
  rtpTrace: { endpoints: 2, packets: 1500 },
} satisfies { readonly [K in keyof GroupDefaults]?: NonNullable<GroupDefaults[K]> };
export const FIRST_TIMER: NonNullable<GroupDefaults['signalling']['sessionTimer']> = {
  expiresSeconds: 1800,
  minSeconds: 90,
  refresher: null,
};

const { mode: _, videoCodecs: __, ...DEFAULTS } = DEFAULT_GROUP;

/** All fields, in one order, because a text may leave out some of them. */
export function groupDraftOf(said: Loose<TestGroup>): DraftGroup {
  const whole = completed(DEFAULTS, said as Loose<DraftGroup>);
  const signalling = completed(DEFAULTS.signalling, whole.signalling);
  const expectations = completed(DEFAULTS.expectations, whole.expectations);
  const { sessionTimer: timer } = signalling;
  return {
    ...whole,
    ...Object.fromEntries(
      Object.entries(FIRST_PARTS).map(([name, first]) => {
        const part = whole[name as keyof typeof FIRST_PARTS];
        return [name, part && completed<object>(first, part)];
      }),
    ),
    headers: whole.headers.map(({ methods = ['INVITE'], name, value }) => ({ methods, name, value })),
    actions: whole.actions.map(({ trigger, action }) => ({
      trigger: { ...trigger, afterSeconds: trigger.afterSeconds ?? 0 },
      action: action.do === 'SEND_DTMF' ? { ...action, by: action.by ?? 'RFC4733' } : action,
    })),
    signalling: { ...signalling, sessionTimer: timer && completed(FIRST_TIMER, timer) },
    expectations: { ...expectations, toleratedFindings: [...expectations.toleratedFindings].sort() },
  };
}

export const PLAIN_GROUP = groupDraftOf({});

export const callerOf = (of: DraftCaller): DraftCaller => picked(of, OF_CALLER);
export const mediaOf = (of: DraftGroup) => picked(of, OF_MEDIA);
export const requestsOf = (of: DraftRequests): DraftRequests => picked(of, OF_REQUESTS);
export const scenarioOf = (of: DraftScenario): DraftScenario => picked(of, OF_SCENARIO);

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
