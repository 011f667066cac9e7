/** The number of runs that fit beside each other. */
export const MAX_COMPARED = 5;
