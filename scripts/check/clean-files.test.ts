/** What is checked again: a table of changes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { findInChanged } from './clean-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-clean-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

type Step = {
  readonly what: string;
  readonly basis?: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly found?: readonly string[];
  /** null: the check is not run. */
  readonly checked: readonly string[] | null;
};

const STEPS: readonly Step[] = [
  { what: 'nothing is stored yet', texts: { a: '1', b: '1' }, checked: ['a', 'b'] },
  { what: 'nothing has changed', texts: { a: '1', b: '1' }, checked: null },
  { what: 'one file has changed', texts: { a: '1', b: '2' }, checked: ['b'] },
  { what: 'a new file with a fault', texts: { a: '1', b: '2', c: '1' }, found: ['c is wrong'], checked: ['c'] },
  { what: 'the fault is still there', texts: { a: '1', b: '2', c: '1' }, found: ['c is wrong'], checked: ['c'] },
  { what: 'the fault is corrected', texts: { a: '1', b: '2', c: '2' }, checked: ['c'] },
  { what: 'a file is gone, which others may need', texts: { a: '1', b: '2' }, checked: [] },
  { what: 'the check has changed', basis: 'another', texts: { a: '1', b: '2' }, checked: ['a', 'b'] },
  { what: 'the check is as before it changed', texts: { a: '1', b: '2' }, checked: ['a', 'b'] },
];

t.test('a check reads the files that changed since it found nothing in them', async (t) => {
  for (const { what, basis = 'one', texts, found = [], checked } of STEPS) {
    let seen: readonly string[] | null = null;
    const options = { folder, basis: [basis], files: Object.keys(texts), read: (file: string) => texts[file] ?? '' };
    const answer = await findInChanged('test', options, (changed) => {
      seen = changed;
      return [...found];
    });
    t.same([seen, answer], [checked, found], what);
  }
});

t.test('an unreadable store: everything is checked', async (t) => {
  writeFileSync(path.join(folder, 'clean-test.json'), '{"basis":');
  const options = { folder, basis: ['one'], files: ['a'], read: () => '1' };
  let seen: readonly string[] = [];
  await findInChanged('test', options, (changed) => {
    seen = changed;
    return [];
  });
  t.same(seen, ['a']);
});
