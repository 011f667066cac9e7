/**
 * What a reader of a run has to know is written down as it is: findings, the metric keys of what callers heard, columns of the
 * CSV.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FINDINGS } from '@carillon/proto';
import { FIGURES, type FigureName } from '@carillon/proto/figures/call-figures.ts';
import t from 'tap';
import { METRIC_KEYS } from './contract/metric-keys.ts';
import { callQualityOf } from './domain/figures/call-quality.ts';
import { csvHead } from './domain/figures/endpoint-csv.ts';

const readme = readFileSync(path.resolve(import.meta.dirname, '../README.md'), 'utf8');

/** Rows of the table with this head, without it. */
const rowsOf = (head: string): string[] => {
  const lines = readme.slice(readme.indexOf(head)).split('\n');
  return lines.slice(2, lines.indexOf(''));
};

t.test('every finding, in the words of its table', (t) => {
  const expected = Object.entries(FINDINGS).map(
    ([kind, { severity, party, title, restsOn }]) => `| \`${kind}\` | ${severity} | ${party} | ${title} | ${restsOn} |`,
  );
  t.same(rowsOf('| finding | severity |'), expected);
  t.end();
});

t.test('every metric key of what callers got', (t) => {
  const zero = { calls: 0, successful: 0, inProgress: 0, notPlaced: 0, answered: 0, answeredFailed: 0, soundAsked: 0 };
  const quality = callQualityOf({ ...zero, heard: 0, dropped: 0, awaitedMs: 0, absentMs: 0 });
  const keys = Object.entries(METRIC_KEYS).filter(([key]) => key in quality);
  t.same(
    rowsOf('| metric key | unit |').map((row) => row.split(' | ').slice(0, 2).join()),
    keys.map(([key, { unit }]) => `| \`${key}\`,${unit}`),
  );
  t.end();
});

t.test('every column that the CSV has got since', (t) => {
  const columns = csvHead().trimEnd().split(',');
  const added = columns.slice(columns.indexOf('registerRttMs') + 1);
  const page = readme.slice(readme.indexOf('The CSV has a line'), readme.indexOf('New columns come last'));
  t.same(
    [...page.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    added.filter((name) => !FIGURES.get(name as FigureName)?.isLaterInCsv),
    'in their order; figures are told by the reference',
  );
  t.end();
});
