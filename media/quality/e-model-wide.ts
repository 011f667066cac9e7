/**
 * The wideband (G.107.1) and fullband (G.107.2) E-models, at their defaults: Ro - Is is 129 and 148, echo is perfectly
 * controlled. The three scales differ: never average or compare across them.
 */
import { delayImpairment, effectiveEquipmentImpairment, type Impairments, mosOfR } from './e-model.ts';

const WIDEBAND_R_MAX = 129;
const FULLBAND_R_MAX = 148;
const FULLBAND_LOSS_SCALE = 132;

const clamp = (r: number, max: number): number => Math.min(max, Math.max(0, r));

/**
 * R of G.107.1, 0 to 129. The published loss term is for random loss: a `burstRatio` above 1 is our extension. Whether
 * Idd is scaled by 1.29 is not settled among readers of the Recommendation; here it is not.
 */
export const widebandRFactor = (i: Impairments): number =>
  clamp(WIDEBAND_R_MAX - delayImpairment(i.taMs) - effectiveEquipmentImpairment(i), WIDEBAND_R_MAX);

/** R of G.107.2, 0 to 148. */
export const fullbandRFactor = (i: Impairments): number =>
  clamp(
    FULLBAND_R_MAX - 1.48 * delayImpairment(i.taMs) - effectiveEquipmentImpairment(i, FULLBAND_LOSS_SCALE),
    FULLBAND_R_MAX,
  );

export const widebandMos = (r: number): number => mosOfR(r / 1.29);
export const fullbandMos = (r: number): number => mosOfR(r / 1.48);
