/** Calendar months (UTC) in the form `2026-11`. Pure. */

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

const numberOf = (month: string): number => {
  const [year, ofYear] = month.split('-').map(Number) as [number, number];
  return year * 12 + ofYear - 1;
};

/** `months` may be negative. */
export function monthsAfter(month: string, months: number): string {
  const number = Math.max(0, numberOf(month) + months);
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
}

/** The months from the first to the last, both included; 0 or less: the last one is before the first. */
export const monthsBetween = (first: string, last: string): number => numberOf(last) - numberOf(first) + 1;
