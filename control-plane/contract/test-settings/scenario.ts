/**
 * What a group's endpoints do in a call, and how their signalling behaves: declared once for answers, requests and the
 * provisioning file.
 */
import { MAX_CALLS } from '@carillon/proto/load/shapes/shape.ts';
import * as z from 'zod';
import { countsUp } from './caller.ts';
import { ACTIONS, DTMF_METHODS, MAX_ACTIONS, TRIGGERS } from './scenario-words.ts';
import { Digits } from './stream-fields.ts';
import { CALL_SOURCES, GROUP_MODES, RELIABLE_PROVISIONAL, SIP_ENGINES } from './words.ts';

export const Mode = z
  .enum(GROUP_MODES)
  .describe(
    'activity of its callers: CALL; REGISTER, stay registered for the duration; OPTIONS, one request to the callee; STUN, one request to the STUN server of ice, as in checks',
  );

export const Engine = z
  .enum(SIP_ENGINES)
  .describe('SIP stack of its endpoints. CORE: our own; SIPJS: SIP.js, as in browser phones, over WS and WSS');

/** Agents give a call up after 200 s of ringing, whatever the setting is. */
export const AnswerTimeout = z
  .int()
  .min(1)
  .max(180)
  .describe('callers: a call that is not answered within this many seconds is cancelled');

export const RegisterExpires = z
  .int()
  .min(30)
  .max(86_400)
  .describe('Expires of REGISTER, in seconds (RFC 3261, 10.2); the registrar may grant another time');

const MAX_RETRY_SECONDS = 3600;
/** A run allows time for all retries before it starts, and for the last attempt. */
export const RegisterRetry = z
  .strictObject({
    afterSeconds: z.int().min(1).max(MAX_RETRY_SECONDS).describe('the wait; Retry-After of the registrar, if longer'),
    withinSeconds: z
      .int()
      .min(1)
      .max(MAX_RETRY_SECONDS)
      .describe('time after the first failure in which REGISTER is repeated; a refresh also while the binding lasts'),
  })
  .refine(({ afterSeconds, withinSeconds }) => afterSeconds <= withinSeconds, {
    path: ['withinSeconds'],
    message: 'is shorter than the wait before the first attempt (afterSeconds)',
  })
  .describe(
    'a REGISTER with a transient failure (no answer, 408, 430, 480, 500, 502 to 504) is repeated; null: a first one is not, a refresh as in RFC 5626, 4.5',
  )
  .meta({ id: 'RegisterRetry' });

const Uri = z
  .string()
  .max(1000)
  .regex(/^sips?:\S+$/i, 'a SIP URI begins with sip: or sips:')
  .refine(countsUp.test, { error: countsUp.error });
const seconds = (most: number) => z.number().min(0).max(most);
const After = seconds(86_400).describe('seconds after the trigger');

const [ANSWERED, HOLD, RESUME, INFO, DTMF, REFRESH] = TRIGGERS;
const on = <T extends string>(word: T) => z.strictObject({ on: z.literal(word), afterSeconds: After.default(0) });

