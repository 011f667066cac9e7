/** The record of a whole stream, once it has ended. */

import { impairmentOf } from '@carillon/media/codec/audio-codecs.ts';
import { receivedText, sentText } from '@carillon/media/dtmf/receive-digits.ts';
import { type Injected, injectedOf } from '@carillon/media/impairment/injected.ts';
import { trustedBurstRatio } from '@carillon/media/quality/burst-ratio.ts';
import { conversationalR, type DelaySource, delaySourceOf, listeningR, mosOf } from '@carillon/media/quality/rating.ts';
import { MODELS, type Scale } from '@carillon/media/quality/scales.ts';
import { HEARINGS, type Hearing, UNNAMED, type Unnamed } from '@carillon/media/rtcp/hearing.ts';
import { absentMs, absentPackets, pausedMs, pausedPackets } from '@carillon/media/rtp/absence.ts';
import { type DriftPoints, driftPpm } from '@carillon/media/rtp/clock-drift.ts';
import { lostPackets, numberedPackets, type ReceiveColumns } from '@carillon/media/rtp/receive-columns.ts';
import { type AudioFigures, type AudioTally, audioFigures, type OneWayAudio, oneWayAudio } from './audio-meter.ts';
import { farEndPacketMs } from './far-end-packets.ts';
import { type IceRecord, iceRecord } from './ice-record.ts';
import { type BurstFigures, type DelayVariation, type PlayoutFigures, receivedFigures } from './received-figures.ts';
import { type RemoteVoipMetrics, remoteVoipMetrics } from './remote-voip-metrics.ts';
import {
  CODECS,
  DIRECTIONS,
  type MediaMemory,
  readRemoteAddress,
  SECURITY_STATES,
  type SecurityState,
  SRTP_SUITES,
  type StreamMemoryColumns,
} from './stream-memory.ts';
import { type VideoRecord, videoRecord } from './video-record.ts';

