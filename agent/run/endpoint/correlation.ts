/**
 * The name of a call, by which both of its ends are found together: `RUN/ENDPOINT`, the run in 32 hex digits and the number of the
 * caller within it. INVITEs carry it as X-Carillon-Call; a PBX that makes calls of its own may leave it out, and then nobody knows.
 */
const NAME = /^([0-9a-f]{32})\/(\d{1,7})$/;

export const callName = (run: string, caller: number): string => `${run}/${caller}`;

/** Number of the endpoint that called; null: the header says nothing of this run. */
export function callerOf(header: string, run: string): number | null {
  const [, of, number] = NAME.exec(header) ?? [];
  return of === run ? Number(number) : null;
}
