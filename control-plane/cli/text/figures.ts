/** Figures as text. Without a measurement they are a dash, never 0. Pure. */
export const NONE = '-';

export const ms = (value: number | null, count = 1): string => {
  if (value === null || count === 0) return NONE;
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
};

export const figure = (value: number | null, digits: number, count = 1): string =>
  value === null || count === 0 ? NONE : value.toFixed(digits);

export const percent = (value: number, count: number, digits = 1): string =>
  count === 0 ? NONE : `${value.toFixed(digits)} %`;

/** A measured value of a check, with its significant digits. */
export const measured = (value: number | null, unit: string): string => {
  if (value === null) return 'not measured';
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
  return `${text}${unit === '' || unit === 'MOS' || unit === 'R' || unit === 'fraction' ? '' : ` ${unit}`}`;
};

/** The duration in its two largest whole units: 2 h 5 min. */
export function span(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const instant = (iso: string | null): string => (iso === null ? NONE : iso.slice(0, 19).replace('T', ' '));
