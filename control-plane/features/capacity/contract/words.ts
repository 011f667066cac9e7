/** The states, methods and results of capacity searches, as the API and the database name them. */

export const SEARCH_STATUSES = ['WAITING', 'TRYING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type SearchStatus = (typeof SEARCH_STATUSES)[number];

export const OBJECTIVES = ['CALLS_PER_SECOND', 'CALLS_AT_ONCE'] as const;
export type Objective = (typeof OBJECTIVES)[number];

export const METHODS = ['BISECT', 'RFC7502_STRICT'] as const;
export type SearchMethod = (typeof METHODS)[number];

/** The reason for a trial. */
export const TRIAL_PHASES = ['BRACKET', 'BISECT', 'CONFIRM', 'REPEAT', 'RFC7502'] as const;
export type TrialPhase = (typeof TRIAL_PHASES)[number];

/** VOID: no result; LIMITED: the generator could not produce the load. */
export const TRIAL_RESULTS = ['PASSED', 'FAILED', 'VOID', 'LIMITED'] as const;
export type TrialResult = (typeof TRIAL_RESULTS)[number];

export const FOUND = ['CEILING', 'GENERATOR_LIMIT', 'UPPER_BOUND', 'BELOW_LOWER_BOUND', 'UNSETTLED'] as const;
