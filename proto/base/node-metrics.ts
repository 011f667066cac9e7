/** What both registries of metrics leave out of those that prom-client collects of Node.js. */

/** Gauges with names of counters: promtool does not accept them. Those by type, which have the same counts, stay. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * The library has a timer of 10 ms for these, which causes two thirds of the wake-ups of an idle process.
 * nodejs_eventloop_lag_seconds stays.
 */
const LAG_SPREAD = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (of) => `nodejs_eventloop_lag_${of}_seconds`,
);

/** The names of the metrics that are removed after they were set up. */
export const UNWANTED_METRICS: readonly string[] = [...MISNAMED, ...LAG_SPREAD];

/** The interval of the library's timer of event loop lags, the longest that a timer has: it hardly ever fires. */
export const LAG_TIMER_MS = 2 ** 31 - 1;
