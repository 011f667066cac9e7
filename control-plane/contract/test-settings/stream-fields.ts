/**
 * What a group may state about its media: declared once for answers, requests and the provisioning file. Defaults are for
 * writers.
 */

import { AUDIO_CODECS } from '@carillon/media/codec/audio-codecs.ts';
import * as z from 'zod';
import { countsUp, FILLED, withAnything } from './caller.ts';
import { SDP_USES } from './scenario-words.ts';
import { DIRECTIONS, ENCRYPTIONS, FEEDBACK_PROFILES, VIDEO_CODECS } from './track-words.ts';

const distinct = <T extends z.ZodArray>(codecs: T) =>
  codecs.refine((all) => new Set(all).size === all.length, 'each codec must be unique');

export const AudioCodecs = distinct(z.array(z.enum(AUDIO_CODECS)).min(1)).describe('in order of preference');
export const VideoCodecs = distinct(z.array(z.enum(VIDEO_CODECS))).describe(
  'in order of preference; only with a track of kind VIDEO',
);
export const Encryption = z
  .enum(ENCRYPTIONS)
  .describe(
    'encryption of RTP. SDES: keys in the SDP (RFC 4568); DTLS: a handshake (RFC 5763). Calls without it are refused',
  );
const ICE = /^(?:NONE|HOST|stun:(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]{1,255})(?::[0-9]{1,5})?)$/;
const TURN = 'TURN is not supported: use HOST, or a STUN server as stun:HOST or stun:HOST:PORT';
const OTHER_ICE = 'is NONE, HOST, or a STUN server as stun:HOST or stun:HOST:PORT (RFC 7064, by UDP)';
export const Ice = z
  .string()
  .regex(ICE, { error: ({ input }) => (/^turns?:/i.test(String(input)) ? TURN : OTHER_ICE) })
  .describe(
    'ICE (RFC 8445). HOST: candidates are the addresses of the agents; stun:HOST:PORT: also the address that this STUN server sees. RTP and RTCP share a port. Far ends without ICE are called without ICE',
  );
export const FeedbackProfile = z
  .enum(FEEDBACK_PROFILES)
  .describe(
    'of all lines of an offer (RFC 4585); offers with DTLS are AVPF always. Video is offered with feedback over either. Where an offer with video, or over AVPF, is refused with 488, the other profile is offered once',
  );
export const Sdp = z
  .enum(SDP_USES)
  .describe(
    'SDP of a group without mediaTracks (signalling only). OFFER: one inactive audio line; NONE: INVITE and 200 without SDP; offers of the far end are answered',
  );
export const Direction = z.enum(DIRECTIONS);
export const Dscp = z.int().min(0).max(63).nullable().describe('DSCP of sent packets (RFC 2474); null: not marked');

export const PacketMs = z
  .union(
    [10, 20, 30, 40, 60].map((ms) => z.literal(ms)),
    'is 10, 20, 30, 40 or 60',
  )
  .describe(
    'ptime (RFC 8866, 6.4): milliseconds of audio in a packet; a ptime requested by the far end takes precedence',
  );

const whole = (least: number, most: number) => z.int().min(least).max(most);

export const Digits = z
  .string()
  .max(300)
  .regex(/^(?:[0-9*#A-D]|\{\{[^{}]+\}\}){1,64}$/, {
    error: 'digits are 1 to 64 of 0-9 * # A-D, or {{column}} of the account',
    abort: true,
  })
  .refine(countsUp.test, { error: countsUp.error })
  .refine((text) => FILLED.digits.test(withAnything(text)), 'are more than 64 digits');

/** The events of RFC 4733. */
export const Dtmf = z
  .strictObject({
    digits: Digits,
    onMs: whole(40, 2000).default(100).describe('how long each key is held'),
    offMs: whole(40, 2000).default(100).describe('the pause between two'),
    afterMs: whole(0, 3_600_000).default(1000).describe('from the answer to the first key'),
  })
  .describe('digits that each endpoint sends after its call is answered')
  .meta({ id: 'Dtmf' });

/** The limits are those of agent/run/order/decode-allocation.ts. */
export const RtpTrace = z
  .strictObject({
    endpoints: whole(1, 20).default(2).describe('of each share of a sub-population, spread over it'),
    packets: whole(1, 15_000).default(1500).describe('the first of each stream, each way'),
  })
  .describe('headers of RTP packets, without payload, for the pcapng file of the run')
  .meta({ id: 'RtpTrace' });

const percent = (most: number) => z.number().min(0).max(most).default(0);

/** The limits are those of media/impairment. */
export const Impairment = z
  .strictObject({
    seed: whole(0, 0xffff_ffff).default(1).describe('the same seed has the same effect on each packet'),
    lossPercent: percent(90),
    burstRatio: z.number().min(1).max(8).default(1).describe('BurstR of G.107; 1: independent losses'),
    delayMs: z.number().min(0).max(2000).default(0),
    jitterMs: z.number().min(0).max(200).default(0).describe('standard deviation of the added delay'),
    jitterDistribution: z.enum(['UNIFORM', 'NORMAL', 'SPIKES']).default('UNIFORM'),
    reorderPercent: percent(30),
    duplicatePercent: percent(100),
  })
  .describe('applied by the agent to received packets before they are counted')
  .meta({ id: 'Impairment' });
