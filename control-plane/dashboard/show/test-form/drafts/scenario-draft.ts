/**
 * What endpoints do in a call beyond answering it, as the form holds it: SIP features, actions, digits, impairment, RTP headers.
 * Pure.
 */
import { NO_IMPAIRMENT } from '@carillon/media/impairment/impairment.ts';
import type { CallInput } from '../../../../contract/call.ts';
import type { Output } from '../../../../contract/catalogue.ts';
import { DEFAULT_GROUP } from '../../../../contract/test-settings/defaults.ts';

type GroupDefaults = typeof DEFAULT_GROUP;
type TestGroup = Output<'getTest'>['groups'][number];
type WrittenGroup = CallInput<'createTest'>['groups'][number];

export type DraftSignalling = Omit<GroupDefaults['signalling'], 'sessionTimer'>;
export type DraftAction = GroupDefaults['actions'][number];
export type DraftTrigger = DraftAction['trigger'];
export type DraftStep = DraftAction['action'];
export type DraftScenario = Pick<GroupDefaults, 'dtmf' | 'impairment' | 'rtpTrace'> & {
  readonly signalling: DraftSignalling;
  readonly actions: readonly DraftAction[];
};
/** CALLER: places calls or sends requests; CALLEE: takes calls. */
export type CallSide = 'CALLER' | 'CALLEE';

export const FIRST_ACTION: DraftAction = { trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'HANG_UP' } };
export const FIRST_DTMF: NonNullable<GroupDefaults['dtmf']> = { digits: '1', onMs: 100, offMs: 100, afterMs: 1000 };
export const FIRST_TRACE: NonNullable<GroupDefaults['rtpTrace']> = { endpoints: 2, packets: 1500 };

const { sessionTimer: _, ...PLAIN } = DEFAULT_GROUP.signalling;
const OF_CALLERS = ['delayedOffer', 'maxRedirects', 'correlate'] as const;
const OF_CALLEES = ['answerDelaySeconds', 'ringSeconds', 'provisional', 'rejectStatus'] as const;
const OF_OTHERS: Readonly<Record<CallSide, readonly (keyof DraftSignalling)[]>> = {
  CALLER: OF_CALLEES,
  CALLEE: OF_CALLERS,
};

type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };
/** `first` with the stated values, in one order, because a text may leave out some of them. */
const completed = <T extends object>(first: T, said: Loose<T>): T =>
  Object.fromEntries(Object.entries(first).map(([name, value]) => [name, said[name as keyof T] ?? value])) as T;

const signallingOf = (said: Loose<DraftSignalling>): DraftSignalling => completed(PLAIN, said);

export const scenarioOf = (g: Partial<TestGroup>): DraftScenario => ({
  signalling: signallingOf(g.signalling ?? {}),
  actions: (g.actions ?? []).map(({ trigger, action }) => ({
    trigger: { ...trigger, afterSeconds: trigger.afterSeconds ?? 0 },
    action: action.do === 'SEND_DTMF' ? { ...action, by: action.by ?? 'RFC4733' } : action,
  })),
  dtmf: g.dtmf ? completed(FIRST_DTMF, g.dtmf) : null,
  impairment: g.impairment ? completed(NO_IMPAIRMENT, g.impairment) : null,
  rtpTrace: g.rtpTrace ? completed(FIRST_TRACE, g.rtpTrace) : null,
});

export const NO_SCENARIO = scenarioOf({});

/** The form shows only the settings of a side. */
export const isOfSide = (signalling: Loose<DraftSignalling>, side: CallSide): boolean =>
  OF_OTHERS[side].every((name) => (signalling[name] ?? PLAIN[name]) === PLAIN[name]);

type Has = { readonly side: CallSide; readonly calls: boolean; readonly media: boolean };

/** The scenario as a body has it, without settings that the form does not ask for. */
export function writtenScenario(
  { signalling, actions, dtmf, impairment, rtpTrace }: DraftScenario,
  { side, calls, media }: Has,
) {
  const others = Object.fromEntries(OF_OTHERS[side].map((name) => [name, PLAIN[name]]));
  return {
    signalling: { ...signalling, ...others },
    actions: calls ? [...actions] : [],
    ...(media ? { dtmf, impairment, rtpTrace } : { dtmf: null, impairment: null, rtpTrace: null }),
  } satisfies Partial<WrittenGroup>;
}

/** The same trigger for another event. */
export const triggerOn = (on: DraftTrigger['on'], before: DraftTrigger): DraftTrigger => ({
  on,
  afterSeconds: before.afterSeconds ?? 0,
});

/** `before` is the previous step. Its digits and its address are kept. */
export function stepThat(does: DraftStep['do'], before: DraftStep, deferred: number): DraftStep {
  switch (does) {
    case 'SEND_DTMF':
      return before.do === does ? before : { do: does, digits: '1', by: 'RFC4733' };
    case 'ACTIVATE_TRACK':
      return { do: does, track: before.do === does ? before.track : deferred };
    case 'REFER':
    case 'ATTENDED_TRANSFER':
      return { do: does, target: 'target' in before ? before.target : 'sip:' };
    default:
      return { do: does };
  }
}
