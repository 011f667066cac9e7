/** What comparisons add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import { compareTestRuns } from './operations/comparison.ts';
import { listTestTrend } from './operations/trend.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { compareTestRuns, listTestTrend };
