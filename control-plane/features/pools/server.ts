/** What pools add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import { join, objection } from './operations/join.ts';
import { createPool, listPoolAgents, listPools, revokePool } from './operations/pools.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { createPool, listPools, listPoolAgents, revokePool };

export const HOOKS: Hooks = { enrolment: { join, objection } };
