/** What follows from a probe's own words. Pure. */

/** The trailing `(region)` of a probe's name, null where it has none (spec section 2, probe incident). */
export const regionOf = (name: string): string | null => /\(([^()]+)\)\s*$/.exec(name)?.[1]?.trim() || null;
