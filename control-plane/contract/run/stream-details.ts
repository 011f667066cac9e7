/**
 * The details of one stream beyond its counts (extension). They are stored as they are answered. Null: not measured, or absent.
 */
import {
  DETAIL_GROUPS,
  type DetailFields,
  type DetailKind,
  detailsAt,
} from '@carillon/proto/figures/stream-details.ts';
import * as z from 'zod';
import { DELAY_SOURCES, ONE_WAY_AUDIO } from './measured-words.ts';

export const Measured = z.number().nullable().describe('null: not measured');
const Count = z.int().min(0);

const TYPES = {
  figure: Measured,
  share: z.number().nullable().describe('0 to 1; null: not measured'),
  count: Count,
  reported: Count.nullable().describe('null: not reported by the agent'),
  time: z.number(),
} as const satisfies Readonly<Record<DetailKind, z.ZodType>>;

const fields = <F extends DetailFields>(table: F) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { kind, says }]) => [
      name,
      says === undefined ? TYPES[kind] : TYPES[kind].describe(says),
    ]),
  ) as { [K in keyof F]: (typeof TYPES)[F[K]['kind']] };

const { delayVariation, bursts, playout, remoteXr, sound, absence, security, ice, video, injected } = DETAIL_GROUPS;

const Playout = z.object(fields(playout)).meta({ id: 'PlayoutFigures' });

const RemoteVoipMetrics = z
  .object(fields(remoteXr))
  .describe('VoIP metrics of RFC 3611 on our stream')
  .meta({ id: 'RemoteVoipMetrics' });

export const SentDetails = z.object({ ...fields(detailsAt('send')), remoteXr: RemoteVoipMetrics.nullable() });

export const ReceivedDetails = z.object({
  ...fields(detailsAt('receive')),
  delayVariation: z
    .object(fields(delayVariation))
    .describe('above the least delay (RFC 5481); max: from one packet to the next (RFC 3393)')
    .nullable(),
  bursts: z.object(fields(bursts)).describe('RFC 3611, Gmin 16').nullable(),
  playout: z
    .object({ fixed: Playout.describe('60 ms: that of discarded, plcEvents and mos'), adaptive: Playout })
    .describe('emulated buffers')
    .nullable(),
});

export const StreamDetails = z.object({
  ...fields(detailsAt('stream')),
  emodelVariant: z.string().nullable(),
  delaySource: z.enum(DELAY_SOURCES).nullable().describe('RECEIVER_ONLY: ratings do not include the round trip'),
  send: SentDetails,
  receive: ReceivedDetails,
  audio: z.object(fields(sound)).describe('level and content of the received audio').nullable(),
  oneWayAudio: z.enum(ONE_WAY_AUDIO).nullable(),
  absence: z
    .object({ ...fields(absence), longestGapAt: z.string().nullable().describe('where it begins') })
    .describe('time in which media were expected, and did not come')
    .nullable(),
  digits: z.object({ sent: z.string(), received: z.string() }).describe('the first 32 each way (RFC 4733)').nullable(),
  security: z
    .object({
      state: z.string().describe('SDES or DTLS where keys are in use, else why they are not'),
      suite: z.string().nullable(),
      ...fields(security),
    })
    .describe('null: plain RTP')
    .nullable(),
  ice: z
    .object({
      state: z
        .string()
        .describe(
          'COMPLETED or CONNECTED where a pair was found; FAILED: none; LOST: the far end fell silent (RFC 7675)',
        ),
      localType: z.string().nullable().describe('host, srflx, prflx or relay'),
      remoteType: z.string().nullable(),
      local: z.string().nullable().describe('our address as seen by the far end'),
      ...fields(ice),
    })
    .describe('null: it was not agreed on, or the agent knows none')
    .nullable()
    .default(null),
  video: z.object(fields(video)).nullable(),
  dscp: z.int().min(0).max(63).nullable().describe('DSCP of sent packets; null: not marked'),
  impairment: z
    .object(fields(injected))
    .describe('impairment that the agent applied to received packets, before counting')
    .nullable(),
  nat: z
    .object({ followed: Count, foreign: Count })
    .describe('number of changes of the source address that the stream accepted; packets from other addresses')
    .nullable(),
});
export type StreamDetails = z.infer<typeof StreamDetails>;

const nothing = <F extends DetailFields>(table: F) =>
  Object.fromEntries(Object.keys(table).map((name) => [name, null])) as { [K in keyof F]: null };

/** The values of older agents, which did not distinguish pauses from absence. */
export const NO_PAUSES = { pausedMs: 0, sparseMs: 0, pauses: 0, longestPauseMs: null };

/** Details of a stream whose agent reported none. */
export const NO_DETAILS: StreamDetails = {
  ...nothing(detailsAt('stream')),
  emodelVariant: null,
  delaySource: null,
  send: { ...nothing(detailsAt('send')), remoteXr: null },
  receive: { ...nothing(detailsAt('receive')), delayVariation: null, bursts: null, playout: null },
  audio: null,
  oneWayAudio: null,
  absence: null,
  digits: null,
  security: null,
  ice: null,
  video: null,
  dscp: null,
  impairment: null,
  nat: null,
};
