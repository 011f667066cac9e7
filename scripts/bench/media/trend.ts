/** Whether a figure grows: linear regression with the interval of its slope. */

export type CostTrend = { readonly slope: number; readonly low: number; readonly high: number };

/** Slope of y over x and its 95 % interval (normal approximation); NaN with fewer than three points. */
export function trend(points: readonly (readonly [x: number, y: number])[]): CostTrend {
  const n = points.length;
  const nothing = { slope: Number.NaN, low: Number.NaN, high: Number.NaN };
  if (n < 3) return nothing;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const spreadX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (spreadX === 0) return nothing;
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spreadX;
  const residual = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const margin = 1.96 * Math.sqrt(residual / (n - 2) / spreadX);
  return { slope, low: slope - margin, high: slope + margin };
}
