/** Figures for people. If nothing was measured, a dash is shown, never 0. */
export const DASH = '–';

/** The number formats, by the maximum number of digits after the point. Making one takes a hundred times as long as using it. */
const FORMATS = [0, 1, 2, 3].map((digits) => new Intl.NumberFormat('en-US', { maximumFractionDigits: digits }));
const format = (n: number, digits: number): string => (FORMATS[digits] as Intl.NumberFormat).format(n);

export const count = (n: number): string => format(n, 3);

/** What a list says that is cut, for example "The worst 20 of 1,000". Undefined: it shows all. */
export const cutTo = (which: string, shown: number, all: number): string | undefined =>
  shown < all ? `${which} ${count(shown)} of ${count(all)}` : undefined;

/** `1 call`, `2 calls` */
export const plural = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? '' : 's'}`;

/** The number of digits depends on the magnitude. */
export const number = (n: number | null | undefined, digits = 2): string => {
  if (n === null || n === undefined || Number.isNaN(n)) return DASH;
  const shown = Math.abs(n) >= 100 ? 0 : Math.abs(n) >= 10 ? Math.min(digits, 1) : digits;
  return format(n, shown);
};

/** The text is a dash if nothing was measured. */
export const measured = (value: number, values: number, digits = 2): string =>
  values === 0 ? DASH : number(value, digits);

export const percent = (n: number | null, digits = 1): string => (n === null ? DASH : `${number(n, digits)} %`);

/** A share in percent. Nearly all is never shown as 100 %, and nearly none is never shown as 0 %. */
export const share = (n: number): string =>
  n > 99.9 && n < 100 ? '> 99.9 %' : n > 0 && n < 0.1 ? '< 0.1 %' : percent(n);

/** The unit of a metric next to its values, and the factor for the values: fractions are shown in percent. */
export const shownUnit = (unit: string): { readonly unit: string; readonly factor: number } =>
  unit === 'fraction' ? { unit: '%', factor: 100 } : { unit: unit === 'MOS' || unit === 'R' ? '' : unit, factor: 1 };

/** The text of a duration that may be short: `4.4` -> `4.4 s`, `95` -> `1 min 35 s` */
export const seconds = (n: number): string => (n < 60 ? `${number(n, 1)} s` : duration(n));

/** `95` -> `1 min 35 s` */
export function duration(seconds: number): string {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min${s % 60 ? ` ${s % 60} s` : ''}`;
  return `${Math.floor(s / 3600)} h${s % 3600 >= 60 ? ` ${Math.floor((s % 3600) / 60)} min` : ''}`;
}

export const bytes = (n: number): string =>
  n < 1024 ? `${n} B` : n < 1024 ** 2 ? `${number(n / 1024, 1)} KiB` : `${number(n / 1024 ** 2, 1)} MiB`;

export const bitsPerSecond = (n: number): string =>
  n < 1e6 ? `${number(n / 1000, 0)} kbit/s` : `${number(n / 1e6, 1)} Mbit/s`;