/** NaN: not measured. Instants are on the agent's clock. */
export type StreamRecord = {
  readonly owner: number;
  readonly endpointNumber: number;
  /** The endpoint's stream: 0 audio, 1 video. */
  readonly stream: number;
  readonly startedAtMs: number;
  readonly closedAtMs: number;
  readonly codec: (typeof CODECS)[number];
  readonly sendPayloadType: number;
  readonly receivePayloadType: number;
  readonly packetMs: number;
  readonly ssrcSent: number;
  /** How often the peer used our SSRC, and we chose another (RFC 3550, 8.2). */
  readonly ssrcCollisions: number;
  readonly ssrcReceived: number;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly packetsSent: number;
  readonly octetsSent: number;
  /** Packets that were not sent because we were late, and those that the kernel refused. */
  readonly sendsSkipped: number;
  readonly sendErrors: number;
  /** Its audio was not loaded, so it sent nothing: our fault, not the network's. */
  readonly unplayable: boolean;
  /** Includes duplicates. */
  readonly packetsReceived: number;
  readonly octetsReceived: number;
  /** The sum of packets received once, lost, absent and paused. */
  readonly expected: number;
  /** Lost packets by number, and the number of packets that this refers to. */
  readonly lost: number;
  readonly numbered: number;
  /** The missing time, in packets as long as those that arrived. */
  readonly absent: number;
  readonly paused: number;
  /** NaN for video, because its playout is not emulated; the same holds for plcEvents, plcMs, burstRatio, fixed and adaptive. */
  readonly lateDiscarded: number;
  readonly duplicates: number;
  readonly reordered: number;
  readonly ssrcChanges: number;
  readonly restarts: number;
  /** RFC 4737: the lateness of the latest packet, in sequence numbers. */
  readonly reorderExtentMax: number;
  readonly delayVariation: DelayVariation;
  readonly bursts: BurstFigures;
  /** The two emulated playout buffers; lateDiscarded, plcEvents, plcMs and mos belong to the fixed one. */
  readonly fixed: PlayoutFigures;
  readonly adaptive: PlayoutFigures;
  /** Parts per million by which the sender's clock is faster than ours. */
  readonly clockDriftPpm: number;
  readonly audio: AudioFigures | null;
  readonly oneWayAudio: OneWayAudio | null;
  /** The number of starts of speech after the first: marker bits, and ends of comfort noise. */
  readonly talkspurts: number;
  readonly comfortNoisePackets: number;
  readonly eventPackets: number;
  readonly jitterMeanMs: number;
  readonly jitterMaxMs: number;
  readonly rttMeanMs: number;
  readonly rttMaxMs: number;
  readonly rttCount: number;
  readonly mos: number;
  readonly rFactor: number;
  readonly mosLq: number;
  /** The scale of mos, mosLq and rFactor; null: not rated (video). */
  readonly scale: Scale | null;
  readonly emodelVariant: string;
  readonly delaySource: DelaySource;
  readonly burstRatio: number;
  readonly plcEvents: number;
  readonly plcMs: number;
  /** The longest time between two arrivals within one session. */
  readonly longestGapMs: number;
  readonly absence: Absence;
  readonly firstPacketAtMs: number;
  /** The far end's last report about our stream. */
  readonly remoteLost: number;
  readonly remoteJitterMs: number;
  /** The share in the interval of the last report. */
  readonly remoteLossFraction: number;
  /** The peer's VoIP metrics about our stream; null: none arrived. */
  readonly remoteXr: RemoteVoipMetrics | null;
  /** Video feedback, sent and received; RTCP packets (RFC 4585, 5104). */
  readonly nackCount: number;
  readonly pliCount: number;
  readonly firCount: number;
  /** Null: audio. */
  readonly video: VideoRecord | null;
  /** Whether the far end reported about our stream at all. */
  readonly hasFeedback: boolean;
  /** What the far end's reports prove about the reception of our stream. */
  readonly hearing: Hearing;
  /** The number of its last consecutive reports that show none of our packets, although we sent. */
  readonly unheardReports: number;
  /** The number of reports that proved nothing, and what the last of them had. */
  readonly unnamedReports: number;
  readonly unnamedAs: Unnamed;
  /** Packets that arrived without being counted as part of the stream. */
  readonly early: number;
  readonly foreign: number;
  /** Packets of the stream that came from another address than its peer's. */
  readonly elsewhere: number;
  /** How often the stream switched to the address its media came from, against the description. */
  readonly followed: number;
  readonly malformed: number;
  readonly otherSources: number;
  readonly strays: number;
  readonly unexpectedPayloadTypes: number;
  readonly unreachable: number;
  readonly receiveDrops: number;
  readonly security: SecurityState;
  readonly srtpSuite: (typeof SRTP_SUITES)[number];
  readonly handshakeMs: number;
  /** Null: ICE was not negotiated. */
  readonly ice: IceRecord | null;
  readonly srtpAuthFailed: number;
  /** Includes duplicates from the network: SRTP drops them. */
  readonly srtpReplayed: number;
  readonly srtpEarly: number;
  readonly stun: number;
  /** The mark of our packets; null: not set, or not possible with this adapter. */
  readonly dscp: number | null;
  /** The effects of our own impairment before the packets were counted; null: no impairment. */
  readonly injected: Injected | null;
  /** The first 32 digits in each direction (RFC 4733). */
  readonly digitsSent: string;
  readonly digitsReceived: string;
};

/** Time in which media were expected and did not arrive (media/rtp/absence.ts). Holes are a second or longer. */
export type Absence = {
  /** Time in which the call was up and the session let the far end send. */
  readonly awaitedMs: number;
  /** No media arrived in this time, or they were lost. */
  readonly absentMs: number;
  /** The far end sent no media in this time, as later packets prove. */
  readonly pausedMs: number;
  /** The part of `absentMs` in which packets held less audio than the time to the next one. */
  readonly sparseMs: number;
  /** The number of packets whose distance by timestamps differs from their duration. */
  readonly unevenSteps: number;
  /** The time before the first packet. */
  readonly headMs: number;
  /** Holes between two packets, and the longest of them; NaN: none. */
  readonly gaps: number;
  /** The lost packets that belong to such holes. */
  readonly gapLost: number;
  readonly longestMs: number;
  readonly longestAtMs: number;
  /** The time from the last packet to the end. */
  readonly tailMs: number;
  /** The pauses in `pausedMs` of a second and more, and the longest; NaN: none. */
  readonly pauses: number;
  readonly longestPauseMs: number;
  readonly longestPauseAtMs: number;
};

