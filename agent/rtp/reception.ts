/** What a session means for the columns that count what is received. */
import { clockRateHz } from '@carillon/media/audio/encode.ts';
import { interruptReceiving } from '@carillon/media/rtp/receive.ts';
import { beginReceiving, expectPayloadTypes, type ReceiveColumns } from '@carillon/media/rtp/receive-columns.ts';
import { VIDEO_CLOCK_HZ } from '@carillon/media/video/clip.ts';
import { isVideo, type PlayableSession } from './playable.ts';

/** A new stream on the row. */
export function beginReception(c: ReceiveColumns, row: number, session: PlayableSession): void {
  const { receivePayloadType } = session.format;
  const clockHz = isVideo(session) ? VIDEO_CLOCK_HZ : clockRateHz(session.format.codec);
  beginReceiving(c, row, receivePayloadType, clockHz, otherPayloadTypes(session));
  if (isVideo(session)) c.frameTimed[row] = 1;
}

/** The session was changed: what comes now is a new block of numbers. */
export function changeReception(c: ReceiveColumns, row: number, session: PlayableSession): void {
  interruptReceiving(c, row);
  expectPayloadTypes(c, row, session.format.receivePayloadType, otherPayloadTypes(session));
}

const otherPayloadTypes = (session: PlayableSession): readonly number[] =>
  isVideo(session) ? [] : (session.format.otherPayloadTypes ?? []);
