/** The wait of a run for its agents (extensions). */
import * as z from 'zod';
import { Timestamp } from '../../../contract/envelope.ts';

export const WaitForAgents = z
  .strictObject({
    agents: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('so many that can carry a part of the run; absent: as many as have room for all of it'),
    withinSeconds: z.int().min(1).max(3600).default(300).describe('then the run ends as CANNOT_RUN_FOR_NOW'),
  })
  .describe('the run is PENDING until these agents are online')
  .meta({ id: 'WaitForAgents' });

export const Waiting = z
  .object({
    agents: z.int().nullable().describe('null: as many as have room for all of it'),
    online: z.int().describe('agents that can carry a part of the run, as of the last second or two'),
    missing: z.string().nullable().describe('in words; null: nothing'),
    until: Timestamp,
  })
  .meta({ id: 'RunWaiting' });
