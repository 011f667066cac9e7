/** Months for people. */
import { monthOf, monthsAfter } from '../contract/months.ts';

const FORMAT = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-11` -> `November 2026` */
export const monthWords = (month: string): string => FORMAT.format(new Date(`${month}-01T00:00:00Z`));

/** The last three years, the present month first. */
export const monthChoices = (): { value: string; label: string }[] => {
  const present = monthOf(new Date());
  return Array.from({ length: 36 }, (_, n) => {
    const value = monthsAfter(present, -n);
    return { value, label: monthWords(value) };
  });
};
