/** Applies a session to the receive columns. */
import { audioCodec } from '@carillon/media/codec/audio-codecs.ts';
import type { RtpPacket } from '@carillon/media/rtp/header.ts';
import { BY_TIMESTAMPS, OPUS_FRAMES } from '@carillon/media/rtp/packet-duration.ts';
import { interruptReceiving, observePacket } from '@carillon/media/rtp/receive.ts';
import {
  beginReceiving,
  COMFORT_NOISE,
  changeClock,
  expectPayloadTypes,
  isExpected,
  type OtherPayloadTypes,
  type ReceiveColumns,
} from '@carillon/media/rtp/receive-columns.ts';
import { VIDEO_CLOCK_HZ } from '@carillon/media/video/clip.ts';
import { isVideo, type PlayableSession } from '../playable.ts';

/** A new stream starts on the row. */
export function beginReception(c: ReceiveColumns, row: number, session: PlayableSession): void {
  const { receivePayloadType } = session.format;
  const clockHz = clockOf(session);
  beginReceiving(c, row, receivePayloadType, clockHz, otherPayloadTypes(session));
  c.framing[row] = framingOf(session);
  if (isVideo(session)) c.frameTimed[row] = 1;
}

/** The session has changed: following packets form a new block of numbers, possibly with another clock. */
export function changeReception(c: ReceiveColumns, row: number, session: PlayableSession): void {
  interruptReceiving(c, row);
  changeClock(c, row, clockOf(session));
  c.framing[row] = framingOf(session);
  expectPayloadTypes(c, row, session.format.receivePayloadType, otherPayloadTypes(session));
}

const clockOf = (session: PlayableSession): number =>
  isVideo(session) ? VIDEO_CLOCK_HZ : audioCodec(session.format.codec).clockRateHz;

/** The framing of all negotiated codecs, which share a clock. */
const framingOf = (session: PlayableSession): number =>
  isVideo(session) || session.format.isMixed
    ? BY_TIMESTAMPS
    : (audioCodec(session.format.codec).octetsPerMs ?? OPUS_FRAMES);

const otherPayloadTypes = (session: PlayableSession): OtherPayloadTypes =>
  isVideo(session)
    ? {}
    : {
        audio: session.format.otherPayloadTypes ?? [],
        events: session.format.telephoneEvent?.receivePayloadType ?? null,
        comfortNoise: session.format.comfortNoisePayloadType ?? COMFORT_NOISE,
      };

/** True for audio of the stream's source: no events, no comfort noise. */
export const isAudioOfSource = (c: ReceiveColumns, row: number, packet: RtpPacket): boolean =>
  c.known[row] === 1 && c.ssrc[row] === packet.ssrc && isExpected(c, row, packet.payloadType);

/**
 * Counts a packet. False: its number is outside every range, and is not accepted before the next one confirms it (RFC 3550, A.1).
 */
export function observeReception(c: ReceiveColumns, row: number, packet: RtpPacket, atMs: number): boolean {
  const strays = c.strays[row]!;
  observePacket(c, row, packet, atMs);
  return c.strays[row]! <= strays;
}
