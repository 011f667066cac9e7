/** V8 keeps the whole text behind a slice of 13 characters and more; what outlives its message needs a copy of its own. */
export const ownText = (slice: string): string => (slice.length < 13 ? slice : ` ${slice}`.slice(1));
