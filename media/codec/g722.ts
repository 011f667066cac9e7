/**
 * ITU-T G.722 (11/88) at 64 kbit/s, mode 1: 16 kHz in two sub-bands, six bits of ADPCM for the lower, two for the
 * upper. An octet holds two samples, the upper band's bits first. Names are those of the Recommendation's block
 * diagrams (clause 6.2); all arithmetic is its 16-bit one. Both directions keep state: each stream needs its own
 * object.
 */

/** The number of samples in an octet. */
const PAIR = 2;

/** The even ones of the 24 coefficients of the quadrature mirror filters (table 11); backwards they are the odd ones. */
const QMF = Int32Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11);
const TAPS = 24;

/** Lower band: decision levels (table 14), code words of negative and positive intervals (tables 15, 16). */
const Q6 = Int32Array.of(
  0,
  35,
  72,
  110,
  150,
  190,
  233,
  276,
  323,
  370,
  422,
  473,
  530,
  587,
  650,
  714,
  786,
  858,
  940,
  1023,
  1121,
  1219,
  1339,
  1458,
  1612,
  1765,
  1980,
  2195,
  2557,
  2919,
);
const ILN = Int32Array.of(0, 63, 62, ...Array.from({ length: 28 }, (_, i) => 31 - i));
const ILP = Int32Array.of(0, ...Array.from({ length: 30 }, (_, i) => 61 - i));
const INTERVALS = 30;

/** Quantizer outputs of four and six bits (tables 17, 18); the codes that no encoder sends read as the smallest interval. */
const QM4 = Int32Array.of(
  0,
  -20456,
  -12896,
  -8968,
  -6288,
  -4240,
  -2584,
  -1200,
  20456,
  12896,
  8968,
  6288,
  4240,
  2584,
  1200,
  0,
);
const LARGE = [
  24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456, 4944, 4464,
  4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728,
];
const QM6 = Int32Array.of(-136, -136, -136, -136, ...LARGE.map((level) => -level), ...LARGE, 432, 136, -432, -136);
/** Logarithmic step of the lower band by four-bit code (tables 19, 20). */
const WL = Int32Array.of(-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60);

/** Upper band: quantizer outputs and logarithmic steps by two-bit code (tables 21 to 23), and its only decision level. */
const QM2 = Int32Array.of(-7408, -1616, 7408, 1616);
const WH = Int32Array.of(798, -214, 798, -214);
const Q2 = 564;

/** Antilogarithm of a step's fraction (table 25). */
const ILB = Int32Array.of(
  2048,
  2093,
  2139,
  2186,
  2233,
  2282,
  2332,
  2383,
  2435,
  2489,
  2543,
  2599,
  2656,
  2714,
  2774,
  2834,
  2896,
  2960,
  3025,
  3091,
  3158,
  3228,
  3298,
  3371,
  3444,
  3520,
  3597,
  3676,
  3756,
  3838,
  3922,
  4008,
);

const saturate = (value: number): number => (value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value);

/** Adaptive predictor and quantizer scale of one sub-band: state that encoder and decoder must share. */
class Band {
  /** Scale factor of the quantizer, and its logarithm. */
  det: number;
  #nb = 0;
  /** The prediction, and the part of the zero section in it. */
  s = 0;
  #sz = 0;
  readonly #b = new Int32Array(7);
  readonly #d = new Int32Array(7);
  #a1 = 0;
  #a2 = 0;
  #r1 = 0;
  #p1 = 0;
  #p2 = 0;
  readonly #maxNb: number;
  readonly #shiftFrom: number;

  constructor(det: number, maxNb: number, shiftFrom: number) {
    this.det = det;
    this.#maxNb = maxNb;
    this.#shiftFrom = shiftFrom;
  }

