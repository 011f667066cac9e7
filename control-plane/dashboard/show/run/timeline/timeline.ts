/** A run over time, for charts; joins a new part to the existing one. */
import type { Timeline } from '../../../../contract/run/timeline.ts';

/** Beginnings of the steps, seconds since 1970. */
export const timesOf = ({ from, steps, resolutionSeconds }: Timeline): number[] => {
  const first = from === null ? 0 : Date.parse(from) / 1000;
  return Array.from({ length: steps }, (_, i) => first + i * resolutionSeconds);
};

/** undefined: there is a gap between them. */
export function joined(known: Timeline | undefined, news: Timeline): Timeline | undefined {
  if (known?.from == null || news.from === null || known.resolutionSeconds !== news.resolutionSeconds) return news;
  const kept = (Date.parse(news.from) - Date.parse(known.from)) / 1000 / news.resolutionSeconds;
  if (kept <= 0) return news;
  if (kept > known.steps || !Number.isInteger(kept)) return undefined;
  const join = <T>(a: readonly T[], b: readonly T[]): T[] => [...a.slice(0, kept), ...b];
  const columns = <T extends Readonly<Record<string, readonly unknown[]>>>(a: T, b: T): T =>
    Object.fromEntries(Object.keys(b).map((k) => [k, join(a[k] ?? [], b[k] ?? [])])) as unknown as T;
  return {
    ...news,
    from: known.from,
    steps: kept + news.steps,
    calls: columns(known.calls, news.calls),
    freeEndpoints: join(known.freeEndpoints, news.freeEndpoints),
    drops: columns(known.drops, news.drops),
    answers: columns(known.answers, news.answers),
    setupMs: columns(known.setupMs, news.setupMs),
    mos: columns(known.mos, news.mos),
    lossFraction: join(known.lossFraction, news.lossFraction),
    noise: columns(known.noise, news.noise),
  };
}

/** The last value that was measured, of the last steps. */
export const latest = (values: readonly (number | null)[], within = 10): number | null =>
  values.slice(-within).findLast((v) => v !== null) ?? null;
