/** What pools add to the control plane. */
import type { JobHandlers } from '../../operations/jobs.ts';
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import type { JOBS } from './jobs.ts';
import { join, objection } from './operations/join.ts';
import { createPool, listPoolAgents, listPools, revokePool } from './operations/pools.ts';
import { sweepPools } from './operations/sweep.ts';
import type { ROWS } from './rows.ts';
import { POOL_OF_WORKER } from './store/pool-workers.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { createPool, listPools, listPoolAgents, revokePool };

export const JOB_HANDLERS: Pick<JobHandlers, keyof typeof JOBS> = { 'pools.sweep': sweepPools };

export const HOOKS: Hooks = { enrollment: { join, objection }, workerTexts: { pool: POOL_OF_WORKER } };
