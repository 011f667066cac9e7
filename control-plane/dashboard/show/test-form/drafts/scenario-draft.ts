/** The actions of endpoints in a call. Pure. */
import type { DraftGroup } from './group-draft.ts';

export type DraftSignalling = DraftGroup['signalling'];
export type DraftAction = DraftGroup['actions'][number];
export type DraftTrigger = DraftAction['trigger'];
export type DraftStep = DraftAction['action'];
/** CALLER: places calls or sends requests; CALLEE: takes calls. */
export type CallSide = 'CALLER' | 'CALLEE';

export const FIRST_ACTION: DraftAction = { trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'HANG_UP' } };

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
