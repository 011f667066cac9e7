/** A capacity search as its form holds it. Pure. */

import type { CallInput } from '../../../contract/call.ts';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import { duration } from '../../../dashboard/show/basics/figures.ts';
import type { Objective, SearchMethod } from '../contract/words.ts';
import type { SearchSeen } from './search-words.ts';

export type SearchDraft = {
  readonly testId: string;
  readonly method: SearchMethod;
  readonly objective: Objective;
  readonly slos: readonly { readonly metricKey: MetricKey; readonly limit: number }[];
  readonly least: number;
  readonly most: number;
  readonly precisionPercent: number;
  readonly trialSeconds: number;
  readonly warmUpSeconds: number;
  readonly drainSeconds: number;
  readonly sessions: number;
  readonly startRate: number;
};

/** The defaults are those of the API. */
export const NEW: SearchDraft = {
  testId: '',
  method: 'BISECT',
  objective: 'CALLS_PER_SECOND',
  slos: [{ metricKey: 'successShare', limit: 99 }],
  least: 1,
  most: 1000,
  precisionPercent: 3,
  trialSeconds: 30,
  warmUpSeconds: 5,
  drainSeconds: 5,
  sessions: 50_000,
  startRate: 100,
};

export const draftOfSearch = ({ testId, settings: s }: SearchSeen): SearchDraft => ({
  ...NEW,
  testId,
  method: s.method,
  objective: s.objective,
  slos: s.slos,
  least: s.least,
  most: s.most,
  precisionPercent: s.precisionPercent,
  trialSeconds: s.trialSeconds,
  warmUpSeconds: s.warmUpSeconds,
  drainSeconds: s.drainSeconds,
  ...(s.rfc7502 && { sessions: s.rfc7502.sessions, startRate: s.rfc7502.startRate }),
});

type Body = Omit<CallInput<'startCapacitySearch'>, 'projectId'>;

export function bodyOf({ sessions, startRate, ...draft }: SearchDraft): Body {
  const { testId, method, drainSeconds } = draft;
  if (method === 'RFC7502_STRICT') return { testId, method, drainSeconds, rfc7502: { sessions, startRate } };
  return { ...draft, slos: [...draft.slos] };
}

/** The approximate duration: that of the trials for the bracket and the bisection, with one that confirms each end. */
export function lastsAbout(draft: SearchDraft): string {
  const { most, least, precisionPercent, trialSeconds, warmUpSeconds, drainSeconds } = draft;
  const start = Math.min(Math.max(10, least), most);
  const bracket = Math.ceil(Math.log2(Math.max(2, most / start)));
  const bisect = Math.ceil(Math.log2(100 / precisionPercent));
  const trials = (n: number): number => (n + bisect + 2) * (trialSeconds + warmUpSeconds + drainSeconds);
  return `${duration(trials(1))} to ${duration(trials(bracket))}`;
}

/** The first metric that no SLO uses; undefined: each metric has an SLO. */
export const freeMetric = ({ slos }: SearchDraft): MetricKey | undefined =>
  (['callSetup', 'pdd', 'avgMos', ...Object.keys(METRIC_KEYS)] as MetricKey[]).find(
    (key) => !slos.some(({ metricKey }) => metricKey === key),
  );
