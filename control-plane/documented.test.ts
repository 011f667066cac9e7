/** The documentation for readers of a run matches the code: findings, and the metric keys of what callers heard. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FINDINGS } from '@carillon/proto';
import t from 'tap';
import { METRIC_KEYS } from './contract/metric-keys.ts';
import { callQualityOf } from './domain/figures/call-quality.ts';

const page = (name: string): string => readFileSync(path.resolve(import.meta.dirname, `../docs/${name}.md`), 'utf8');

/** Rows of the table with this head, without the head. */
const rowsOf = (name: string, head: string): string[] => {
  const text = page(name);
  const lines = text.slice(text.indexOf(head)).split('\n');
  return lines.slice(2, lines.indexOf(''));
};

t.test('every finding, in the words of its table', (t) => {
  const expected = Object.entries(FINDINGS).map(
    ([kind, { severity, party, title, restsOn }]) => `| \`${kind}\` | ${severity} | ${party} | ${title} | ${restsOn} |`,
  );
  t.same(rowsOf('reference/findings', '| finding | severity |'), expected);
  t.end();
});

t.test('every metric key of what callers got', (t) => {
  const zero = { calls: 0, successful: 0, inProgress: 0, notPlaced: 0, answered: 0, answeredFailed: 0, soundAsked: 0 };
  const quality = callQualityOf({
    ...zero,
    heard: 0,
    unreported: 0,
    dropped: 0,
    awaitedMs: 0,
    absentMs: 0,
    pausedMs: 0,
  });
  const keys = Object.entries(METRIC_KEYS).filter(([key]) => key in quality);
  t.same(
    rowsOf('guide/trust', '| metric key | unit |').map((row) => row.split(' | ').slice(0, 2).join()),
    keys.map(([key, { unit }]) => `| \`${key}\`,${unit}`),
  );
  t.end();
});