/** Data that the sampler has collected over the stream's life. */
export type AudioHeard = { readonly drift: DriftPoints; readonly audio: AudioTally };

/** The record of a CLOSED row, which is no longer written. */
export function streamRecord(memory: MediaMemory, row: number, heard: AudioHeard): StreamRecord {
  const { streams: s, received: r, injected, digits } = memory;
  const codec = CODECS[s.codec[row]!]!;
  const impairment = impairmentOf(codec);
  const isVideo = r.frameTimed[row] !== 0;
  const unitsPerMs = r.unitsPerMs[row]!;
  const packetMs = farEndPacketMs(memory, row);
  const numbered = numberedPackets(r, row);
  const burstRatio = trustedBurstRatio(r.missing[row]!, r.missingRuns[row]!, numbered);
  const lost = lostPackets(r, row);
  const losses = { expected: numbered, lost, lateDiscarded: r.lateDiscarded[row]!, burstRatio };
  const [absent, paused] = [absentPackets(r, row, 0), pausedPackets(r, row)];
  const rttMeanMs = s.rttCount[row]! > 0 ? s.rttSumMs[row]! / s.rttCount[row]! : Number.NaN;
  const rFactor = conversationalR(impairment, losses, rttMeanMs, packetMs);
  const measured = r.jitterCount[row]! > 0;
  const hasFeedback = s.reports[row]! > 0;
  return {
    owner: s.owner[row]!,
    endpointNumber: s.endpointNumber[row]!,
    stream: s.stream[row]!,
    startedAtMs: s.startedAtMs[row]!,
    closedAtMs: s.closedAtMs[row]!,
    codec,
    sendPayloadType: s.sendPayloadType[row]!,
    receivePayloadType: r.payloadType[row]!,
    packetMs: isVideo ? 0 : packetMs,
    ssrcSent: s.localSsrc[row]!,
    ssrcCollisions: s.ssrcCollisions[row]!,
    ssrcReceived: r.ssrc[row]!,
    localPort: s.carriedBy[row]! || s.rtpPort[row]!,
    remoteAddress: readRemoteAddress(s, row),
    remotePort: s.remotePort[row]!,
    packetsSent: s.packetsSent[row]!,
    octetsSent: s.octetsSent[row]!,
    sendsSkipped: s.sendsSkipped[row]!,
    sendErrors: s.sendErrors[row]!,
    unplayable: s.unplayable[row] === 1,
    packetsReceived: r.packets[row]!,
    octetsReceived: r.octets[row]!,
    ...{ expected: numbered + absent + paused, lost, numbered, absent, paused },
    lateDiscarded: isVideo ? Number.NaN : losses.lateDiscarded,
    duplicates: r.duplicates[row]!,
    reordered: r.reordered[row]!,
    ssrcChanges: r.ssrcChanges[row]!,
    restarts: r.restarts[row]!,
    reorderExtentMax: r.reorderExtentMax[row]!,
    ...receivedFigures(memory, row, rttMeanMs),
    clockDriftPpm: driftPpm(heard.drift),
    audio: audioFigures(heard.audio),
    oneWayAudio:
      impairment && DIRECTIONS[s.direction[row]!] === 'BOTH'
        ? oneWayAudio(
            s.packetsSent[row]!,
            r.packets[row]! + r.unexpectedPayloadTypes[row]! + r.eventPackets[row]!,
            heard.audio,
          )
        : null,
    talkspurts: r.talkspurts[row]!,
    comfortNoisePackets: r.comfortNoisePackets[row]!,
    eventPackets: r.eventPackets[row]!,
    jitterMeanMs: measured ? r.jitterSum[row]! / r.jitterCount[row]! / unitsPerMs : Number.NaN,
    jitterMaxMs: measured ? r.jitterMax[row]! / unitsPerMs : Number.NaN,
    rttMeanMs,
    rttMaxMs: s.rttCount[row]! > 0 ? s.rttMaxMs[row]! : Number.NaN,
    rttCount: s.rttCount[row]!,
    mos: mosOf(impairment, rFactor),
    rFactor,
    mosLq: mosOf(impairment, listeningR(impairment, losses)),
    scale: impairment?.scale ?? null,
    emodelVariant: impairment ? MODELS[impairment.scale].variant : '',
    delaySource: delaySourceOf(rttMeanMs),
    burstRatio: isVideo ? Number.NaN : burstRatio,
    plcEvents: isVideo ? Number.NaN : r.missingRuns[row]!,
    plcMs: isVideo ? Number.NaN : r.missing[row]! * packetMs,
    longestGapMs: r.longestGapMs[row]!,
    absence: absenceOf(r, row),
    firstPacketAtMs: r.firstArrivalMs[row] === 0 ? Number.NaN : r.firstArrivalMs[row]!,
    remoteLost: hasFeedback ? s.remoteLost[row]! : Number.NaN,
    remoteJitterMs: hasFeedback ? s.remoteJitterMs[row]! : Number.NaN,
    remoteLossFraction: hasFeedback ? s.remoteFractionLost[row]! / 256 : Number.NaN,
    remoteXr: remoteVoipMetrics(s, row),
    nackCount: s.nacksSent[row]! + s.nacksReceived[row]!,
    pliCount: s.plisSent[row]! + s.plisReceived[row]!,
    firCount: s.firsSent[row]! + s.firsReceived[row]!,
    video: isVideo ? videoRecord(s, row) : null,
    hasFeedback,
    ...hearingOf(s, row),
    early: s.early[row]!,
    foreign: s.foreign[row]!,
    elsewhere: s.elsewhere[row]!,
    followed: s.followed[row]!,
    malformed: s.malformed[row]!,
    otherSources: r.otherSources[row]!,
    strays: r.strays[row]!,
    unexpectedPayloadTypes: r.unexpectedPayloadTypes[row]!,
    unreachable: s.unreachable[row]!,
    receiveDrops: s.receiveDrops[row]!,
    security: SECURITY_STATES[s.security[row]!]!,
    srtpSuite: SRTP_SUITES[s.srtpSuite[row]!]!,
    handshakeMs: s.handshakeMs[row] === 0 ? Number.NaN : s.handshakeMs[row]!,
    ice: iceRecord(s, row),
    srtpAuthFailed: s.srtpAuthFailed[row]!,
    srtpReplayed: s.srtpReplayed[row]!,
    srtpEarly: s.srtpEarly[row]!,
    stun: s.stun[row]!,
    dscp: s.dscp[row]! === 0 ? null : s.dscp[row]! - 1,
    injected: s.impaired[row]! === 1 ? injectedOf(injected, row) : null,
    digitsSent: sentText(digits, row),
    digitsReceived: receivedText(digits, row),
  };
}

