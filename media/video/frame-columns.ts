/** Video counters of a receiver, beyond packets, as columns (rtp/columns.ts). */
import type { Columns } from '../rtp/columns.ts';

export const FRAME_COLUMNS = {
  /** Whole frames, in the words of W3C webrtc-stats; keyframes are among them. */
  framesReceived: 'u32',
  keyframesReceived: 'u32',
  /** Frames of which at least one packet never came, including frames without any packet (known by timestamps). */
  framesLost: 'u32',
  /** Whole frames that cannot be shown: they build on one that was lost. */
  framesDropped: 'u32',
  freezes: 'u32',
  freezeMs: 'f64',
  /** Between frames that could be shown, agreed pauses left out. */
  frameIntervals: 'u32',
  frameIntervalMs: 'f64',
  /** Packets that came after a retransmission request. */
  recoveredPackets: 'u32',
} as const;
export type FrameColumns = Columns<typeof FRAME_COLUMNS>;

/** Mean frames per second that could be shown, NaN before the second of them. */
export const framesPerSecond = (c: FrameColumns, row: number): number =>
  c.frameIntervalMs[row]! > 0 ? (c.frameIntervals[row]! * 1000) / c.frameIntervalMs[row]! : Number.NaN;
