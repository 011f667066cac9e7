/**
 * The narrowband E-model, ITU-T G.107, in full: R = Ro - Is - Id - Ie,eff + A with the default values of its table 2.
 * Variables have the Recommendation's names; the wideband and fullband models are in e-model-wide.ts. Logarithms are to
 * base 10.
 */

/** Names the formula in every result that carries a rating. */
export const EMODEL_VARIANT = 'g107-full';

// Table 2, parameters that packet measurements cannot determine: loudness, noise, echo.
const SLR = 8;
const RLR = 2;
const OLR = SLR + RLR;
const STMR = 15;
const LSTR = 18;
const DS = 3;
const TELR = 65;
const WEPL = 110;
const QDU = 1;
const NC = -70;
const NFOR = -64;
const PS = 35;
const PR = 35;
const A = 0;
const S_T = 1;
const M_T = 100;

export type Impairments = {
  /** Equipment impairment factor of the codec, and its robustness against loss. */
  readonly ie: number;
  readonly bpl: number;
  /** The percentage of packets lost or discarded, 0 to 100. */
  readonly pplPercent: number;
  readonly burstRatio: number;
  /** The absolute one-way mouth-to-ear delay, ms. The echo path is assumed to be symmetric: T = Ta, Tr = 2 Ta. */
  readonly taMs: number;
};

const log10 = Math.log10;
const fromDb = (db: number): number => 10 ** (db / 10);

/** Basic signal-to-noise ratio and the noise it rests on. */
function noiseFloor(): { no: number; ro: number } {
  const nos = PS - SLR - DS - 100 + 0.004 * (PS - OLR - DS - 14) ** 2;
  const pre = PR + 10 * log10(1 + fromDb(10 - LSTR));
  const nor = RLR - 121 + pre + 0.008 * (pre - 35) ** 2;
  const nfo = NFOR + RLR;
  const no = 10 * log10(fromDb(NC) + fromDb(nos) + fromDb(nor) + fromDb(nfo));
  return { no, ro: 15 - 1.5 * (SLR + no) };
}

const { no: NO, ro: RO } = noiseFloor();

/** Simultaneous impairment: excessive loudness, sidetone, quantizing. The sidetone depends on the echo delay T. */
function simultaneous(tMs: number): number {
  const xolr = OLR + 0.2 * (64 + NO - RLR);
  const iolr = 20 * ((1 + (xolr / 8) ** 8) ** (1 / 8) - xolr / 8);
  const stmro = -10 * log10(fromDb(-STMR) + Math.exp(-tMs / 4) * fromDb(-TELR));
  const ist =
    12 * (1 + ((stmro - 13) / 6) ** 8) ** (1 / 8) -
    28 * (1 + ((stmro + 1) / 19.4) ** 35) ** (1 / 35) -
    13 * (1 + ((stmro - 3) / 33) ** 13) ** (1 / 13) +
    29;
  const q = 37 - 15 * log10(QDU);
  const g = 1.07 + 0.258 * q + 0.0602 * q * q;
  const y = (RO - 100) / 15 + 46 / 8.4 - g / 9;
  const z = 46 / 30 - g / 40;
  return iolr + ist + 15 * log10(1 + 10 ** y + 10 ** z);
}

/** Talker echo. The branches for STMR below 9 and above 20 do not exist at its default of 15. */
function talkerEcho(tMs: number): number {
  if (tMs < 1) return 0;
  const roe = -1.5 * (NO - RLR);
  const terv = TELR - 40 * log10((1 + tMs / 10) / (1 + tMs / 150)) + 6 * Math.exp(-0.3 * tMs * tMs);
  const half = (roe - (80 + 2.5 * (terv - 14))) / 2;
  return (half + Math.sqrt(half * half + 100) - 1) * (1 - Math.exp(-tMs));
}

function listenerEcho(trMs: number): number {
  const half = (RO - 10.5 * (WEPL + 7) * (trMs + 1) ** -0.25) / 2;
  return half + Math.sqrt(half * half + 169);
}

/** Idd: the impairment by delay without echo; 0 up to 100 ms. The wideband and fullband models use it too. */
export function delayImpairment(taMs: number): number {
  if (!(taMs > M_T)) return 0;
  const x = log10(taMs / M_T) / log10(2);
  const k = 6 * S_T;
  return 25 * ((1 + x ** k) ** (1 / k) - 3 * (1 + (x / 3) ** k) ** (1 / k) + 2);
}

/**
 * Ie,eff: impairment of codec and loss together. `scale` is the impairment of total loss: 95 for narrowband and
 * wideband, 132 for fullband.
 */
export function effectiveEquipmentImpairment(i: Omit<Impairments, 'taMs'>, scale = 95): number {
  const ppl = Math.min(100, Math.max(0, i.pplPercent));
  return ppl > 0 ? i.ie + ((scale - i.ie) * ppl) / (ppl / i.burstRatio + i.bpl) : i.ie;
}

const IS_WITHOUT_DELAY = simultaneous(0);

/** Transmission rating factor R, 0 to 100. */
export function rFactor(i: Impairments): number {
  const is = i.taMs === 0 ? IS_WITHOUT_DELAY : simultaneous(i.taMs);
  const id = talkerEcho(i.taMs) + listenerEcho(2 * i.taMs) + delayImpairment(i.taMs);
  return Math.min(100, Math.max(0, RO - is - id - effectiveEquipmentImpairment(i) + A));
}

/**
 * MOS-CQE of a rating on the narrowband scale (annex B), 1 to 4.5. The cubic dips below 1 for R under 6.5, hence the floor.
 * Wideband and fullband ratings are divided by 1.29 and 1.48 first.
 */
export function mosOfR(r: number): number {
  if (!(r > 0)) return 1;
  if (r >= 100) return 4.5;
  return Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
}
