/** The tables of RFCs: what they name of ours is there, and the tests say what the tables quote. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, read } from '../sources.ts';

/** The folders with conformance tables, and the pattern of their rows. */
const TABLES = [
  { folder: 'agent/sip', row: /^\| \d/ },
  { folder: 'agent/rtp', row: /^\| (\d|G\.|ours)/ },
] as const;

/** Each row of such a table names one of our files, a test file, and words of it. */
export const conformance = (): string[] =>
  TABLES.flatMap(({ folder, row }) => {
    const page = `${folder}/CONFORMANCE.md`;
    const rows = read(page)
      .split('\n')
      .filter((line) => row.test(line));
    return rows.length === 0 ? [`${page} has no rows`] : rows.flatMap((line) => wrongRow(page, folder, line));
  });

const bare = (cell: string | undefined): string => (cell ?? '').trim().replace(/^`|`$/g, '');

function wrongRow(page: string, folder: string, line: string): string[] {
  const [, of, section, , where, test, shows, ...rest] = line.split('|').map(bare);
  const name = `${page}: ${of}, ${section}`;
  if (!where || !test || !shows || rest.length !== 1) return [`${name} has not six cells`];
  // The path is relative to the page's folder or to the root.
  const found = (name: string) =>
    [folder, ''].map((from) => path.join(ROOT, from, name)).find((one) => existsSync(one));
  const file = found(test);
  if (!file) return [`${name}: there is no ${test}`];
  return [
    ...(found(where) ? [] : [`${name}: there is no ${where}`]),
    ...(read(path.relative(ROOT, file)).includes(shows) ? [] : [`${name}: ${test} does not say "${shows}"`]),
  ];
}
