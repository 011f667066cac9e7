/** The part of a stream's record that only video has. */
import { framesPerSecond } from '@carillon/media/video/frame-columns.ts';
import type { StreamMemoryColumns } from './stream-memory.ts';

/** NaN: not measured. Frames are those defined by W3C webrtc-stats. */
export type VideoRecord = {
  readonly framesSent: number;
  readonly keyframesSent: number;
  /** Retransmissions; not in the record's packetsSent. */
  readonly packetsResent: number;
  readonly framesReceived: number;
  readonly keyframesReceived: number;
  readonly framesLost: number;
  /** Complete frames that depend on a lost frame. */
  readonly framesDropped: number;
  /** The rate of frames that could be shown. */
  readonly framesPerSecond: number;
  readonly freezes: number;
  readonly freezeMs: number;
  /** Packets that arrived after a retransmission request. */
  readonly recoveredPackets: number;
  readonly nacksSent: number;
  readonly nacksReceived: number;
  readonly plisSent: number;
  readonly plisReceived: number;
  readonly firsSent: number;
  readonly firsReceived: number;
};

export const videoRecord = (c: StreamMemoryColumns, row: number): VideoRecord => ({
  framesSent: c.framesSent[row]!,
  keyframesSent: c.keyframesSent[row]!,
  packetsResent: c.packetsResent[row]!,
  framesReceived: c.framesReceived[row]!,
  keyframesReceived: c.keyframesReceived[row]!,
  framesLost: c.framesLost[row]!,
  framesDropped: c.framesDropped[row]!,
  framesPerSecond: framesPerSecond(c, row),
  freezes: c.freezes[row]!,
  freezeMs: c.freezeMs[row]!,
  recoveredPackets: c.recoveredPackets[row]!,
  nacksSent: c.nacksSent[row]!,
  nacksReceived: c.nacksReceived[row]!,
  plisSent: c.plisSent[row]!,
  plisReceived: c.plisReceived[row]!,
  firsSent: c.firsSent[row]!,
  firsReceived: c.firsReceived[row]!,
});
