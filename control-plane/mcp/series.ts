/** Time series of limited size: neighbouring points are merged. Mean, least, greatest and count merge exactly. Pure. */
import type { Output } from '../contract/catalogue.ts';

type Metrics = Output<'getTestRunMetrics'>;
type Point = Metrics['series'][number]['points'][number];

/** The points of all series together, at about 60 bytes each. */
const MAX_POINTS = 220;

/** Reduces the resolution by an integer factor until the number of points is small enough; unmeasured values are omitted. */
export function coarsen(metrics: Metrics): { readonly metrics: Metrics; readonly note: string | null } {
  const series = metrics.series.filter((s) => s.points.length > 0);
  const points = series.reduce((n, s) => n + s.points.length, 0);
  const factor = Math.max(1, Math.ceil(points / MAX_POINTS));
  const note =
    factor === 1
      ? null
      : `Merged ${factor} points into one to fit: a point covers ${factor * metrics.resolutionSeconds} s. Narrow by endpoint_id for more detail.`;
  return {
    metrics: {
      ...metrics,
      resolutionSeconds: factor * metrics.resolutionSeconds,
      series: series.map((s) => ({ ...s, points: merge(s.points, factor * metrics.resolutionSeconds * 1000) })),
    },
    note,
  };
}

function merge(points: readonly Point[], bucketMs: number): Point[] {
  const buckets = new Map<number, Point[]>();
  for (const point of points) {
    const bucket = Math.floor(Date.parse(point[0]) / bucketMs) * bucketMs;
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), point]);
  }
  return [...buckets].map(([bucket, of]) => {
    const count = of.reduce((n, p) => n + p[4], 0);
    const avg = of.reduce((sum, p) => sum + p[1] * p[4], 0) / (count || 1);
    return [
      new Date(bucket).toISOString(),
      round(avg),
      round(Math.min(...of.map((p) => p[2]))),
      round(Math.max(...of.map((p) => p[3]))),
      count,
    ];
  });
}

const round = (value: number): number => Number(value.toPrecision(5));
