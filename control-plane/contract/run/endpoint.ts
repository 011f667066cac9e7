/** The calls of a run, and one endpoint in full, including fields that the list omits (extensions). */

import {
  type FigurePlace,
  isNullable,
  STREAM_FIGURE_ROWS,
  type StreamFieldsOf,
} from '@carillon/proto/figures/stream-figures.ts';
import { FINDING_KINDS } from '@carillon/proto/words/findings.ts';
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { whole } from '../query.ts';
import { ENDPOINT_TYPES } from '../test-settings/words.ts';
import { WorkerRef } from '../worker.ts';
import { answers } from './call-figures.ts';
import { CauseFilter } from './findings.ts';
import { MOS_SCALES } from './measured-words.ts';
import { Endpoint, RegistrationRefreshes } from './run.ts';
import { Measured, ReceivedDetails, SentDetails, StreamDetails } from './stream-details.ts';
import { CallIdFilter, SearchText } from './trace.ts';
import { OUTCOMES, PAIR_GROUNDS, PHASES } from './words.ts';

/** Filters and order of a list of endpoints or calls; endpoints with several calls match by any of them. */
export const EndpointFilter = {
  outcome: z.enum(OUTCOMES).optional(),
  endpoint_type: z.enum(ENDPOINT_TYPES).optional(),
  worker_id: z.string().max(100).optional(),
  cause: CauseFilter.optional().describe('of the failure'),
  sip_status: whole(100, 699).optional().describe('of the failure or the final response'),
  number: SearchText.optional().describe('part of the called address'),
  call_id: CallIdFilter.optional().describe('whole'),
  finding: z.enum(FINDING_KINDS).optional().describe('endpoints whose call has this finding'),
  order: z
    .enum(['number', 'worst'])
    .default('number')
    .describe('worst first: failures, then answered calls without media, then by lowest MOS'),
};

/** The endpoint that a call belongs to. */
const endpoint = z
  .object({ id: Id, number: z.int(), call: z.int().describe('number of the call at its endpoint, from 1') })
  .describe('endpoint of the call');

/** Parameters for an endpoint's id also accept a call's id, for messages, events, metrics, and details with streams. */
export const Call = Endpoint.omit({ calls: true }).extend({ endpoint }).meta({ id: 'TestRunCall' });

const Plain = z.int();
const Nullable = { bigint: Plain.nullable(), int: Plain.nullable(), real: Measured } as const;

/** The figures of a stream, in their place in an answer. */
const figuresAt = <P extends FigurePlace>(place: P) =>
  Object.fromEntries(
    STREAM_FIGURE_ROWS.filter(([, row]) => row.place === place).map(([, row]) => {
      const type = isNullable(row) ? Nullable[row.type] : Plain;
      return [row.json, row.says === undefined ? type : type.describe(row.says)];
    }),
  ) as StreamFieldsOf<P, z.ZodNullable<z.ZodNumber>, z.ZodNumber>;

const SentStream = SentDetails.extend(figuresAt('send')).describe('media that the endpoint sent');

const ReceivedStream = ReceivedDetails.extend({ ...figuresAt('receive'), lossFraction: Measured }).describe(
  'media that the endpoint received',
);

const EndpointStream = StreamDetails.extend({
  stream: z.int(),
  codec: z.string(),
  scale: z.enum(MOS_SCALES).nullable().describe('scale of every MOS and R factor here; null: not rated'),
  remote: z.string(),
  feedback: z.boolean().describe('the far end reported what it received'),
  ...figuresAt('stream'),
  send: SentStream,
  receive: ReceivedStream,
}).meta({ id: 'EndpointStream' });
export type EndpointStream = z.infer<typeof EndpointStream>;

export const EndpointDetail = Endpoint.extend({
  endpoint,
  subPopulationInstanceId: Id,
  phaseReached: z.enum(PHASES).describe('highest phase before it hung up or closed'),
  closedAt: Timestamp.nullable(),
  endedBy: z.string().nullable(),
  release: z
    .object({
      q850: z.int().nullable(),
      q850Name: z.string().nullable(),
      reasonText: z.string().nullable(),
      warning: z.string().nullable(),
    })
    .nullable()
    .describe('reason that the far end gave when it refused or ended the call; null: none'),
  ...answers('DETAIL', Measured),
  callerUri: z
    .string()
    .nullable()
    .describe('From of the INVITE that a callee received; null: a caller, or a callee that was not called'),
  peerEndpointId: Id.nullable().describe('peer.endpointId'),
  peer: z
    .object({
      endpointId: Id,
      worker: WorkerRef,
      grounds: z
        .array(z.enum(PAIR_GROUNDS))
        .describe("evidence of a deduced pair: called number, caller's number, received packets, time"),
    })
    .nullable()
    .describe('the other end of the call; null: it is not an endpoint of this run, or not certain'),
  tls: z.string().nullable().describe('version and cipher of that connection'),
  registrationRefreshes: RegistrationRefreshes.nullable().describe('null: it did not register'),
  finalStatusCode: z.int().nullable().describe('final response to INVITE, or to OPTIONS in mode OPTIONS'),
  streams: z.array(EndpointStream).describe('whole streams: written when they end'),
  counts: z.object({
    events: z.int(),
    actionsDone: z.int(),
    actionsFailed: z.int(),
    sipMessages: z.int(),
    sipMessagesSent: z.int(),
    sipMessagesReceived: z.int(),
    retransmissions: z.int(),
  }),
}).meta({ id: 'TestRunEndpointDetail' });
