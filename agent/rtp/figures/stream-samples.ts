/** Samples as columns: one row per interval and stream. */
import { type SampleFigure, sampleColumns } from '@carillon/proto/figures/sample-figures.ts';

/** Columns of equal length: figures of the interval (proto/figures/sample-figures.ts), and their keys. */
export type StreamSamples = { readonly [K in SampleFigure]: number[] } & {
  readonly owner: number[];
  readonly endpointNumber: number[];
  /** The endpoint's stream: 0 audio, 1 video. */
  readonly stream: number[];
  /** The start of the interval, ms on the agent's clock. */
  readonly startMs: number[];
  readonly octetsSent: number[];
  /** The scale of mos and rFactor: the place in SCALES, from 1; 0: not rated. */
  readonly scale: number[];
};

export const noSamples = (): StreamSamples => ({
  ...sampleColumns<number[]>(() => []),
  owner: [],
  endpointNumber: [],
  stream: [],
  startMs: [],
  octetsSent: [],
  scale: [],
});

const NAMES = Object.keys(noSamples()) as (keyof StreamSamples)[];

export function addRow(to: StreamSamples, from: StreamSamples, row: number): void {
  for (const name of NAMES) to[name].push(from[name][row] as number);
}

/** Groups the rows by key, again in columns. */
export function partsOf<K>(samples: StreamSamples, keyOf: (row: number) => K): Map<K, StreamSamples> {
  const parts = new Map<K, StreamSamples>();
  for (let row = 0; row < samples.owner.length; row++) {
    const key = keyOf(row);
    const part = parts.get(key) ?? noSamples();
    parts.set(key, part);
    addRow(part, samples, row);
  }
  return parts;
}
