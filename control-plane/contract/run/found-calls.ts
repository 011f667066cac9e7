/** Calls over all runs of a project, or of all projects: all of them, and those that failed (extensions). */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { many, whole } from '../query.ts';
import { ENDPOINT_TYPES } from '../test-settings/words.ts';
import { WorkerRef } from '../worker.ts';
import { CauseFilter, Failure } from './findings.ts';
import { Measured } from './stream-details.ts';
import { CallIdFilter, SearchText, Span } from './trace.ts';
import { OUTCOMES } from './words.ts';

export const FailedCallFilter = {
  test_id: z.string().max(100).optional().describe('of runs of this test'),
  sip_status: whole(100, 699).optional().describe('of the failure or the final response'),
  cause: CauseFilter.optional().describe('of the failure'),
  number: SearchText.optional().describe('part of the called address'),
  call_id: CallIdFilter.optional().describe('whole'),
  worker_id: z.string().max(100).optional(),
  from: Span.from.describe('planned at or after'),
  to: Span.to.describe('planned before'),
  submitted_to: Span.to.describe('of runs submitted until then; `meta.search.until` goes on'),
};
export const FoundCallFilter = { ...FailedCallFilter, outcome: many(z.enum(OUTCOMES)).optional() };

export const FailedCall = z
  .object({
    id: Id.describe('of the call, or of the endpoint that failed before one'),
    run: z.object({ id: Id, testId: Id, testName: z.string(), submittedAt: Timestamp }),
    endpointType: z.enum(ENDPOINT_TYPES),
    endpointNumber: z.int().describe('number of the endpoint in the run'),
    call: z
      .int()
      .nullable()
      .describe('number of the call at its endpoint, from 1; null: endpoints place one call each'),
    outcome: z.enum(OUTCOMES),
    failure: Failure.omit({ sentence: true }).nullable(),
    finalStatus: z.int().nullable(),
    callId: z.string().nullable(),
    calleeUri: z.string(),
    plannedAt: Timestamp.nullable(),
    worker: WorkerRef,
  })
  .meta({ id: 'FailedCall' });

export const FoundCall = FailedCall.extend({
  id: Id.describe('of the call, or of the endpoint that ended before one'),
  outcome: z.enum(OUTCOMES).nullable().describe('null until CLOSED'),
  inviteAt: Timestamp.nullable().describe('when its INVITE was sent or received; null: there was none'),
  callSetupMs: Measured,
  callDurationMs: Measured.describe('from the answer to the end'),
  mos: Measured.describe('lowest of its audio streams'),
}).meta({ id: 'FoundCall' });

export const CallsEverywhere = z
  .object({
    calls: z.array(FoundCall.extend({ projectId: z.string(), projectName: z.string() })).describe('last planned first'),
    complete: z.boolean().describe('false: not all runs were looked at; the calls of a project are listed in full'),
  })
  .meta({ id: 'CallsEverywhere' });
