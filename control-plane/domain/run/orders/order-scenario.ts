/** Actions and signalling in the terms of the wire. */
import type { Action, Signalling } from '../../../contract/test-settings/scenario.ts';
import type { Group } from '../../../contract/test-settings/test.ts';

export type ActionOrder = {
  readonly on: string;
  readonly afterMs: number;
  readonly heard: string;
  readonly do: string;
  readonly digits: string;
  readonly by: string;
  readonly track: string;
  readonly target: string;
};

export type SignallingOrder = {
  readonly reliableProvisional: string;
  readonly sessionExpiresSeconds: number;
  readonly sessionMinSeconds: number;
  readonly refresher: string;
  readonly delayedOffer: boolean;
  readonly maxRedirects: number;
  readonly answerDelayMs: number;
  readonly ringMs: number;
  readonly provisional: number;
  readonly rejectStatus: number;
  readonly correlate: boolean;
  readonly instanceId: string;
};

export const actionOrder = ({ trigger, action }: Action, tracks: Group['mediaTracks']): ActionOrder => ({
  on: trigger.on,
  afterMs: Math.round(trigger.afterSeconds * 1000),
  heard: trigger.on === 'DTMF' ? (trigger.digits ?? '') : '',
  do: action.do,
  digits: action.do === 'SEND_DTMF' ? action.digits : '',
  by: action.do === 'SEND_DTMF' ? action.by : '',
  track: action.do === 'ACTIVATE_TRACK' ? (tracks[action.track]?.kind ?? '') : '',
  target: 'target' in action ? action.target : '',
});

export const signallingOrder = (s: Signalling): SignallingOrder => ({
  reliableProvisional: s.reliableProvisional,
  sessionExpiresSeconds: s.sessionTimer?.expiresSeconds ?? 0,
  sessionMinSeconds: s.sessionTimer?.minSeconds ?? 0,
  refresher: s.sessionTimer?.refresher ?? '',
  delayedOffer: s.delayedOffer,
  maxRedirects: s.maxRedirects,
  answerDelayMs: Math.round(s.answerDelaySeconds * 1000),
  ringMs: Math.round(s.ringSeconds * 1000),
  provisional: s.provisional,
  rejectStatus: s.rejectStatus ?? 0,
  correlate: s.correlate,
  instanceId: s.instanceId === 'NONE' ? '' : s.instanceId,
});
