/**
 * Figures of one interval of one stream, each declared once. The name is that of the wire's column (facts.proto, `Samples`) and
 * of the table's column in snake case. `real`: NaN if the figure was not measured in the interval; `int`: a count of the
 * interval.
 */
import { type Snake, snakeCase } from './column-names.ts';

export const SAMPLE_FIGURES = {
  intervalMs: 'real',
  packetsSent: 'int',
  packetsReceived: 'int',
  octetsReceived: 'int',
  /** The sum of received, lost, absent and paused packets. */
  expected: 'int',
  /** Negative if a packet that was counted as lost has since arrived. */
  lost: 'int',
  /** Absent packets by the clock. The number is negative if open or delayed packets have been explained since. */
  absent: 'int',
  paused: 'int',
  /** Packets that are too late for a jitter buffer of 60 ms. */
  discarded: 'int',
  duplicates: 'int',
  reordered: 'int',
  plcEvents: 'int',
  /** The mean and the maximum of J (RFC 3550, 6.4.1) over the interval's packets. */
  jitterMs: 'real',
  jitterMaxMs: 'real',
  /** The mean of the round trips that were learnt in the interval. */
  rttMs: 'real',
  mos: 'real',
  rFactor: 'real',
  /** The values that the far end reported about our stream in the interval. */
  remoteLossFraction: 'real',
  remoteJitterMs: 'real',
} as const satisfies Readonly<Record<string, 'int' | 'real'>>;

export type SampleFigure = keyof typeof SAMPLE_FIGURES;
export const SAMPLE_FIGURE_NAMES = Object.keys(SAMPLE_FIGURES) as SampleFigure[];
export const sampleColumnOf = (name: SampleFigure): Snake<SampleFigure> => snakeCase(name);

/** Each figure is one column. */
export const sampleColumns = <Column>(of: (name: SampleFigure) => Column): { [K in SampleFigure]: Column } =>
  Object.fromEntries(SAMPLE_FIGURE_NAMES.map((name) => [name, of(name)])) as { [K in SampleFigure]: Column };
