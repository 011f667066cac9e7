/** An organization as the owner of the installation sees it. */
import * as z from 'zod';
import { Id, Timestamp } from '../../../contract/envelope.ts';
import { Name } from '../../../contract/fields.ts';
import { CreatedInvitation, Email } from '../../../contract/people/account.ts';
import { TIERS } from '../../../contract/people/words.ts';
import { HEALTH_STATES } from '../../../contract/run/measured-words.ts';

export const Customer = z
  .object({
    id: Id,
    name: z.string(),
    isOwn: z.boolean().describe('it runs the installation'),
    plan: z.enum(TIERS),
    createdAt: Timestamp,
    people: z.int(),
    invitations: z.int().describe('that are not accepted yet'),
    projects: z.int(),
    workers: z.int(),
    onlineWorkers: z.int(),
    probes: z.int().describe('that are switched on'),
    health: z.enum(HEALTH_STATES).nullable().describe('the worst of these probes; null: none'),
    openRuns: z.int(),
    lastRunAt: Timestamp.nullable().describe('when the last run was submitted; null: there is none'),
    runs: z.int().describe('that ended in the month'),
    endpointMinutes: z.number().describe('of the runs that ended in the month'),
    endpointMinutesPerMonth: z.int().nullable().describe("the plan's limit; null: none"),
  })
  .meta({ id: 'Customer' });

export const CustomerTotals = z.object({
  organizations: z.int(),
  unhealthy: z.int().describe('organizations with a probe that is not well'),
  openRuns: z.int(),
  workers: z.int().describe('of all organizations, and shared ones'),
  onlineWorkers: z.int(),
  sharedWorkers: z.int().describe('of the installation, which carry runs of every organization'),
  endpointMinutes: z.number().describe('of the runs that ended in the month'),
});

const OwnerEmail = Email.describe('of the first OWNER');

export const NewCustomer = { name: Name, plan: z.enum(TIERS), email: OwnerEmail };
export const CustomerChange = { plan: z.enum(TIERS) };
export const NewOwner = { email: OwnerEmail };
export const InvitedOwner = z.object({ id: Id, name: z.string(), invitation: CreatedInvitation });