  /** Blocks 3L and 3H: the quantizer's scale follows its output. */
  scale(step: number): void {
    const nb = ((this.#nb * 127) >> 7) + step;
    this.#nb = nb < 0 ? 0 : nb > this.#maxNb ? this.#maxNb : nb;
    const shift = this.#shiftFrom - (this.#nb >> 11);
    const fraction = ILB[(this.#nb >> 6) & 31]!;
    this.det = (shift < 0 ? fraction << -shift : fraction >> shift) << 2;
  }

  /** Blocks 4L and 4H: `d0` is the quantized difference; afterwards `s` predicts the next sample. */
  predict(d0: number): void {
    const b = this.#b;
    const d = this.#d;
    const r0 = saturate(this.s + d0);
    const p0 = saturate(this.#sz + d0);
    this.#adaptPoles(p0);
    const pull = d0 === 0 ? 0 : 128;
    let zeros = 0;
    for (let i = 6; i > 0; i--) {
      const before = i === 1 ? d0 : d[i - 1]!;
      const towards = (d[i]! ^ d0) < 0 ? -pull : pull;
      b[i] = saturate(towards + ((b[i]! * 32_640) >> 15));
      d[i] = before;
      zeros += (b[i]! * saturate(2 * before)) >> 15;
    }
    this.#sz = saturate(zeros);
    const poles = ((this.#a1 * saturate(2 * r0)) >> 15) + ((this.#a2 * saturate(2 * this.#r1)) >> 15);
    this.#r1 = r0;
    this.s = saturate(saturate(poles) + this.#sz);
  }

  /** The blocks UPPOL2 and UPPOL1. */
  #adaptPoles(p0: number): void {
    const sameAs1 = (p0 ^ this.#p1) >= 0;
    const a1 = saturate(this.#a1 * 4);
    const drift = saturate(sameAs1 ? -a1 : a1);
    const sameAs2 = (p0 ^ this.#p2) >= 0;
    const a2 = (sameAs2 ? 128 : -128) + (drift >> 7) + ((this.#a2 * 32_512) >> 15);
    this.#a2 = a2 > 12_288 ? 12_288 : a2 < -12_288 ? -12_288 : a2;
    const most = saturate(15_360 - this.#a2);
    const next = saturate((sameAs1 ? 192 : -192) + ((this.#a1 * 32_640) >> 15));
    this.#a1 = next > most ? most : next < -most ? -most : next;
    this.#p2 = this.#p1;
    this.#p1 = p0;
  }
}

const lowBand = (): Band => new Band(32, 18_432, 8);
const highBand = (): Band => new Band(8, 22_528, 10);

export class G722Encoder {
  readonly #low = lowBand();
  readonly #high = highBand();
  readonly #x = new Int32Array(TAPS);

  /** Encodes linear samples of 16 bits at 16 kHz, an even number of them, as half as many octets of `octets` from `at`. */
  encode(samples: Int16Array, octets: Uint8Array, at = 0): void {
    const x = this.#x;
    for (let i = 0; i + 1 < samples.length; i += PAIR) {
      x.copyWithin(0, PAIR);
      x[TAPS - 2] = samples[i]!;
      x[TAPS - 1] = samples[i + 1]!;
      let odd = 0;
      let even = 0;
      for (let k = 0; k < QMF.length; k++) {
        odd += x[2 * k]! * QMF[k]!;
        even += x[2 * k + 1]! * QMF[QMF.length - 1 - k]!;
      }
      // The input has 16 bits; the sub-bands have 15 (table 3), the filters a gain of 4096, and two are summed.
      octets[at + i / PAIR] = (this.#encodeHigh((even - odd) >> 14) << 6) | this.#encodeLow((even + odd) >> 14);
    }
  }

  #encodeLow(x: number): number {
    const low = this.#low;
    const e = saturate(x - low.s);
    const size = e < 0 ? ~e : e;
    let interval = 1;
    while (interval < INTERVALS && size >= (Q6[interval]! * low.det) >> 12) interval++;
    const code = (e < 0 ? ILN : ILP)[interval]!;
    const ril = code >> 2;
    const d = (low.det * QM4[ril]!) >> 15;
    low.scale(WL[ril]!);
    low.predict(d);
    return code;
  }

  #encodeHigh(x: number): number {
    const high = this.#high;
    const e = saturate(x - high.s);
    const isSmall = (e < 0 ? ~e : e) < (Q2 * high.det) >> 12;
    const code = (e < 0 ? 0 : 2) + (isSmall ? 1 : 0);
    const d = (high.det * QM2[code]!) >> 15;
    high.scale(WH[code]!);
    high.predict(d);
    return code;
  }
}

/** The output range of a sub-band: 15 bits. */
const limit = (value: number): number => (value > 16_383 ? 16_383 : value < -16_384 ? -16_384 : value);

export class G722Decoder {
  readonly #low = lowBand();
  readonly #high = highBand();
  readonly #x = new Int32Array(TAPS);

  /** Decodes octets to twice as many samples of `samples` from `at`. */
  decode(octets: Uint8Array, samples: Int16Array, at = 0): void {
    const x = this.#x;
    for (let i = 0; i < octets.length; i++) {
      const low = this.#decodeLow(octets[i]! & 0x3f);
      const high = this.#decodeHigh(octets[i]! >> 6);
      x.copyWithin(0, PAIR);
      x[TAPS - 2] = low + high;
      x[TAPS - 1] = low - high;
      let first = 0;
      let second = 0;
      for (let k = 0; k < QMF.length; k++) {
        second += x[2 * k]! * QMF[k]!;
        first += x[2 * k + 1]! * QMF[QMF.length - 1 - k]!;
      }
      samples[at + PAIR * i] = saturate(first >> 11);
      samples[at + PAIR * i + 1] = saturate(second >> 11);
    }
  }

  #decodeLow(code: number): number {
    const low = this.#low;
    const output = limit(low.s + ((low.det * QM6[code]!) >> 15));
    const ril = code >> 2;
    const d = (low.det * QM4[ril]!) >> 15;
    low.scale(WL[ril]!);
    low.predict(d);
    return output;
  }

  #decodeHigh(code: number): number {
    const high = this.#high;
    const d = (high.det * QM2[code]!) >> 15;
    const output = limit(high.s + d);
    high.scale(WH[code]!);
    high.predict(d);
    return output;
  }
}
