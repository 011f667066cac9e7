/** Rules of a group's actions and signalling: an impossible action is refused by name. Pure. */

import { sipHost } from '../../../contract/sip-uri.ts';
import { type Action, PLAIN_SIGNALLING } from '../../../contract/test-settings/scenario.ts';
import {
  beforeOf,
  GROUP_SETTINGS,
  SUB_POPULATION_SETTINGS,
  TEST_SETTINGS,
  TRACK_SETTINGS,
} from '../../../contract/test-settings/settings.ts';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import type { FileFault } from '../../../contract/yaml-file.ts';
import type { Ability } from './ability-settings.ts';
import { ACTION_PACE, pressedMs } from './key-times.ts';
import { isWithoutMedia, type WithoutMedia, withoutMediaFaults } from './without-media.ts';

type Step = Action['action'];
type Track = Pick<Group['mediaTracks'][number], 'kind' | 'direction' | 'deferred'>;
type Scenario = Omit<WithoutMedia, 'mediaTracks'> & {
  readonly callee: { readonly mode: Group['callee']['mode'] };
  readonly mediaTracks: readonly Track[];
};

/** Older tests and runs lack these fields. */
export const withScenario = <T extends Partial<Pick<Group, 'mode' | 'actions' | 'signalling'>>>(group: T) => ({
  ...group,
  mode: group.mode ?? ('CALL' as const),
  actions: group.actions ?? [],
  signalling: { ...PLAIN_SIGNALLING, ...group.signalling },
});

const TEST_BEFORE = beforeOf(TEST_SETTINGS);
const GROUP_BEFORE = beforeOf(GROUP_SETTINGS);
const SUB_POPULATION_BEFORE = beforeOf(SUB_POPULATION_SETTINGS);
const TRACK_BEFORE = { mediaFileId: null, ...beforeOf(TRACK_SETTINGS) };

/** These groups send one request, without a registration. */
export const isOneRequest = ({ mode }: Pick<Group, 'mode'>): boolean => mode === 'OPTIONS' || mode === 'STUN';

/** A stored test, with defaults for values that older tests lack. */
export const completeConfig = (config: TestConfig): TestConfig => ({
  ...TEST_BEFORE,
  ...config,
  groups: config.groups.map(completeGroup),
});

export const completeGroup = (group: Group): Group => ({
  ...GROUP_BEFORE,
  ...withScenario(group),
  mediaTracks: group.mediaTracks.map((track) => ({ ...TRACK_BEFORE, ...track })),
  subPopulations: group.subPopulations.map((s) => ({ ...SUB_POPULATION_BEFORE, ...s })),
});

/** Digits may be sent in either direction on the group's RTP. */
export const pressesKeys = ({ actions }: { readonly actions: readonly Action[] }): boolean =>
  actions.some(
    ({ trigger, action }) => trigger.on === 'DTMF' || (action.do === 'SEND_DTMF' && action.by === 'RFC4733'),
  );

/** The far ends may continue without the endpoint: a server that carries out a transfer itself joins the other two. */
export const transfers = ({ actions }: { readonly actions: readonly Action[] }): boolean =>
  actions.some(({ action }) => action.do === 'REFER' || action.do === 'ATTENDED_TRANSFER');

/** The SIP abilities that a group's calls, actions and signalling need. */
export function signallingNeeds(
  group: Pick<Group, 'mode' | 'actions' | 'signalling' | 'mediaTracks' | 'sdp'>,
): Ability[] {
  const { mode, actions, signalling, sdp } = group;
  const { reliableProvisional, sessionTimer, delayedOffer, maxRedirects, provisional } = signalling;
  const { answerDelaySeconds, ringSeconds, rejectStatus, instanceId } = signalling;
  const needed: [Ability, boolean][] = [
    ['REGISTER_ONLY', mode === 'REGISTER'],
    ['OPTIONS', mode === 'OPTIONS'],
    ['STUN', mode === 'STUN'],
    ['PRACK', reliableProvisional !== 'NONE'],
    ['SESSION_TIMER', sessionTimer !== null],
    ['DELAYED_OFFER', delayedOffer],
    ['REDIRECT', maxRedirects > 0],
    ['EARLY_MEDIA', provisional === 183],
    ['ANSWERING', answerDelaySeconds > 0 || ringSeconds > 0 || rejectStatus !== null],
    ['ACTIONS', actions.length > 0],
    ['WITHOUT_MEDIA', isWithoutMedia(group)],
    ['WITHOUT_SDP', sdp === 'NONE'],
    ['OUTBOUND', instanceId !== 'NONE'],
  ];
  const needs = actions.flatMap(({ action }) => NEEDS[action.do](action));
  return [...new Set([...needs, ...needed.flatMap(([need, is]) => (is ? [need] : []))])];
}

const NEEDS: { readonly [what in Step['do']]: (step: Step) => readonly Ability[] } = {
  SEND_DTMF: (step) => (step.do === 'SEND_DTMF' && step.by === 'INFO' ? ['INFO'] : []),
  HOLD: () => ['RE_INVITE'],
  RESUME: () => ['RE_INVITE'],
  REINVITE: () => ['RE_INVITE'],
  ACTIVATE_TRACK: () => ['RE_INVITE'],
  UPDATE: () => ['UPDATE'],
  REFER: () => ['REFER'],
  ATTENDED_TRANSFER: () => ['RE_INVITE', 'ATTENDED_TRANSFER'],
  HANG_UP: () => [],
};

