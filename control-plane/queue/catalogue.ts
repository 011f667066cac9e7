/** Every job of the core: its data, its retries, and its maximum delay. */
import * as z from 'zod';
import { RUN_STATUSES } from '../contract/run-status.ts';
import type { JobName, Jobs } from '../ports.ts';
import { type JobEntry, UNTIL_IT_WORKS } from './entry.ts';

const run = z.object({ runId: z.uuid() });

export const CORE_JOBS = {
  'run.validate': { payload: run, retries: UNTIL_IT_WORKS, pollSeconds: 5 },
  'run.allocate': { payload: run, retries: UNTIL_IT_WORKS, pollSeconds: 5 },
  'run.settle': { payload: run, retries: UNTIL_IT_WORKS, pollSeconds: 5 },
  'run.watch': { payload: run.extend({ status: z.enum(RUN_STATUSES) }), retries: UNTIL_IT_WORKS, pollSeconds: 1 },
  'run.abort': { payload: run, retries: UNTIL_IT_WORKS, pollSeconds: 1 },
  'worker.lost': {
    payload: z.object({ workerId: z.uuid() }),
    retries: UNTIL_IT_WORKS,
    pollSeconds: 1,
  },
  'instances.lost': {
    payload: z.object({ workerId: z.uuid(), instanceIds: z.array(z.uuid()), reason: z.string().exactOptional() }),
    retries: UNTIL_IT_WORKS,
    pollSeconds: 1,
  },
  'workers.sweep': { payload: z.object({}), retries: 0, pollSeconds: 5, everySeconds: 5 },
  'announcement.spread': {
    payload: z.object({ announcementId: z.uuid() }),
    retries: UNTIL_IT_WORKS,
    pollSeconds: 5,
  },
  'webhook.deliver': {
    payload: z.object({ deliveryId: z.uuid(), attempt: z.int() }),
    retries: UNTIL_IT_WORKS,
    pollSeconds: 5,
    // A hanging receiver occupies one of these for the time of a request; its organization has at most two groups of
    // them.
    atOnce: 48,
    atOnceInGroup: 4,
  },
  'invitation.mail': { payload: z.object({ invitationId: z.uuid() }), retries: 3, pollSeconds: 5, expireSeconds: 180 },
  // The maximum delay of a tick is this interval and the time to find it.
  'probes.tick': { payload: z.object({}), retries: 0, pollSeconds: 1, everySeconds: 1 },
  'runs.gather': { payload: z.object({}), retries: 0, pollSeconds: 5, everySeconds: 15 },
  'incident.watch': { payload: z.object({ incidentId: z.uuid() }), retries: UNTIL_IT_WORKS, pollSeconds: 5 },
  'data.retain': { payload: z.object({}), retries: 2, pollSeconds: 60, everySeconds: 3600 },
} as const satisfies { readonly [N in JobName]?: JobEntry<Jobs[N]> };
