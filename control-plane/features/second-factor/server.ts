/** What the second factor adds to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import { CODES } from './limits/codes.ts';
import {
  confirmSecondFactor,
  offerSecondFactor,
  REMOVE,
  removeSecondFactor,
  renewRecoveryCodes,
  takeCode,
} from './operations/second-factor.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = {
  offerSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
};

export const LIMITS = CODES;

export const HOOKS: Hooks = { takeCode, account: { 'remove-second-factor': REMOVE } };
