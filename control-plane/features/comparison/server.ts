/** What comparisons add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import { compareTestRuns, drawAhead } from './operations/comparison.ts';
import { listTestTrend } from './operations/trend.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { compareTestRuns, listTestTrend };

export const HOOKS: Hooks = { drawAhead };
