/**
 * The three scales of the E-model. A rating is meaningful only with its scale: G.722 at 4.34 wideband is a better call
 * than G.711 at 4.41 narrowband. Ratings of different scales are never averaged, compared or tested against one
 * threshold.
 */
import { EMODEL_VARIANT, type Impairments, mosOfR, rFactor } from './e-model.ts';
import { fullbandMos, fullbandRFactor, widebandMos, widebandRFactor } from './e-model-wide.ts';

/** Narrowband (G.107, R up to 100), wideband (G.107.1, R up to 129), fullband (G.107.2, R up to 148). */
export const SCALES = ['NB', 'WB', 'FB'] as const;
export type Scale = (typeof SCALES)[number];

type Model = {
  /** Names the formula in every result that carries a rating. */
  readonly variant: string;
  readonly rMax: number;
  readonly rFactor: (i: Impairments) => number;
  readonly mos: (r: number) => number;
};

export const MODELS: Readonly<Record<Scale, Model>> = {
  NB: { variant: EMODEL_VARIANT, rMax: 100, rFactor, mos: mosOfR },
  // The published wideband equation (7-15) covers only random loss.
  WB: {
    variant: 'g107.1-idd',
    rMax: 129,
    rFactor: (i) => widebandRFactor({ ...i, burstRatio: 1 }),
    mos: widebandMos,
  },
  FB: { variant: 'g107.2-idd', rMax: 148, rFactor: fullbandRFactor, mos: fullbandMos },
};

/** The MOS of a rating on its own scale; NaN for NaN. */
export const mosOn = (scale: Scale, r: number): number => (Number.isNaN(r) ? Number.NaN : MODELS[scale].mos(r));
