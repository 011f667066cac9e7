/** Each endpoint is started once, spread evenly over the test's `buildup`. */
import type { LoadShape } from './shape.ts';

export const BUILDUP = {
  title: 'Evenly, one call per endpoint',
  sentence: 'Each endpoint places one call.',
  note: null,
  says: 'spread evenly over `buildup` seconds',
  fields: {},
  pace: null,
  steps: () => [],
} as const satisfies LoadShape<Record<never, never>>;

/** The starts in milliseconds, in ascending order. */
export const builtUp = (calls: number, buildupSeconds: number): number[] =>
  Array.from({ length: calls }, (_, i) => Math.round((i * buildupSeconds * 1000) / calls));
