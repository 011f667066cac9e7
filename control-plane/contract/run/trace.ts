/** Events and SIP messages of a run (extensions). Message texts come from untrusted peers. */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { EVENT_KINDS } from './words.ts';

const Instant = z.iso.datetime({ offset: true }).refine((text) => !Number.isNaN(Date.parse(text)), 'is not an instant');

export const Span = {
  from: Instant.optional().describe('at or after'),
  to: Instant.optional().describe('before'),
};

/** A text with NUL is refused: no message and no event has one, and PostgreSQL cannot search for it. */
const withoutNul = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
export const SearchText = z.string().min(1).max(200).refine(withoutNul, 'contains an invalid character');
/** One line of a message. */
export const CallIdFilter = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^\s\p{Cc}]+$/u, 'a Call-ID has no white space');
/** The methods of SIP that are registered with IANA. */
const METHODS = new Set(
  'ACK BYE CANCEL INFO INVITE MESSAGE NOTIFY OPTIONS PRACK PUBLISH REFER REGISTER SUBSCRIBE UPDATE'.split(' '),
);
/**
 * A method is a token (RFC 3261, 25.1). Methods are case-sensitive (7.1): `invite` differs from INVITE, and is hardly intended.
 */
const MethodFilter = z
  .string()
  .max(32)
  .regex(/^[\w.!%*+`'~-]+$/, { error: 'is not a method, such as INVITE', abort: true })
  .refine((method) => METHODS.has(method) || !METHODS.has(method.toUpperCase()), {
    error: ({ input }) => `is not a method of SIP: write ${String(input).toUpperCase()}`,
  });

export const EventFilter = {
  endpoint_id: z.string().optional(),
  kind: z.enum(EVENT_KINDS).optional(),
  text: SearchText.optional().describe('in the detail, ignoring case'),
  ...Span,
};

export const RunEvent = z
  .object({
    id: Id,
    at: Timestamp,
    kind: z.enum(EVENT_KINDS),
    endpointId: Id.nullable().describe('null: an event of the run itself'),
    detail: z.string(),
  })
  .meta({ id: 'TestRunEvent' });

/** The filter of messages, by the fields of their index. */
export const TraceFilter = {
  endpoint_id: z.string().optional(),
  legs: z.enum(['ONE', 'BOTH']).optional().describe('with endpoint_id: BOTH: of the other end of its call, too'),
  call_id: CallIdFilter.optional(),
  method: MethodFilter.optional().describe('method of requests and of their responses'),
  status: z
    .string()
    .regex(/^[1-6](\d\d|xx)$/i, 'must be a status code or a class of status codes, such as 486 or 4xx')
    .optional(),
  direction: z.enum(['SENT', 'RECEIVED']).optional(),
  ...Span,
};

export const MessageFilter = {
  ...TraceFilter,
  text: SearchText.optional().describe(
    'text anywhere in the message, ignoring case; `meta.search` says how far the search went',
  ),
};

export const Message = z
  .object({
    id: Id,
    at: Timestamp.describe('kernel time where the agent has it'),
    endpointId: Id.nullable().describe('null: the message names no endpoint of the run'),
    direction: z.enum(['SENT', 'RECEIVED']),
    method: z.string(),
    statusCode: z.int().nullable().describe('null: a request'),
    retransmission: z.boolean(),
    peer: z.string(),
    callId: z.string(),
    lengthBytes: z.int(),
  })
  .meta({ id: 'SipMessage' });

export const MessageDetail = Message.extend({
  text: z
    .string()
    .nullable()
    .describe('the whole message, credentials masked; null: what the agent stored cannot be read'),
  encoding: z.enum(['utf8', 'latin1']).describe('how its bytes were read: latin1 where they are not UTF-8'),
}).meta({ id: 'SipMessageDetail' });
