/** A run over time, for charts. A new part is joined to the existing one. */
import { joinColumn, joinColumns } from '../../../../contract/run/join-columns.ts';
import { ANSWER_CLASSES, type RunMark, type Timeline } from '../../../../contract/run/timeline.ts';
import type { ChartMark } from '../../basics/chart-drawing.ts';

/** The beginnings of the steps, in seconds since 1970. */
export const timesOf = ({ from, steps, resolutionSeconds }: Timeline): number[] => {
  const first = from === null ? 0 : Date.parse(from) / 1000;
  return Array.from({ length: steps }, (_, i) => first + i * resolutionSeconds);
};

/** Undefined: the parts have a gap between them. */
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

const MARKS: Readonly<Record<RunMark['kind'], readonly [color: string, words: string]>> = {
  LOAD: ['--carillon-accent', 'Load changed'],
  BREAKER: ['--carillon-bad', 'Breaker'],
  WORKER: ['--carillon-warn', 'Agent'],
};

export type ShownMark = ChartMark & { readonly iso: string; readonly words: string };

/**
 * What happened during the time of the charts, numbered. Marks of one kind in one second are one: several agents may go away
 * together.
 */
export function marksOf({ marks, from, steps, resolutionSeconds }: Timeline): ShownMark[] {
  const shown = new Map<string, { readonly mark: RunMark; readonly details: string[] }>();
  const firstMs = Date.parse(from ?? '');
  const lastMs = firstMs + steps * resolutionSeconds * 1000;
  for (const mark of marks) {
    const ms = Date.parse(mark.at);
    if (!(ms >= firstMs && ms <= lastMs)) continue;
    const key = `${mark.kind} ${mark.at.slice(0, 19)}`;
    const known = shown.get(key);
    if (known) known.details.push(mark.detail);
    else shown.set(key, { mark, details: [mark.detail] });
  }
  return [...shown.values()].map(({ mark: { at, kind }, details }, i) => {
    const [color, words] = MARKS[kind];
    return {
      at: Date.parse(at) / 1000,
      color,
      label: String(i + 1),
      iso: at,
      words: `${words}: ${[...new Set(details)].join('; ')}`,
    };
  });
}

/** The charts that a run's page shows at once; those that speak of trouble are there if there was some. */
export function isShownFirst(title: string, t: Timeline): boolean {
  const isAny = (values: readonly (number | null)[]): boolean => values.some((v) => v !== null && v > 0);
  switch (title) {
    case 'Calls dropped':
      return true;
    case 'Final responses':
      return ANSWER_CLASSES.some((c) => c !== '2xx' && isAny(t.answers[c]));
    default:
      return /^(Calls|Calls at once|Free endpoints|Set-up|MOS.*)$/.test(title);
  }
}