/** `durationSeconds`: the duration of a call. */
export const scenarioFaults = (groups: readonly Scenario[], durationSeconds: number): FileFault[] =>
  groups.flatMap((group, i) => {
    const at = ['groups', i];
    return [
      ...group.actions.flatMap((action, j) =>
        [...actionFaults(action, group), ...timeFaults(action, durationSeconds)].map(({ path, message }) => ({
          path: [...at, 'actions', j, ...path],
          message,
        })),
      ),
      ...trackFaults(group).map(({ path, message }) => ({ path: [...at, ...path], message })),
      ...withoutMediaFaults(group).map(({ path, message }) => ({ path: [...at, ...path], message })),
      ...modeFaults(group).map(({ path, message }) => ({ path: [...at, ...path], message })),
      ...signallingFaults(group).map(({ path, message }) => ({ path: [...at, 'signalling', ...path], message })),
    ];
  });

function actionFaults({ action }: Action, { actions, mediaTracks }: Scenario): FileFault[] {
  const fault = (message: string, ...path: string[]): FileFault[] => [{ path: ['action', ...path], message }];
  switch (action.do) {
    case 'SEND_DTMF': {
      const audio = mediaTracks.find(({ kind }) => kind === 'AUDIO');
      const sends = audio !== undefined && audio.direction !== 'RECEIVE' && !audio.deferred;
      return action.by === 'INFO' || sends
        ? []
        : fault('telephone events need a track of kind AUDIO that sends from the answer on; INFO does not', 'by');
    }
    case 'RESUME':
      return actions.some((one) => one.action.do === 'HOLD') ? [] : fault('no action of the group holds', 'do');
    case 'ACTIVATE_TRACK':
      if (mediaTracks[action.track]?.deferred) return [];
      return fault(
        `mediaTracks[${action.track}] ${action.track in mediaTracks ? 'is not deferred' : 'does not exist'}`,
        'track',
      );
    case 'REFER':
      return sipHost(action.target) ? [] : fault('is not a SIP URI with a host and a port of 1 to 65535', 'target');
    case 'ATTENDED_TRANSFER':
      if (action.target.includes('?')) return fault('carries no header fields: Replaces is added to it', 'target');
      return sipHost(action.target) ? [] : fault('is not a SIP URI with a host and a port of 1 to 65535', 'target');
    default:
      return [];
  }
}

/** An action after the end of the call would never run, and the test would count as good. */
function timeFaults({ trigger, action }: Action, durationSeconds: number): FileFault[] {
  const { afterSeconds } = trigger;
  if (afterSeconds >= durationSeconds) {
    const message = `${afterSeconds} s exceed the call, which lasts ${durationSeconds} s`;
    return [{ path: ['trigger', 'afterSeconds'], message }];
  }
  if (trigger.on !== 'ANSWERED' || action.do !== 'SEND_DTMF' || action.by !== 'RFC4733') return [];
  const keysMs = pressedMs(action.digits, ACTION_PACE);
  if (afterSeconds * 1000 + keysMs <= durationSeconds * 1000) return [];
  const message = `pressed ${afterSeconds} s after the answer they take ${keysMs} ms, and a call lasts ${durationSeconds} s`;
  return [{ path: ['action', 'digits'], message }];
}

const trackFaults = ({ mediaTracks, actions }: Scenario): FileFault[] =>
  mediaTracks.flatMap(({ deferred }, i) => {
    const activations = actions.filter(({ action }) => action.do === 'ACTIVATE_TRACK' && action.track === i).length;
    if (!deferred || activations === 1) return [];
    const message = activations === 0 ? 'no action activates it' : `${activations} actions activate it`;
    return [{ path: ['mediaTracks', i, 'deferred'], message }];
  });

/** Without a call, targets and actions have no meaning. */
const CALLED_IN: Readonly<Record<Group['mode'], readonly Group['callee']['mode'][]>> = {
  CALL: ['EXTERNAL_URI', 'GROUP', 'RECEIVE'],
  REGISTER: ['NONE', 'EXTERNAL_URI'],
  OPTIONS: ['EXTERNAL_URI'],
  STUN: ['NONE'],
};

function modeFaults({ mode, callee, actions, ice }: Scenario): FileFault[] {
  const may = CALLED_IN[mode];
  const called = may.includes(callee.mode)
    ? []
    : [{ path: ['callee', 'mode'], message: `mode ${mode} asks ${may.join(' or ')}` }];
  const idle = mode !== 'CALL' && actions.length > 0;
  const silent = mode === 'STUN' && !ice.startsWith('stun:');
  return [
    ...called,
    ...(silent
      ? [{ path: ['ice'], message: 'names the STUN server that mode STUN asks: stun:HOST or stun:HOST:PORT' }]
      : []),
    ...(idle ? [{ path: ['actions'], message: `need a call; mode ${mode} places none` }] : []),
  ];
}

const OF_CALLERS = ['delayedOffer', 'maxRedirects'] as const;
const OF_CALLEES = ['answerDelaySeconds', 'ringSeconds', 'provisional', 'rejectStatus'] as const;
const OFF = {
  delayedOffer: false,
  maxRedirects: 0,
  answerDelaySeconds: 0,
  ringSeconds: 0,
  provisional: 180,
  rejectStatus: null,
} as const;

function signallingFaults({ callee, signalling, actions }: Scenario): FileFault[] {
  const receives = callee.mode === 'RECEIVE';
  const others = receives ? OF_CALLERS : OF_CALLEES;
  const strange = others.filter((key) => signalling[key] !== OFF[key]);
  const message = `is what ${receives ? 'callers' : 'callees'} do, and the group has none`;
  const idle = signalling.rejectStatus !== null && actions.length > 0;
  return [
    ...strange.map((key) => ({ path: [key], message })),
    ...(idle && receives ? [{ path: ['rejectStatus'], message: 'leaves no call for the actions of the group' }] : []),
  ];
}
