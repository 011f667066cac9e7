/** The owner and permissions of a key: usually a program's first request. */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { ROLES } from '../roles.ts';
import { PlanLimits } from './plans.ts';
import { SCOPES, TIERS } from './words.ts';

export const Whoami = z
  .object({
    by: z.enum(['KEY', 'SESSION']),
    key: z
      .object({
        id: Id,
        name: z.string(),
        lastFour: z.string(),
        createdAt: Timestamp,
        expiresAt: Timestamp.nullable().describe('null: never'),
      })
      .nullable()
      .describe('null: a person in the dashboard'),
    user: z
      .object({ id: Id, name: z.string(), email: z.string() })
      .describe('the creator of the key, who determines its rights'),
    organization: z.object({ id: Id, name: z.string() }),
    role: z.enum(ROLES).describe('in the organization; a project may give another'),
    scopes: z.array(z.enum(SCOPES)).describe('READ: GET; RUN: start, cancel, check; WRITE: everything else'),
    projectIds: z.array(Id).nullable().describe('projects of the key; null: all of the organization'),
    plan: z.object({ name: z.enum(TIERS), limits: PlanLimits }),
    version: z.string().describe('of the control plane'),
  })
  .meta({ id: 'Whoami' });
