/** Ie and Bpl of the supported codecs, the scale that they are rated on, and the sources of the numbers. */
export type CodecImpairment = {
  /** Narrowband, wideband, fullband: media/quality/scales.ts. */
  readonly scale: 'NB' | 'WB' | 'FB';
  readonly ie: number;
  readonly bpl: number;
  /** The time that the encoder waits for beyond the packet itself, ms. */
  readonly lookAheadMs: number;
  readonly source: string;
  /** True if the ITU has published no value: ratings with losses are then estimates. */
  readonly provisional: boolean;
};

/**
 * G.711 with packet loss concealment (G.711 appendix I): Ie 0, Bpl 25.1; without it, with silence in place of missing
 * packets, Bpl 4.3. Both were measured with 10 ms packets and random loss. We rate the concealing receiver, as every
 * phone and softswitch of today is.
 */
export const G711: CodecImpairment = {
  scale: 'NB',
  ie: 0,
  bpl: 25.1,
  lookAheadMs: 0,
  source: 'ITU-T G.113 (2007) appendix I, G.711 with PLC',
  provisional: false,
};

/** The rate is 64 kbit/s, which payload type 9 carries. The filters of its two bands take 1.5 ms. */
export const G722: CodecImpairment = {
  scale: 'WB',
  ie: 13,
  bpl: 4.5,
  lookAheadMs: 1.5,
  source: 'ITU-T G.113 appendix IV, G.722 at 64 kbit/s; no Bpl is published, AMR-WB has 4.3 to 4.9',
  provisional: true,
};

/** L16 is G.711 without its quantization, and missing packets are concealed in the same way. */
export const L16: CodecImpairment = {
  ...G711,
  source: 'no ITU-T value; Ie and Bpl as of G.711 with PLC',
  provisional: true,
};

export const OPUS: CodecImpairment = {
  scale: 'FB',
  ie: 10.2,
  bpl: 10,
  lookAheadMs: 6.5,
  source: 'no ITU-T value; Ie as other monitors have it, Bpl after EVS (G.113 appendix V: 11.4)',
  provisional: true,
};
