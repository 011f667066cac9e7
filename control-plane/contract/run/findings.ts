/** The findings of calls, and what callers got (extensions). proto/words/findings.ts has the kinds, their severity and their words. */
import { isCause } from '@carillon/proto/words/causes.ts';
import { FINDING_KINDS } from '@carillon/proto/words/findings.ts';
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { PARTIES } from '../run-status.ts';
import { ENDPOINT_TYPES } from '../test-settings/words.ts';
import { PAIRINGS } from './words.ts';

const FINDING_SEVERITIES = ['FAULT', 'NOTE'] as const;

export const CallFinding = z
  .object({
    finding: z.enum(FINDING_KINDS),
    title: z.string().describe('the same for every call'),
    severity: z
      .enum(FINDING_SEVERITIES)
      .describe('FAULT: the call counts as failed, unless the group tolerates the finding'),
    party: z.enum(PARTIES).describe('party at fault'),
    tolerated: z.boolean().describe('tolerated by the group: the call does not count as failed'),
    stream: z.int().nullable().describe('null: a finding of the call, not of one stream'),
    at: Timestamp.nullable().describe('start; null: no specific time'),
    seconds: z.number().nullable().describe('duration; null: none'),
    message: z.string(),
    pairing: z
      .enum(PAIRINGS)
      .nullable()
      .describe('how the other end of the call was found, if the finding needs it; null: one end is enough'),
  })
  .meta({ id: 'CallFinding' });
export type CallFinding = z.infer<typeof CallFinding>;

/** The endpoints of a run with one finding. */
export const RunFinding = z
  .object({
    finding: z.enum(FINDING_KINDS),
    endpointType: z.enum(ENDPOINT_TYPES).describe('type of the endpoints with this finding'),
    severity: z.enum(FINDING_SEVERITIES),
    party: z.enum(PARTIES),
    title: z.string(),
    count: z.int().describe('endpoints'),
    tolerated: z.int().describe('of those, endpoints whose group tolerates it'),
    answered: z.int().describe('answered calls of endpoints of that type'),
    sharePercent: z.number().describe('count of answered'),
    exampleEndpointIds: z.array(Id),
  })
  .meta({ id: 'RunFinding' });
export type RunFinding = z.infer<typeof RunFinding>;

const percent = (of: string) => z.number().describe(`percent of ${of}; 0 where there are none`);

/** The quality of calls. calls = successful + failed + in progress; failed = not answered + failed after the answer. */
export const CallQuality = z
  .object({
    calls: z.int().describe('as callTiming.totalCalls'),
    successful: z.int().describe('calls whose outcome is SUCCESS: answered, heard, and not ended early'),
    failed: z.int().describe('calls that ended with another outcome'),
    notPlaced: z.int().describe('planned calls that ended before their INVITE: not registered, held back, not started'),
    answered: z.int(),
    answeredFailed: z.int().describe('of failed, calls that were answered'),
    soundAsked: z.int().describe('answered calls in which audio was expected'),
    heard: z
      .int()
      .describe(
        'of those, calls that we heard for the whole duration, and whose far end reported (RTCP) that ours arrived',
      ),
    unreported: z
      .int()
      .describe('of soundAsked, calls that we heard for the whole duration, and whose far end did not report'),
    dropped: z.int().describe('answered calls that ended early, not by the endpoint'),
    talkSeconds: z.number().describe('time in which audio was expected'),
    mediaSeconds: z.number().describe('of that, time in which audio was received'),
    absentSeconds: z.number().describe('of that, time in which none came; lost packets included'),
    pausedSeconds: z.number().describe('of that, time in which the far end sent none, as the packet after it proves'),
    successShare: percent('calls that have ended and notPlaced'),
    heardShare: percent('soundAsked without unreported'),
    mediaShare: percent('talkSeconds'),
    callDropRate: percent('answered'),
  })
  .meta({ id: 'CallQuality' });
export type CallQuality = z.infer<typeof CallQuality>;

/** The filter is no enumeration, because that would take a tenth of what MCP may say about all its tools. */
export const CauseFilter = z
  .string()
  .max(60)
  .refine(isCause, 'is not a cause of failure: docs/reference/findings.md has all of them');

export const Failure = z
  .object({
    cause: z.string(),
    party: z.enum(PARTIES),
    sipStatus: z.int().nullable(),
    reason: z.string().describe('the reason phrase, or a sentence of the agent'),
    q850: z.int().nullable().describe('cause value of a Reason header (RFC 3326); null: none'),
    q850Name: z.string().nullable(),
    reasonText: z.string().nullable().describe('text of that header'),
    warning: z.string().nullable().describe('code and text of a Warning header'),
    retryAfterSeconds: z.int().nullable(),
    sentence: z.string().describe('the failure in one sentence'),
  })
  .meta({ id: 'Failure' });
export type Failure = z.infer<typeof Failure>;

/** Media of an endpoint's call, all of its audio streams together. */
export const CallMedia = z
  .object({
    mos: z.number().nullable().describe('of the worst audio stream'),
    lossFraction: z.number().nullable(),
    awaitedMs: z.number().nullable().describe('time in which audio was due'),
    absentMs: z.number().nullable().describe('of that, time in which none came; lost packets included'),
    pausedMs: z
      .number()
      .nullable()
      .describe('of that, time in which the far end sent none, as the packet after it proves'),
    jitterMs: z.number().nullable().describe('mean, of the worst stream'),
    packetsSent: z.int(),
    packetsReceived: z.int(),
    longestGapMs: z.number().nullable().describe('longest time without a packet while packets were expected'),
  })
  .meta({ id: 'CallMedia' });
export type CallMedia = z.infer<typeof CallMedia>;