const Trigger = z
  .discriminatedUnion('on', [
    z.strictObject({ on: z.literal(ANSWERED), afterSeconds: After }),
    on(HOLD),
    on(RESUME),
    on(INFO),
    z.strictObject({
      on: z.literal(DTMF),
      digits: z
        .string()
        .regex(/^[0-9*#A-D]{1,32}$/, 'digits are 1 to 32 of 0-9 * # A-D')
        .optional()
        .describe('these digits in this order, as the last ones received; absent: any digit'),
      afterSeconds: After.default(0),
    }),
    on(REFRESH),
  ])
  .describe('event that triggers the action: the answer, or an event of the far end. Each action is performed once')
  .meta({ id: 'Trigger' });

const [SEND_DTMF, DO_HOLD, DO_RESUME, ACTIVATE_TRACK, REINVITE, UPDATE, REFER, ATTENDED_TRANSFER, HANG_UP] = ACTIONS;
const only = <T extends string>(word: T) => z.strictObject({ do: z.literal(word) });

const Step = z
  .discriminatedUnion('do', [
    z.strictObject({
      do: z.literal(SEND_DTMF),
      digits: Digits,
      by: z.enum(DTMF_METHODS).default('RFC4733').describe('INFO: application/dtmf-relay, one for each digit'),
    }),
    only(DO_HOLD),
    only(DO_RESUME),
    z.strictObject({
      do: z.literal(ACTIVATE_TRACK),
      track: z.int().min(0).max(1).describe('index in mediaTracks, from 0; a deferred track'),
    }),
    only(REINVITE),
    only(UPDATE),
    z.strictObject({ do: z.literal(REFER), target: Uri.describe('address that the far end must call') }),
    z
      .strictObject({
        do: z.literal(ATTENDED_TRANSFER),
        target: Uri.describe('target of the consultation, and address that the far end must call to replace that call'),
      })
      .describe(
        'holds the far end, calls the target (a consultation call, signalling only), then refers the far end to it with Replaces (RFC 3891; RFC 5589, 7); where that fails the far end is taken off hold',
      ),
    only(HANG_UP),
  ])
  .meta({ id: 'ActionStep' });

export const Action = z.strictObject({ trigger: Trigger, action: Step }).meta({ id: 'Action' });
export type Action = z.output<typeof Action>;

export const Actions = z.array(Action).max(MAX_ACTIONS, `at most ${MAX_ACTIONS} actions a group`);

const SessionTimer = z
  .strictObject({
    expiresSeconds: z.int().min(90).max(86_400).default(1800),
    minSeconds: z.int().min(90).max(86_400).default(90),
    refresher: z.enum(['UAC', 'UAS']).nullable().default(null).describe("null: the far end's choice"),
  })
  .refine((s) => s.minSeconds <= s.expiresSeconds, { path: ['minSeconds'], message: 'is more than expiresSeconds' });

/** The `+sip.instance` that endpoints register with. */
const INSTANCE_IDS = ['NONE', 'ACCOUNT'] as const;

export const Signalling = z
  .strictObject({
    reliableProvisional: z.enum(RELIABLE_PROVISIONAL).default('NONE').describe('100rel (RFC 3262)'),
    sessionTimer: SessionTimer.nullable().default(null).describe('RFC 4028'),
    delayedOffer: z.boolean().default(false).describe('callers: INVITE without SDP'),
    maxRedirects: z
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe('callers: 3xx that are followed; 0: the first ends the call'),
    instanceId: z
      .enum(INSTANCE_IDS)
      .default('NONE')
      .describe(
        'ACCOUNT: REGISTER offers an outbound flow under an instance of its account, which stays the same (RFC 5626)',
      ),
    answerDelaySeconds: seconds(60)
      .default(0)
      .describe('callees: between the INVITE and the first provisional response'),
    ringSeconds: seconds(180).default(0).describe('callees: between the provisional response and the final one'),
    provisional: z
      .union([z.literal(180), z.literal(183)])
      .default(180)
      .describe('callees: 183 with SDP, and media before the answer'),
    rejectStatus: z
      .int()
      .min(400)
      .max(699)
      .nullable()
      .default(null)
      .describe('callees: the final response, if not 200'),
    correlate: z
      .boolean()
      .default(true)
      .describe(
        'INVITEs carry X-Carillon-Call, which pairs both ends of a call; false: for SBCs that refuse unknown headers',
      ),
  })
  .describe('SIP features beyond the simple call')
  .meta({ id: 'Signalling' });
export type Signalling = z.output<typeof Signalling>;

/** Older tests and runs, which do not state their signalling, have this one, too. */
export const PLAIN_SIGNALLING: Signalling = Signalling.parse({});

export const CallsFrom = z
  .enum(CALL_SOURCES)
  .describe(
    'callers that its callees accept. SERVER: the registrar, its addresses in DNS, its gateways, the outbound proxy, and callers of the test; ANYBODY: every caller',
  );

export const CallsEach = z
  .int()
  .min(1)
  .max(MAX_CALLS)
  .nullable()
  .describe('number of calls that each endpoint places, or accepts, one after another; null: no limit');

export const BreakerSettings = z
  .strictObject({
    failurePercent: z.number().min(1).max(100).default(50),
    minCalls: z.int().min(1).max(100_000).default(20).describe('number of ended calls before the breaker decides'),
  })
  .describe(
    'stops starting calls when this share of the last 10 seconds failed at all workers of the group, or when all were blocked as fraud (403, 603, 607, 608); Retry-After is honored',
  )
  .meta({ id: 'Breaker' });
export type BreakerSettings = z.output<typeof BreakerSettings>;
export const DEFAULT_BREAKER: BreakerSettings = BreakerSettings.parse({});
