/** The rows of a media thread's memory that endpoints need. */

/** One for audio and one for video. A row that was never used costs only address space. */
export const STREAMS_AN_ENDPOINT = 2;

/** A row is in use until its last figures are taken, so more rows than streams are needed. */
export const rowsFor = (endpoints: number): number => Math.ceil(endpoints * STREAMS_AN_ENDPOINT * 1.25) + 16;
