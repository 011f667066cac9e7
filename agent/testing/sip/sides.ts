/** Engines with real sockets on loopback, as tests with real peers use them. */

import { holds } from '../../../scripts/peers/process.ts';
import { nowMs } from '../../clock.ts';
import { createCoreEngine } from '../../sip/core/engine.ts';
import type {
  ConnectionOpened,
  IncomingCall,
  SipEngine,
  SipEngineOptions,
  Traffic,
  UserAgent,
} from '../../sip/engine.ts';
import { CallLog, SDP } from './virtual.ts';
import { type OwnedOptions, withOwner } from './with-owner.ts';

export type EngineSide = {
  engine: SipEngine;
  errors: unknown[];
  traffic: Omit<Traffic, 'text'>[];
  opened: ConnectionOpened[];
};

const engines: SipEngine[] = [];

export async function side(options: Partial<SipEngineOptions> = {}): Promise<EngineSide> {
  const errors: unknown[] = [];
  const engine = await createCoreEngine({
    address: '127.0.0.1',
    port: 0,
    adapter: 'auto',
    userAgentName: 'carillon-test',
    mayReach: () => true,
    onUnclaimedCall: () => null,
    onInternalError: (error) => errors.push(error),
    ...options,
  });
  engines.push(engine);
  return { engine, errors, traffic: [], opened: [] };
}

export const agentOf = (on: EngineSide, user: string, options: Partial<OwnedOptions> = {}): UserAgent =>
  on.engine.createUserAgent(
    withOwner({
      aor: `sip:${user}@carillon.test`,
      contactUser: user,
      credentials: null,
      registrarUri: null,
      nextHop: null,
      routeSet: [],
      traffic: { onMessage: ({ text: _text, ...seen }) => on.traffic.push(seen) },
      onConnectionOpened: (opened) => on.opened.push(opened),
      ...options,
    }),
  );

/** Rings, answers; the caller hangs up. */
export function answering(call: IncomingCall): CallLog {
  call.ring();
  call.answer(SDP('sendrecv', '127.0.0.1'));
  return new CallLog();
}

/** @throws Error if it does not come (until) */
export const turnUntil = (condition: () => boolean, sides: readonly Pick<EngineSide, 'engine'>[]): Promise<boolean> => {
  const turn = (): void => {
    for (const { engine } of sides) engine.turn(nowMs());
  };
  return holds(condition, { everyMs: 1, turn });
};

export const isOver = (log: CallLog): boolean => log.events.some((event) => /^(?:ended|failed)/.test(event));

/**
 * Without provisional responses beyond the wanted ones: SIPp answers an INVITE again that was repeated because a busy host
 * stalled one of them.
 */
export function withoutRepeats(events: readonly string[], wanted: readonly string[]): string[] {
  const kept: string[] = [];
  for (const event of events) {
    const isAgain = event.startsWith('provisional') && kept.includes(event);
    if (!isAgain || wanted[kept.length] === event) kept.push(event);
  }
  return kept;
}

export function call(from: UserAgent, target: string): CallLog {
  const log = new CallLog();
  const placed = from.invite(target, SDP('sendrecv', '127.0.0.1'), log);
  const told = log.onAnswered.bind(log);
  log.onAnswered = (...parts) => {
    told(...parts);
    placed.hangUp();
  };
  return log;
}

export function closeSides(): void {
  for (const engine of engines) engine.close();
}
