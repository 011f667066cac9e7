/** Video counters of a receiver, beyond packets, as columns (rtp/columns.ts). */
import type { Columns } from '../rtp/columns.ts';

export const FRAME_COLUMNS = {
  /** Whole frames, in the words of W3C webrtc-stats; keyframes are among them. */
  framesReceived: 'u32',
  keyframesReceived: 'u32',
  /** Frames of which at least one packet never arrived, including frames without any packet (known by timestamps). */
  framesLost: 'u32',
  /** Complete frames that cannot be shown, because they depend on a lost one. */
  framesDropped: 'u32',
  freezes: 'u32',
  freezeMs: 'f64',
  /** The intervals between frames that could be shown, without negotiated pauses. */
  frameIntervals: 'u32',
  frameIntervalMs: 'f64',
  /** Packets that arrived after a retransmission request. */
  recoveredPackets: 'u32',
} as const;
export type FrameColumns = Columns<typeof FRAME_COLUMNS>;

/** The mean number of frames per second that could be shown; NaN before the second of them. */
export const framesPerSecond = (c: FrameColumns, row: number): number =>
  c.frameIntervalMs[row]! > 0 ? (c.frameIntervals[row]! * 1000) / c.frameIntervalMs[row]! : Number.NaN;
