/** Ie and Bpl of the codecs that we rate, and where the numbers come from. */

export type CodecImpairment = {
  readonly scale: 'NB';
  readonly ie: number;
  readonly bpl: number;
  readonly source: string;
};

/**
 * G.711 with packet loss concealment (G.711 appendix I): Ie 0, Bpl 25.1; without it, silence in place of the missing, Bpl 4.3. Both were
 * measured with 10 ms packets and random loss. We rate the concealing receiver, which every phone and softswitch of today is.
 */
const G711: CodecImpairment = {
  scale: 'NB',
  ie: 0,
  bpl: 25.1,
  source: 'ITU-T G.113 (2007) appendix I, G.711 with PLC',
};

export const CODEC_IMPAIRMENTS: Readonly<Record<'PCMU' | 'PCMA', CodecImpairment>> = { PCMU: G711, PCMA: G711 };
