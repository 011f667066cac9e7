/** Pools of agents: their tokens, and the agents that have joined by them (extensions). */
import * as z from 'zod';
import { Page } from '../../contract/envelope.ts';
import { cursorOf } from '../../contract/query.ts';
import type { OperationRow } from '../../contract/row.ts';
import { CreatedPool, NewPool, Pool, PoolAgent } from './contract/pool.ts';

const poolId = z.string().describe('pool id');

export const ROWS = {
  createPool: {
    method: 'POST',
    path: '/pools',
    summary: 'Create a pool, and the token by which agents enroll themselves in it',
    role: 'ADMIN',
    whole: true,
    proof: true,
    input: z.object(NewPool),
    output: CreatedPool,
    answers: 'single',
    status: 201,
    extension: true,
  },
  listPools: {
    method: 'GET',
    path: '/pools',
    summary: 'Pools of the organization, without their tokens; revoked ones as long as they have agents',
    role: 'VIEWER',
    input: z.object({ ...Page, ...cursorOf(['name', '-name', '-createdAt', 'createdAt']) }),
    output: Pool,
    answers: 'list',
    status: 200,
    extension: true,
  },
  listPoolAgents: {
    method: 'GET',
    path: '/pools/{poolId}/agents',
    summary: 'Agents that have joined a pool, those that have left included, last joined first',
    role: 'VIEWER',
    input: z.object({ poolId, ...Page, ...cursorOf(['-joinedAt', 'joinedAt']) }),
    output: PoolAgent,
    answers: 'list',
    status: 200,
    extension: true,
  },
  revokePool: {
    method: 'DELETE',
    path: '/pools/{poolId}',
    summary: 'Revoke the token of a pool at once: nobody can join any more, and its agents stay',
    role: 'ADMIN',
    whole: true,
    proof: true,
    input: z.object({ poolId }),
    output: Pool,
    answers: 'single',
    status: 200,
    extension: true,
  },
} as const satisfies Record<string, OperationRow>;

export const BODIES = { createPool: { name: 'spot', region: 'eu', maxAgents: 20 } };

type PoolRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends PoolRows {}
}
