/** When the executions of a canary start, and how each ends, as the API and the database name it. */

/** When a canary's execution started, relative to the load. */
export const CANARY_PHASES = ['IDLE', 'LOADED', 'AFTER'] as const;
export type CanaryPhase = (typeof CANARY_PHASES)[number];

/** NOT_JUDGED: the agent had a problem, or no capacity for the execution. */
export const CANARY_RESULTS = ['GOOD', 'FAILED', 'NOT_JUDGED'] as const;
export type CanaryResult = (typeof CANARY_RESULTS)[number];
