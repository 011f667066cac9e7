/** Every published or computed value of the E-model in this repository: within 0.01 of R and 0.001 of MOS. */
import t from 'tap';
import { AUDIO_CODECS, audioCodec, impairmentOf } from '../codec/audio-codecs.ts';
import { G711 as G711_CONCEALED } from '../codec/impairments.ts';
import { delayImpairment, EMODEL_VARIANT, effectiveEquipmentImpairment, mosOfR, rFactor } from './e-model.ts';
import { MODELS, mosOn, type Scale } from './scales.ts';

type Pair = readonly [r: number, mos: number];
type Codec = readonly [ie: number, bpl: number];

const near = (actual: number, expected: number, tolerance: number): boolean =>
  Math.abs(actual - expected) <= tolerance + 1e-9;

const G711_PLC: Codec = [G711_CONCEALED.ie, G711_CONCEALED.bpl];
/** Missing packets are silence (G.113 appendix I). */
const G711: Codec = [0, 4.3];
const G729A: Codec = [11, 19];
const G723: Codec = [15, 16.1];
const GSM_EFR: Codec = [5, 10];

const R_TOLERANCE = 0.01;
const MOS_TOLERANCE = 0.001;

t.test('narrowband', async (t) => {
  const vectors: [Codec, taMs: number, ppl: number, burstR: number, ieEff: number, full: Pair][] = [
    [G711_PLC, 0, 0, 1, 0, [93.21, 4.409]],
    [G711_PLC, 100, 0, 1, 0, [90.66, 4.355]],
    [G711_PLC, 150, 0, 1, 0, [89.54, 4.328]],
    [G711_PLC, 200, 0, 1, 0, [85.8, 4.223]],
    [G711_PLC, 400, 0, 1, 0, [62.25, 3.216]],
    [G711_PLC, 50, 1, 1, 3.64, [88.12, 4.29]],
    [G711_PLC, 50, 2, 1, 7.011, [84.75, 4.19]],
    [G711_PLC, 50, 5, 1, 15.781, [75.98, 3.863]],
    [G711_PLC, 50, 5, 2, 17.21, [74.55, 3.802]],
    [G711_PLC, 50, 10, 1, 27.066, [64.69, 3.339]],
    [G711, 50, 1, 1, 17.925, [73.83, 3.771]],
    [G711, 50, 2, 1, 30.159, [61.6, 3.182]],
    [G711, 50, 5, 1, 51.075, [40.68, 2.097]],
    [G729A, 0, 0, 1, 11, [82.21, 4.105]],
    [G729A, 50, 1, 1, 15.2, [76.56, 3.887]],
    [G729A, 100, 2, 1, 19, [71.66, 3.674]],
    [G729A, 150, 3, 1, 22.455, [67.08, 3.457]],
    [G729A, 150, 3, 1.5, 23, [66.54, 3.431]],
    [G723, 100, 1, 1, 19.678, [70.99, 3.643]],
    [GSM_EFR, 0, 0, 1, 5, [88.21, 4.293]],
    [GSM_EFR, 100, 2, 1, 20, [70.66, 3.628]],
    [G711_PLC, 300, 3, 1.3, 10.399, [62.27, 3.217]],
    [G711, 500, 30, 2, 147.668, [0, 1]],
  ];
  t.equal(vectors.length, 23);
  for (const [i, [[ie, bpl], taMs, pplPercent, burstRatio, ieEff, [r, mos]]] of vectors.entries()) {
    const given = { ie, bpl, taMs, pplPercent, burstRatio };
    t.ok(near(effectiveEquipmentImpairment(given), ieEff, 0.001), `${i + 1}: Ie,eff`);
    const actual = MODELS.NB.rFactor(given);
    t.ok(near(actual, r, R_TOLERANCE), `${i + 1}: R of ${EMODEL_VARIANT}: ${actual}`);
    t.ok(near(mosOn('NB', actual), mos, MOS_TOLERANCE), `${i + 1}: MOS`);
  }
});

