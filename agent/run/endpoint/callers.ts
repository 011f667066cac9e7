/** What callers do, by the mode of their group. */
import { Caller } from './caller.ts';
import { Pinger } from './pinger.ts';
import { Registrant } from './registrant.ts';
import { StunAsker } from './stun-asker.ts';

export const CALLERS = { CALL: Caller, REGISTER: Registrant, OPTIONS: Pinger, STUN: StunAsker } as const;
