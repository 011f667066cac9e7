/** Pools (extensions): agents enroll themselves by one token, each as a worker of its own. */
import * as z from 'zod';
import { Id, Timestamp } from '../../../contract/envelope.ts';
import { Text } from '../../../contract/fields.ts';
import { Listening, NewWorker } from '../../../contract/worker.ts';
import { WORKER_STATUSES } from '../../../contract/worker-words.ts';

const NAME_PATTERN = '{pool}-{n}';

const NamePattern = Text.trim()
  .min(1)
  .max(63)
  .regex(/^(?:[\w .:-]|\{(?:pool|host|n)\})+$/, 'has letters, digits, spaces, . : - _ and {pool}, {host}, {n}')
  .describe(
    'of its workers; {pool}: the name of the pool, {host}: the host, {n}: a number that no other agent of it had',
  );

const Network = z
  .union([z.cidrv4(), z.cidrv6()], 'must be a network, such as 10.0.0.0/8')
  .meta({ example: '10.0.0.0/8' });

/** What the owner of a host may permit at most, in the words of `policy.yaml`; absent: anything. */
export const PoolPolicy = z
  .strictObject({
    targetNetworks: z
      .array(Network)
      .min(1)
      .max(100)
      .optional()
      .describe('each of its networks lies within one of these'),
    maxCallsPerSecond: z.number().positive().max(1_000_000).optional(),
    maxEndpoints: z.int().min(1).max(1_000_000).optional(),
    maxDurationSeconds: z.int().min(1).max(10_000_000).optional(),
  })
  .meta({ id: 'PoolPolicy' });
export type PoolPolicy = z.output<typeof PoolPolicy>;

export const NewPool = {
  name: NewWorker.name,
  region: NewWorker.region,
  capacity: NewWorker.capacity,
  namePattern: NamePattern.default(NAME_PATTERN),
  maxAgents: z.int().min(1).max(10_000).default(100).describe('at a time, those included that are away'),
  policy: PoolPolicy.default({}).describe('what the policies of its hosts may permit at most'),
  expiresAt: z.iso.datetime().nullable().default(null).describe('of the token; null: never'),
};

export const Pool = z
  .object({
    id: Id,
    name: z.string(),
    region: z.string(),
    capacity: z.int().describe('simultaneous endpoints of each of its workers, at most'),
    namePattern: z.string(),
    maxAgents: z.int(),
    policy: PoolPolicy,
    createdBy: z.string().nullable().describe('name of the member; null: the account is gone'),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable().describe('since when nobody can join; its agents stay'),
    online: z.int().describe('agents that take runs now'),
    agents: z.int().describe('agents that have joined and not left'),
    joined: z.int().describe('agents that have ever joined'),
  })
  .meta({ id: 'Pool' });

export const CreatedPool = Pool.extend({
  joinToken: z.string().describe('by which agents join until it expires or is revoked; shown once'),
  listening: Listening,
}).meta({ id: 'CreatedPool' });

export const PoolAgent = z
  .object({
    id: Id.describe('of the worker'),
    name: z.string(),
    status: z.enum(WORKER_STATUSES),
    isDisposable: z.boolean().describe('it leaves when it is stopped, and is archived when it is away for 15 minutes'),
    joinedAt: Timestamp,
    leftAt: Timestamp.nullable().describe(
      'since when the worker is archived; its runs keep its figures. null: it is there',
    ),
    runs: z.int().describe('in which it had a share'),
    endpoints: z.int().describe('of these shares'),
  })
  .meta({ id: 'PoolAgent' });
