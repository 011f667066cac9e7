/** The time series of a run (docs/decisions.md, Time series). */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { MOS_SCALES } from './measured-words.ts';

export const RESOLUTION_SECONDS = { '1s': 1, '5s': 5, '10s': 10, '30s': 30, '1m': 60, '5m': 300 } as const;
export type Resolution = keyof typeof RESOLUTION_SECONDS;
export const RESOLUTIONS = Object.keys(RESOLUTION_SECONDS) as [Resolution, ...Resolution[]];

/** The default resolution is chosen so that a series has fewer points than this. */
export const DEFAULT_POINTS = 600;
/** A request for more points is refused, and the answer names a resolution that fits. */
export const MAX_POINTS = 2000;

/** A missing point is a gap, and never 0. */
const Series = z.object({
  metricKey: z.string(),
  displayName: z.string(),
  unit: z.string(),
  direction: z.enum(['SEND', 'RECEIVE']),
  higherIsBetter: z.boolean(),
  points: z
    .array(z.tuple([Timestamp, z.number(), z.number(), z.number(), z.int()]))
    .describe('[instant, avg, min, max, count]'),
});

export const Metrics = z
  .object({
    resolutionSeconds: z.int(),
    from: Timestamp.nullable(),
    to: Timestamp.nullable(),
    endpointId: Id.nullable(),
    mosScale: z
      .enum(MOS_SCALES)
      .nullable()
      .describe('scale of mos and rFactor: the scale of most rated streams; streams of other scales are not included'),
    series: z.array(Series),
  })
  .meta({ id: 'TestRunMetrics' });
