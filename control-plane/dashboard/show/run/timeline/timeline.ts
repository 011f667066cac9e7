/** A run over time, for charts. A new part is joined to the existing one. */
import { joinColumn, joinColumns } from '../../../../contract/run/join-columns.ts';
import type { Timeline } from '../../../../contract/run/timeline.ts';

/** The beginnings of the steps, in seconds since 1970. */
export const timesOf = ({ from, steps, resolutionSeconds }: Timeline): number[] => {
  const first = from === null ? 0 : Date.parse(from) / 1000;
  return Array.from({ length: steps }, (_, i) => first + i * resolutionSeconds);
};

/** undefined: the parts have a gap between them. */
export function joined(known: Timeline | undefined, news: Timeline): Timeline | undefined {
  if (known?.from == null || news.from === null || known.resolutionSeconds !== news.resolutionSeconds) return news;
  const kept = (Date.parse(news.from) - Date.parse(known.from)) / 1000 / news.resolutionSeconds;
  if (kept <= 0) return news;
  if (kept > known.steps || !Number.isInteger(kept)) return undefined;
  return {
    ...news,
    from: known.from,
    steps: kept + news.steps,
    calls: joinColumns(known.calls, kept, news.calls),
    freeEndpoints: joinColumn(known.freeEndpoints, kept, news.freeEndpoints),
    drops: joinColumns(known.drops, kept, news.drops),
    answers: joinColumns(known.answers, kept, news.answers),
    setupMs: joinColumns(known.setupMs, kept, news.setupMs),
    mos: joinColumns(known.mos, kept, news.mos),
    lossFraction: joinColumn(known.lossFraction, kept, news.lossFraction),
    noise: joinColumns(known.noise, kept, news.noise),
  };
}

/** The last measured value among the last steps. */
export const latest = (values: readonly (number | null)[], within = 10): number | null =>
  values.slice(-within).findLast((v) => v !== null) ?? null;