t.test('narrowband by delay only', async (t) => {
  const vectors: [taMs: number, idte: number, idle: number, idd: number, full: Pair][] = [
    [0, 0, 0.149, 0, [93.206, 4.409]],
    [20, 0.392, 0.432, 0, [92.531, 4.396]],
    [50, 1.023, 0.576, 0, [91.756, 4.38]],
    [100, 1.964, 0.728, 0, [90.664, 4.355]],
    [150, 2.812, 0.841, 0.164, [89.539, 4.328]],
    [200, 3.571, 0.935, 3.044, [85.805, 4.223]],
    [250, 4.243, 1.019, 8.917, [79.177, 3.993]],
    [300, 4.834, 1.094, 14.761, [72.666, 3.719]],
    [400, 5.808, 1.23, 24.07, [62.247, 3.216]],
    [500, 6.564, 1.352, 30.636, [54.803, 2.828]],
  ];
  t.equal(vectors.length, 10);
  for (const [taMs, idte, idle, idd, [r, mos]] of vectors) {
    const given = { ie: 0, bpl: 25.1, pplPercent: 0, burstRatio: 1, taMs };
    t.ok(near(delayImpairment(taMs), idd, 0.001), `Idd at ${taMs} ms`);
    // The echo terms are not exported: their total effect is what remains.
    const echo = 94.76882 - 1.41357 - delayImpairment(taMs) - rFactor(given);
    t.ok(near(echo, idte + idle, 0.01), `Idte + Idle at ${taMs} ms: ${echo}`);
    t.ok(near(rFactor(given), r, R_TOLERANCE), `R at ${taMs} ms`);
    t.ok(near(mosOfR(rFactor(given)), mos, MOS_TOLERANCE), `MOS at ${taMs} ms`);
  }
  const clean = { ie: 0, bpl: 4.3, pplPercent: 0, burstRatio: 1, taMs: 0 };
  t.ok(near(rFactor(clean), 93.206208, 1e-6), 'all defaults');
  t.ok(near(mosOfR(rFactor(clean)), 4.409406, 1e-6));
  t.ok(near(rFactor({ ...clean, taMs: 177.3 }), 88.05, R_TOLERANCE));
});

t.test('wideband and fullband', async (t) => {
  const vectors: [
    Scale,
    string,
    Codec,
    taMs: number,
    ppl: number,
    ieEff: number,
    r: number,
    rx: number,
    mos: number,
  ][] = [
    ['WB', 'W1 ideal', [0, 4.3], 0, 0, 0, 129, 100, 4.5],
    ['WB', 'W2 G.722 at 64k, AMR-WB 12.65', [13, 4.3], 0, 0, 13, 116, 89.922, 4.3371],
    ['WB', 'W3 G.722 at 56k', [20, 4.3], 0, 0, 20, 109, 84.496, 4.182],
    ['WB', 'W4 G.722 at 48k', [31, 4.3], 0, 0, 31, 98, 75.969, 3.863],
    ['WB', 'W5 AMR-WB 23.05', [1, 4.6], 0, 0, 1, 128, 99.225, 4.494],
    ['WB', 'W6 AMR-WB 6.6', [41, 4.3], 0, 0, 41, 88, 68.217, 3.5123],
    ['WB', 'W7 AMR-WB 12.65 diotic, 2 %', [20, 4.3], 0, 2, 43.81, 85.19, 66.039, 3.4062],
    ['WB', 'W8 the same, 1 %, 150 ms', [20, 4.3], 150, 1, 34.151, 94.69, 73.4, 3.752],
    ['FB', 'F1 EVS-SWB 24.4', [7.2, 11.4], 0, 0, 7.2, 140.8, 95.135, 4.444],
    ['FB', 'F2 EVS-SWB 24.4, 2 %, 100 ms', [7.2, 11.4], 100, 2, 25.827, 122.17, 82.549, 4.117],
    ['FB', 'F3 Opus with Bpl 4.3, 1 %, 50 ms', [10.2, 4.3], 50, 1, 33.181, 114.82, 77.58, 3.929],
    ['FB', 'F4 Opus with Bpl 4.3, 3 %, 200 ms', [10.2, 4.3], 200, 3, 60.255, 83.24, 56.243, 2.904],
  ];
  for (const [scale, name, [ie, bpl], taMs, pplPercent, ieEff, r, rx, mos] of vectors) {
    const given = { ie, bpl, taMs, pplPercent, burstRatio: 1 };
    const actual = MODELS[scale].rFactor(given);
    t.ok(near(effectiveEquipmentImpairment(given, scale === 'FB' ? 132 : 95), ieEff, 0.001), `${name}: Ie,eff`);
    t.ok(near(actual, r, R_TOLERANCE), `${name}: R ${actual}`);
    t.ok(near((actual * 100) / MODELS[scale].rMax, rx, R_TOLERANCE), `${name}: Rx`);
    t.ok(near(mosOn(scale, actual), mos, MOS_TOLERANCE), `${name}: MOS`);
  }
  const bursty = { ie: 13, bpl: 4.5, taMs: 0, pplPercent: 3, burstRatio: 4 };
  t.equal(
    MODELS.WB.rFactor(bursty),
    MODELS.WB.rFactor({ ...bursty, burstRatio: 1 }),
    'wideband knows only random loss',
  );
  t.ok(MODELS.FB.rFactor(bursty) < MODELS.FB.rFactor({ ...bursty, burstRatio: 1 }));
  // A clean narrowband channel on the wideband scale.
  t.ok(near(mosOn('WB', 129 - 35.8), 3.7, 0.005));
});

