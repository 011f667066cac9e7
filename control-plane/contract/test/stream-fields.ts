/** What a group may say of its media, once for answers, requests and the provisioning file. Defaults are for writers. */
import * as z from 'zod';
import { AUDIO_CODECS, DIRECTIONS, ENCRYPTIONS, FEEDBACK_PROFILES, SDP_USES, VIDEO_CODECS } from '../words.ts';

const distinct = <T extends z.ZodArray>(codecs: T) =>
  codecs.refine((all) => new Set(all).size === all.length, 'each codec may stand once');

export const AudioCodecs = distinct(z.array(z.enum(AUDIO_CODECS)).min(1)).describe('most wanted first');
export const VideoCodecs = distinct(z.array(z.enum(VIDEO_CODECS))).describe(
  'most wanted first; with a track of kind VIDEO, and only then',
);
export const Encryption = z
  .enum(ENCRYPTIONS)
  .describe(
    'of RTP. SDES: keys in the SDP (RFC 4568); DTLS: a handshake (RFC 5763). What is not so encrypted is refused',
  );
const ICE = /^(?:NONE|HOST|stun:(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]{1,255})(?::[0-9]{1,5})?)$/;
const TURN = 'TURN is not spoken here: say HOST, or a STUN server as stun:HOST or stun:HOST:PORT';
const OTHER_ICE = 'is NONE, HOST, or a STUN server as stun:HOST or stun:HOST:PORT (RFC 7064, by UDP)';
export const Ice = z
  .string()
  .regex(ICE, { error: ({ input }) => (/^turns?:/i.test(String(input)) ? TURN : OTHER_ICE) })
  .describe(
    'of its media (RFC 8445). HOST: candidates are the addresses of agents; stun:HOST:PORT: also what that STUN server sees. RTP and RTCP share a port. Far ends without ICE are called, and answered, without',
  );
export const FeedbackProfile = z
  .enum(FEEDBACK_PROFILES)
  .describe(
    'of all lines of an offer (RFC 4585); offers with DTLS are AVPF always. Video is offered with feedback over either. Where an offer with video, or over AVPF, is refused with 488, the other profile is offered once',
  );
export const Sdp = z
  .enum(SDP_USES)
  .describe(
    'of a group without mediaTracks, whose calls are signalling alone. OFFER: one line of audio, inactive; NONE: INVITE and 200 without SDP, but what the far end offers is answered',
  );
export const Direction = z.enum(DIRECTIONS);
export const Dscp = z.int().min(0).max(63).nullable().describe('of what is sent (RFC 2474); null: unmarked');

export const PacketMs = z
  .union(
    [10, 20, 30, 40, 60].map((ms) => z.literal(ms)),
    'is 10, 20, 30, 40 or 60',
  )
  .describe(
    'ptime (RFC 8866, 6.4): milliseconds of audio that a packet is to hold; what the far end asks for is sent to it',
  );

const whole = (least: number, most: number) => z.int().min(least).max(most);

/** Keys that endpoints press. */
export const Digits = z
  .string()
  .max(300)
  .regex(/^(?:[0-9*#A-D]|\{\{[^{}]+\}\}){1,64}$/, 'digits are 1 to 64 of 0-9 * # A-D, or {{column}} of the account');

/** Events of RFC 4733. */
export const Dtmf = z
  .strictObject({
    digits: Digits,
    onMs: whole(40, 2000).default(100).describe('how long each key is held'),
    offMs: whole(40, 2000).default(100).describe('the pause between two'),
    afterMs: whole(0, 3_600_000).default(1000).describe('from the answer to the first key'),
  })
  .describe('keys that each endpoint presses once its call is answered')
  .meta({ id: 'Dtmf' });

/** Limits are those of agent/run/order/decode-allocation.ts. */
export const RtpTrace = z
  .strictObject({
    endpoints: whole(1, 20).default(2).describe('of each share of a sub-population, spread over it'),
    packets: whole(1, 15_000).default(1500).describe('the first of each stream, each way'),
  })
  .describe('headers of RTP packets, never what they carry, for the pcapng file of the run')
  .meta({ id: 'RtpTrace' });

const percent = (most: number) => z.number().min(0).max(most).default(0);

/** Limits are those of media/impairment. */
export const Impairment = z
  .strictObject({
    seed: whole(0, 0xffff_ffff).default(1).describe('the same seed, the same fate of each packet'),
    lossPercent: percent(90),
    burstRatio: z.number().min(1).max(8).default(1).describe('BurstR of G.107; 1: losses do not know of each other'),
    delayMs: z.number().min(0).max(2000).default(0),
    jitterMs: z.number().min(0).max(200).default(0).describe('standard deviation of the added delay'),
    jitterDistribution: z.enum(['UNIFORM', 'NORMAL', 'SPIKES']).default('UNIFORM'),
    reorderPercent: percent(30),
    duplicatePercent: percent(100),
  })
  .describe('done by the agent to what arrives, before it is counted')
  .meta({ id: 'Impairment' });
