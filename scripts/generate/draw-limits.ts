/** Generates the table of control-plane/limits/README.md from the rows of limits.ts, and those of features. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FEATURE_LIMITS } from '../../control-plane/feature-sums/server.ts';
import { LIMITS, type RequestLimit } from '../../control-plane/limits/limits.ts';

const PAGE = 'control-plane/limits/README.md';
const BEGIN = '<!-- Generated from `limits.ts` by `npm run generate`; do not edit. -->';

/** The page as it would be generated now. */
export function limitsPage(): [path: string, content: string] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../..', PAGE), 'utf8');
  const rows = Object.values<RequestLimit>({ ...LIMITS, ...FEATURE_LIMITS }).map(
    ({ said: [what, per, beyond], ...limit }) => `| ${what} | ${per} | ${highest(limit)} | ${limit.kept} | ${beyond} |`,
  );
  const table = ['| what | per | at most | kept in | beyond |', '|---|---|---|---|---|', ...rows].join('\n');
  const [before] = text.split(BEGIN);
  return [PAGE, `${before}${BEGIN}\n\n${table}\n`];
}

function highest({ max, unit, withinMs, kept }: Omit<RequestLimit, 'said'>): string {
  if (unit === 'ms') return duration(max);
  if (unit !== undefined) return `${max / 1024} KiB${unit.replace('bytes', '')}`;
  const when = withinMs > 0 ? ` in ${duration(withinMs)}` : ' at once';
  return `${max.toLocaleString('en')}${kept === 'connection' ? '' : when}`;
}

const UNITS = { h: 3_600_000, min: 60_000, s: 1000 };
/** The duration in the largest unit in which it is a whole number. */
const duration = (ms: number): string => {
  const [name, length] = Object.entries(UNITS).find(([, unit]) => ms % unit === 0) ?? ['ms', 1];
  return `${ms / length} ${name}`;
};
