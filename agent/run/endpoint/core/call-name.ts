/**
 * The name of a call, which links both of its ends: `RUN/ENDPOINT`, the run in 32 hex digits and the number of the
 * caller within it. INVITEs carry it as X-Carillon-Call; a B2BUA may drop it, and then the link is unknown.
 */
const NAME = /^([0-9a-f]{32})\/(\d{1,7})$/;

export const callName = (run: string, caller: number): string => `${run}/${caller}`;

/** Number of the calling endpoint; null: the header does not name this run. */
export function callerOf(header: string, run: string): number | null {
  const [, of, number] = NAME.exec(header) ?? [];
  return of === run ? Number(number) : null;
}
