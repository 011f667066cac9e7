/** How much of a media thread's memory endpoints need. */

/** Audio and video. A row that was never used costs only address space. */
export const STREAMS_AN_ENDPOINT = 2;

/** A row is in use until its last figures are taken: more rows than streams. */
export const rowsFor = (endpoints: number): number => Math.ceil(endpoints * STREAMS_AN_ENDPOINT * 1.25) + 16;