const hearingOf = (s: StreamMemoryColumns, row: number) => ({
  hearing: HEARINGS[s.hearing[row]!]!,
  unheardReports: s.unheardReports[row]!,
  unnamedReports: s.unnamedReports[row]!,
  unnamedAs: UNNAMED[s.unnamedAs[row]!]!,
});

const absenceOf = (r: ReceiveColumns, row: number): Absence => ({
  awaitedMs: r.awaitedBeforeMs[row]!,
  absentMs: absentMs(r, row, 0),
  pausedMs: pausedMs(r, row, 0),
  sparseMs: r.sparseMs[row]!,
  headMs: r.headMs[row]!,
  gaps: r.gaps[row]!,
  gapLost: r.gapLost[row]!,
  unevenSteps: r.unevenSteps[row]!,
  longestMs: r.gaps[row]! > 0 ? r.longestHoleMs[row]! : Number.NaN,
  longestAtMs: r.gaps[row]! > 0 ? r.longestHoleAtMs[row]! : Number.NaN,
  tailMs: r.tailMs[row]!,
  pauses: r.pauses[row]!,
  longestPauseMs: r.pauses[row]! > 0 ? r.longestPauseMs[row]! : Number.NaN,
  longestPauseAtMs: r.pauses[row]! > 0 ? r.longestPauseAtMs[row]! : Number.NaN,
});
