/** Converts an allocation's actions, signalling and breaker to plain data. Unsupported features are refused by name. */
import type { wire } from '@carillon/proto';
import type { MediaAbilities } from '../../rtp/abilities.ts';
import type { SignallingOptions } from '../../sip/engine.ts';
import { AllocationRefused } from '../limits/allocation-refused.ts';
import type { ActionPlan, AnswerPlan, BreakerPlan, StepPlan, TriggerPlan } from '../plan.ts';

type V1 = typeof wire.agent.v1;
type Decoded<K extends keyof V1> = V1[K] extends { encode(message: infer T, ...rest: never[]): unknown } ? T : never;

const TRIGGERS = ['ANSWERED', 'HOLD', 'RESUME', 'INFO', 'DTMF', 'REFRESH'] as const;
const MAX_ACTIONS = 30;

const malformed = (what: string): never => {
  throw new AllocationRefused('MALFORMED', what);
};

/** @throws AllocationRefused ACTION, DIGITS or MALFORMED */
export function decodeActions(actions: readonly Decoded<'Action'>[], can: MediaAbilities): ActionPlan[] {
  if (actions.length > MAX_ACTIONS) malformed(`${actions.length} actions, but at most ${MAX_ACTIONS} are supported`);
  return actions.map((action) => ({ trigger: trigger(action), step: step(action, can) }));
}

function trigger({ on, afterMs, heard }: Decoded<'Action'>): TriggerPlan {
  const known = TRIGGERS.find((one) => one === on);
  if (!known) throw new AllocationRefused('ACTION', `this agent does not know the trigger ${JSON.stringify(on)}`);
  return { on: known, afterMs: afterMs ?? 0, heard: heard ?? '' };
}

function step(action: Decoded<'Action'>, can: MediaAbilities): StepPlan {
  const { do: what, track } = action;
  const digits = action.digits ?? '';
  switch (what) {
    case 'SEND_DTMF': {
      if (!/^(?:[0-9*#A-D]|\{\{[^{}]+\}\}){1,64}$/.test(digits))
        malformed(`${JSON.stringify(digits)}: digits must be 0-9, *, # or A-D`);
      const by = action.by === 'INFO' ? 'INFO' : 'RFC4733';
      if (by === 'RFC4733' && !can.digits)
        throw new AllocationRefused('DIGITS', 'this agent does not support DTMF digits');
      return { do: what, digits, by };
    }
    case 'HOLD':
    case 'RESUME':
    case 'REINVITE':
    case 'UPDATE':
    case 'HANG_UP':
      return { do: what };
    case 'ACTIVATE_TRACK':
      return { do: what, track: track === 'VIDEO' ? 'VIDEO' : 'AUDIO' };
    case 'REFER':
    case 'ATTENDED_TRANSFER':
      return { do: what, target: action.target ?? '' };
    default:
      throw new AllocationRefused('ACTION', `this agent does not know the action ${JSON.stringify(what)}`);
  }
}

/** Older orders lack these fields. */
export function decodeSignalling(s: Decoded<'Signalling'> | null | undefined): SignallingOptions {
  const reliable = s?.reliableProvisional;
  return {
    reliableProvisional: reliable === 'SUPPORTED' || reliable === 'REQUIRED' ? reliable : 'NONE',
    sessionTimer: s?.sessionExpiresSeconds
      ? {
          expiresSeconds: s.sessionExpiresSeconds,
          minSeconds: s.sessionMinSeconds || 90,
          refresher: s.refresher === 'UAC' || s.refresher === 'UAS' ? s.refresher : null,
        }
      : null,
    delayedOffer: s?.delayedOffer ?? false,
    maxRedirects: s?.maxRedirects ?? 0,
  };
}

export function decodeAnswering(s: Decoded<'Signalling'> | null | undefined): AnswerPlan {
  const status = s?.rejectStatus || null;
  if (status !== null && (status < 400 || status > 699)) malformed(`${status} is not a status that rejects a call`);
  return {
    delayMs: s?.answerDelayMs ?? 0,
    ringMs: s?.ringMs ?? 0,
    provisional: s?.provisional === 183 ? 183 : 180,
    rejectStatus: status,
  };
}

/** The value for older control planes, which do not send it. */
const BLOCKED_CALLS = 10;

export const decodeBreaker = (b: Decoded<'Breaker'> | null | undefined): BreakerPlan | null =>
  b
    ? {
        failurePercent: b.failurePercent || 100,
        minCalls: b.minCalls || 1,
        blockedCalls: b.blockedCalls || BLOCKED_CALLS,
      }
    : null;
