/** What is shown of one stream beyond its counts (extension). Stored as it is answered. Null: not measured, or not there. */
import * as z from 'zod';
import { DELAY_SOURCES, ONE_WAY_AUDIO } from '../words.ts';

export const Measured = z.number().nullable().describe('null: not measured');
const Count = z.int().min(0);
const Told = z.int().min(0).nullable().describe('null: the agent did not say');
const Share = z.number().nullable().describe('0 to 1; null: not measured');

const Playout = z
  .object({
    discarded: Count.describe('came too late for this buffer'),
    plcEvents: Count,
    plcMs: Measured,
    plcMaxMs: Measured,
    bufferMs: Measured.describe('mean length'),
    mos: Measured,
  })
  .meta({ id: 'PlayoutFigures' });

const RemoteVoipMetrics = z
  .object({
    lossFraction: Share,
    discardFraction: Share,
    burstDensity: Share,
    gapDensity: Share,
    burstMs: Measured,
    gapMs: Measured,
    endSystemMs: Measured,
    rFactor: Measured,
    mosLq: Measured,
    mosCq: Measured,
  })
  .describe('VoIP metrics of RFC 3611 on our stream')
  .meta({ id: 'RemoteVoipMetrics' });

export const SentDetails = z.object({
  remoteLossFraction: Share.describe('of the last report'),
  remoteXr: RemoteVoipMetrics.nullable(),
});

export const ReceivedDetails = z.object({
  mosLq: Measured.describe('listening alone: no delay in it'),
  longestGapMs: Measured.describe('between two arrivals of one session'),
  restarts: Told,
  reorderExtentMax: Told.describe('sequence numbers that the worst came behind (RFC 4737)'),
  unexpectedPayloadTypes: Told,
  receiveDrops: Told.describe('by the kernel of the agent'),
  talkspurts: Told,
  comfortNoisePackets: Told,
  eventPackets: Told,
  delayVariation: z
    .object({ p50Ms: Measured, p95Ms: Measured, p99Ms: Measured, maxMs: Measured })
    .describe('above the least delay (RFC 5481); max: from one packet to the next (RFC 3393)')
    .nullable(),
  bursts: z
    .object({ bursts: Count, burstDensity: Share, gapDensity: Share, burstMs: Measured, gapMs: Measured })
    .describe('RFC 3611, Gmin 16')
    .nullable(),
  playout: z
    .object({ fixed: Playout.describe('60 ms: that of discarded, plcEvents and mos'), adaptive: Playout })
    .describe('emulated buffers')
    .nullable(),
});

export const StreamDetails = z.object({
  emodelVariant: z.string().nullable(),
  delaySource: z.enum(DELAY_SOURCES).nullable().describe('RECEIVER_ONLY: no round trip is in the ratings'),
  clockDriftPpm: Measured.describe('how much faster than ours the sender’s clock is'),
  send: SentDetails,
  receive: ReceivedDetails,
  audio: z
    .object({ frames: Count, levelDbov: Measured, silentShare: Share, clippedShare: Share })
    .describe('of the packets that were heard into')
    .nullable(),
  oneWayAudio: z.enum(ONE_WAY_AUDIO).nullable(),
  absence: z
    .object({
      awaitedMs: z.number().describe('for how long the far end was asked to send'),
      absentMs: z.number().describe('of that, holes of a second and more'),
      headMs: z.number().describe('before the first packet'),
      gaps: Count.describe('between two packets'),
      longestGapMs: Measured,
      longestGapAt: z.string().nullable().describe('where it begins'),
      tailMs: z.number().describe('from the last packet to the end of the call'),
    })
    .describe('media that were asked for and did not come: they count as lost packets')
    .nullable(),
  unreachable: Told.describe('ICMP errors for what was sent'),
  digits: z.object({ sent: z.string(), received: z.string() }).describe('the first 32 each way (RFC 4733)').nullable(),
  security: z
    .object({
      state: z.string().describe('SDES or DTLS where keys are in use, else why they are not'),
      suite: z.string().nullable(),
      handshakeMs: Measured,
      authFailed: Count,
      replayed: Count.describe('the network’s duplicates included'),
      early: Count.describe('before there were keys'),
    })
    .describe('null: plain RTP')
    .nullable(),
  video: z
    .object({
      framesSent: Count,
      keyframesSent: Count,
      packetsResent: Count,
      framesReceived: Count,
      keyframesReceived: Count,
      framesLost: Count,
      framesDropped: Count.describe('whole, but built on a frame that was lost'),
      framesPerSecond: Measured,
      freezes: Count,
      freezeMs: Measured,
      recoveredPackets: Count,
      nacksSent: Count,
      nacksReceived: Count,
      plisSent: Count,
      plisReceived: Count,
      firsSent: Count,
      firsReceived: Count,
    })
    .nullable(),
  dscp: z.int().min(0).max(63).nullable().describe('of what is sent; null: unmarked'),
  impairment: z
    .object({
      offered: Count,
      disturbed: Count.describe('later than the host explains'),
      passed: Count,
      lost: Count,
      lossRuns: Count,
      duplicated: Count,
      reordered: Count,
      late: Count,
      overflowed: Count,
      jitterBeforeMs: Measured,
      jitterAfterMs: Measured,
    })
    .describe('what the agent did to what came in, before it was counted')
    .nullable(),
  nat: z
    .object({ followed: Count, foreign: Count })
    .describe('times that the stream turned to where its media came from; packets from elsewhere')
    .nullable(),
});
export type StreamDetails = z.infer<typeof StreamDetails>;

/** Of a stream whose agent did not say. */
export const NO_DETAILS: StreamDetails = {
  emodelVariant: null,
  delaySource: null,
  clockDriftPpm: null,
  send: { remoteLossFraction: null, remoteXr: null },
  receive: {
    mosLq: null,
    longestGapMs: null,
    restarts: null,
    reorderExtentMax: null,
    unexpectedPayloadTypes: null,
    receiveDrops: null,
    talkspurts: null,
    comfortNoisePackets: null,
    eventPackets: null,
    delayVariation: null,
    bursts: null,
    playout: null,
  },
  audio: null,
  oneWayAudio: null,
  absence: null,
  unreachable: null,
  digits: null,
  security: null,
  video: null,
  dscp: null,
  impairment: null,
  nat: null,
};