t.test('Ie and Bpl: the published Ie,eff at 2 % of random loss', async (t) => {
  const published: [string, Codec, number][] = [
    ['G.711 with PLC', G711_PLC, 7],
    ['G.729A', G729A, 19],
    ['G.723.1', G723, 24],
  ];
  for (const [name, [ie, bpl], ieEff] of published)
    t.equal(Math.round(effectiveEquipmentImpairment({ ie, bpl, pplPercent: 2, burstRatio: 1 })), ieEff, name);
  t.match(
    AUDIO_CODECS.map((name) => {
      const { scale, ie, bpl, provisional } = audioCodec(name).impairment;
      return [name, scale, ie, bpl, provisional];
    }),
    [
      ['PCMU', 'NB', 0, 25.1, false],
      ['PCMA', 'NB', 0, 25.1, false],
      ['G722', 'WB', 13, 4.5, true],
      ['OPUS', 'FB', 10.2, 10, true],
      ['L16', 'NB', 0, 25.1, true],
    ],
  );
  t.equal(impairmentOf('VP8'), null, 'video has no MOS of this kind');
  t.equal(impairmentOf('toString'), null);
});

t.test('R to MOS, in three scales', async (t) => {
  const there: Pair[] = [
    [-5, 1],
    [0, 1],
    [3, 1],
    [6.5, 1],
    [50, 2.575],
    [60, 3.1],
    [70, 3.597],
    [80, 4.024],
    [90, 4.339],
    [93.2, 4.4093],
    [94.2, 4.4278],
    [100, 4.5],
    [110, 4.5],
  ];
  for (const [r, mos] of there) {
    t.ok(near(mosOfR(r), mos, MOS_TOLERANCE), `R ${r}`);
    t.ok(near(mosOn('WB', r * 1.29), mos, MOS_TOLERANCE), `wideband R ${r * 1.29}`);
    t.ok(near(mosOn('FB', r * 1.48), mos, MOS_TOLERANCE), `fullband R ${r * 1.48}`);
  }
  // The categories of G.109 begin at the right values.
  for (const [r, mos] of [
    [90, 4.34],
    [80, 4.02],
    [70, 3.6],
    [60, 3.1],
    [50, 2.58],
  ] as const)
    t.ok(near(mosOfR(r), mos, 0.006), `G.109 at R ${r}`);
});
