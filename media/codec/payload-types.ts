/** Static payload types of the audio/video profile (RFC 3551, 6, tables 4 and 5). An rtpmap overrides them. */

export type PayloadType = {
  readonly encoding: string;
  /** The clock of rtpmap: 8000 for G722, although it samples at 16 kHz (4.5.2). */
  readonly clockRateHz: number;
  readonly channels: number;
};

const audio = (encoding: string, clockRateHz: number, channels = 1): PayloadType => ({
  encoding,
  clockRateHz,
  channels,
});
const video = (encoding: string): PayloadType => ({ encoding, clockRateHz: 90_000, channels: 1 });

export const STATIC_PAYLOAD_TYPES: ReadonlyMap<number, PayloadType> = new Map([
  [0, audio('PCMU', 8000)],
  [3, audio('GSM', 8000)],
  [4, audio('G723', 8000)],
  [5, audio('DVI4', 8000)],
  [6, audio('DVI4', 16_000)],
  [7, audio('LPC', 8000)],
  [8, audio('PCMA', 8000)],
  [9, audio('G722', 8000)],
  [10, audio('L16', 44_100, 2)],
  [11, audio('L16', 44_100)],
  [12, audio('QCELP', 8000)],
  [13, audio('CN', 8000)],
  [14, audio('MPA', 90_000)],
  [15, audio('G728', 8000)],
  [16, audio('DVI4', 11_025)],
  [17, audio('DVI4', 22_050)],
  [18, audio('G729', 8000)],
  [25, video('CelB')],
  [26, video('JPEG')],
  [28, video('nv')],
  [31, video('H261')],
  [32, video('MPV')],
  [33, video('MP2T')],
  [34, video('H263')],
]);
