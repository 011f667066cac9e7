/**
 * Figures of one interval of one stream, each declared once. The name is that of the wire's column (facts.proto,
 * `Samples`) and of the table's column in snake case. `real`: NaN if not measured in the interval; `int`: a count of
 * the interval.
 */
import { type Snake, snakeCase } from './column-names.ts';

export const SAMPLE_FIGURES = {
  intervalMs: 'real',
  packetsSent: 'int',
  packetsReceived: 'int',
  octetsReceived: 'int',
  /** Received, lost, absent and paused. */
  expected: 'int',
  /** Negative if a packet counted as lost has since arrived. */
  lost: 'int',
  /** By the clock, in packets; negative if what was open or held up has been explained since. */
  absent: 'int',
  paused: 'int',
  /** Too late for a jitter buffer of 60 ms. */
  discarded: 'int',
  duplicates: 'int',
  reordered: 'int',
  plcEvents: 'int',
  /** Mean of J (RFC 3550, 6.4.1) over the interval's packets, and the greatest. */
  jitterMs: 'real',
  jitterMaxMs: 'real',
  /** Mean of the round trips that were learnt in the interval. */
  rttMs: 'real',
  mos: 'real',
  rFactor: 'real',
  /** What the far end reported in the interval about our stream. */
  remoteLossFraction: 'real',
  remoteJitterMs: 'real',
} as const satisfies Readonly<Record<string, 'int' | 'real'>>;

export type SampleFigure = keyof typeof SAMPLE_FIGURES;
export const SAMPLE_FIGURE_NAMES = Object.keys(SAMPLE_FIGURES) as SampleFigure[];
export const sampleColumnOf = (name: SampleFigure): Snake<SampleFigure> => snakeCase(name);

/** One column each. */
export const sampleColumns = <Column>(of: (name: SampleFigure) => Column): { [K in SampleFigure]: Column } =>
  Object.fromEntries(SAMPLE_FIGURE_NAMES.map((name) => [name, of(name)])) as { [K in SampleFigure]: Column };
