/** The load of one trial, as overrides of its test. Pure. */

import type { RunOverrides } from '../../../contract/run/start.ts';
import { Z95 } from '../../../domain/statistics/z95.ts';
import type { SearchSettings } from '../contract/capacity.ts';

/** The extra time beyond its duration after which a call counts as slow: set-up and release. */
const SETUP_SECONDS = 3;
/** The margin above the mean of concurrent calls, in standard deviations. */
const SPARE = 2 * Z95;

/** The endpoints needed for a rate with calls of this duration. */
const endpointsFor = (rate: number, callSeconds: number): number => {
  const mean = rate * (callSeconds + SETUP_SECONDS);
  return Math.ceil(mean + SPARE * Math.sqrt(mean));
};

export function trialOverrides(s: SearchSettings, level: number): RunOverrides {
  const durationSeconds = s.callSeconds;
  if (s.method === 'RFC7502_STRICT')
    return {
      load: { shape: 'RATE', callsPerSecond: level, calls: s.rfc7502?.sessions ?? 0 },
      endpoints: endpointsFor(level, durationSeconds),
      durationSeconds,
    };
  const seconds = s.warmUpSeconds + s.trialSeconds;
  if (s.objective === 'CALLS_PER_SECOND')
    return {
      load: { shape: 'RATE', callsPerSecond: level, seconds },
      endpoints: endpointsFor(level, durationSeconds),
      durationSeconds,
    };
  // The rate is high enough to reach the level by the end of the warm-up, and to replace the calls that end.
  const callsPerSecond = Math.max(1, (2 * level) / durationSeconds, level / Math.max(1, s.warmUpSeconds));
  return {
    load: { shape: 'CONCURRENCY', callsPerSecond: Math.min(10_000, callsPerSecond), seconds },
    endpoints: level,
    durationSeconds,
  };
}
