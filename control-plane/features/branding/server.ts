/** What branding adds to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import { getBranding, shownBrand, updateBranding } from './operations/branding.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { getBranding, updateBranding };

export const HOOKS: Hooks = { brand: shownBrand };
