/** Video counters beyond packets; zeros in rows of audio. Part of STREAM_COLUMNS. */
import { FRAME_COLUMNS } from '@carillon/media/video/frame-columns.ts';

export const VIDEO_COLUMNS = {
  ...FRAME_COLUMNS,
  framesSent: 'u32',
  keyframesSent: 'u32',
  packetsResent: 'u32', // not in packetsSent
  nacksSent: 'u32', // RTCP packets, as W3C counts them
  nacksReceived: 'u32',
  plisSent: 'u32',
  plisReceived: 'u32',
  firsSent: 'u32', // requests: repeats have the number of the first and are not counted
  firsReceived: 'u32',
} as const;
