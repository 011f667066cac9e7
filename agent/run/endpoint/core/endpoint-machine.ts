/**
 * The phases of an endpoint and the events between them. An endpoint never returns to an earlier phase.
 *
 * registered  the registrar accepted it         answered    a 2xx was received (caller) or sent (callee)
 * calling     its INVITE goes out               connected   both ends have agreed on media
 * ringing     180 was received or sent          hangingUp   CANCEL, BYE or un-REGISTER is under way
 * closed      everything of it has ended
 */

import type { Machine } from '@carillon/proto/base/machine.ts';
import type { Phase } from '../../phases.ts';

export type EndpointEvent = 'registered' | 'calling' | 'ringing' | 'answered' | 'connected' | 'hangingUp' | 'closed';

export const ENDPOINT: Machine<Phase, EndpointEvent> = {
  initial: 'INITIALIZING',
  finals: ['CLOSED'],
  transitions: {
    INITIALIZING: {
      registered: 'REGISTERED',
      calling: 'CALLING',
      ringing: 'RINGING',
      hangingUp: 'DISCONNECTING',
      closed: 'CLOSED',
    },
    REGISTERED: { calling: 'CALLING', ringing: 'RINGING', hangingUp: 'DISCONNECTING', closed: 'CLOSED' },
    CALLING: { ringing: 'RINGING', answered: 'NEGOTIATING', hangingUp: 'DISCONNECTING', closed: 'CLOSED' },
    RINGING: { answered: 'NEGOTIATING', hangingUp: 'DISCONNECTING', closed: 'CLOSED' },
    NEGOTIATING: { connected: 'INCALL', hangingUp: 'DISCONNECTING', closed: 'CLOSED' },
    INCALL: { hangingUp: 'DISCONNECTING', closed: 'CLOSED' },
    DISCONNECTING: { closed: 'CLOSED' },
    CLOSED: {},
  },
  heldBy: {
    INITIALIZING: 'USER',
    REGISTERED: 'USER',
    CALLING: 'TRANSACTION',
    RINGING: 'TRANSACTION',
    NEGOTIATING: 'TRANSACTION',
    INCALL: 'TIMER',
    DISCONNECTING: 'TRANSACTION',
    CLOSED: 'NOBODY',
  },
};
