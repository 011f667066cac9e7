/** The actions of endpoints in a call, and which settings each side of a call has. Pure. */
import type { CallInput } from '../../../../contract/call.ts';
import { type DraftGroup, type DraftScenario, PLAIN_GROUP } from './group-draft.ts';

type WrittenGroup = CallInput<'createTest'>['groups'][number];

export type DraftSignalling = DraftGroup['signalling'];
export type DraftAction = DraftGroup['actions'][number];
export type DraftTrigger = DraftAction['trigger'];
export type DraftStep = DraftAction['action'];
/** CALLER: places calls or sends requests; CALLEE: takes calls. */
export type CallSide = 'CALLER' | 'CALLEE';

export const FIRST_ACTION: DraftAction = { trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'HANG_UP' } };

const PLAIN = PLAIN_GROUP.signalling;
const OF_CALLERS = ['delayedOffer', 'maxRedirects', 'correlate'] as const;
const OF_CALLEES = ['answerDelaySeconds', 'ringSeconds', 'provisional', 'rejectStatus'] as const;
const OF_OTHERS: Readonly<Record<CallSide, readonly (keyof DraftSignalling)[]>> = {
  CALLER: OF_CALLEES,
  CALLEE: OF_CALLERS,
};

/** The form shows only the settings of a side. */
export const isOfSide = (signalling: DraftSignalling, side: CallSide): boolean =>
  OF_OTHERS[side].every((name) => signalling[name] === PLAIN[name]);

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
