/** How long a run and its parts may take at most, in seconds. The form of a test, the preflight and the runs use this code. Pure. */
import { DEFAULT_GROUP } from './defaults.ts';
import type { GroupSettings } from './settings.ts';

type Grouped<K extends keyof GroupSettings> = { readonly groups: readonly Partial<Pick<GroupSettings, K>>[] };

/** The time that the last attempt waits for an answer (timer F). */
const LAST_ATTEMPT_SECONDS = 32;
/** The time that a run has beyond its calls. */
export const EXECUTION_MARGIN_SECONDS = 60;

/** The longest time that a call may ring until its caller gives it up. Older tests do not define it. */
export const longestRinging = ({ groups }: Grouped<'answerTimeoutSeconds'>): number =>
  Math.max(...groups.map((g) => g.answerTimeoutSeconds ?? DEFAULT_GROUP.answerTimeoutSeconds));

/** The longest time for which an endpoint may try to register beyond its first attempt. */
export const longestRegistering = ({ groups }: Grouped<'registerRetry'>): number =>
  Math.max(
    0,
    ...groups.map(({ registerRetry }) => (registerRetry ? registerRetry.withinSeconds + LAST_ATTEMPT_SECONDS : 0)),
  );

type Ended = Grouped<'answerTimeoutSeconds' | 'registerRetry'> & { readonly maxExecutionSeconds: number | null };

/** The time after which a run is ended, unless the plan allows less. */
export const longestExecution = (config: Ended, buildupSeconds: number, durationSeconds: number): number =>
  config.maxExecutionSeconds ??
  buildupSeconds + longestRegistering(config) + longestRinging(config) + durationSeconds + EXECUTION_MARGIN_SECONDS;
