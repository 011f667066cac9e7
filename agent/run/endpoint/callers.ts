/** What callers do, by the mode of their group. */

import { Pinger } from './callless/pinger.ts';
import { Registrant } from './callless/registrant.ts';
import { StunAsker } from './callless/stun-asker.ts';
import { Caller } from './talking/caller.ts';

export const CALLERS = { CALL: Caller, REGISTER: Registrant, OPTIONS: Pinger, STUN: StunAsker } as const;
