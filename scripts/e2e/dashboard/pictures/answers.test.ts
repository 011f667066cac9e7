/** Recorded answers are those that the API gives today: a page that reads a field that they lack would show an error, or nothing. */
import t from 'tap';
import * as z from 'zod';
import { CATALOGUE } from '../../../../control-plane/catalogue.ts';
import type { OperationRow } from '../../../../control-plane/contract/row.ts';
import { readAnswers } from './answers.ts';

const fixedParts = ({ path }: OperationRow): number => path.split('/').filter((part) => !part.startsWith('{')).length;

/** What may be answered there: `/tests/latest` is another operation than `/tests/{testId}`. Answers are kept without their method. */
function rowsOf(address: string): readonly OperationRow[] {
  const [path = ''] = address.split('?');
  const all: readonly OperationRow[] = Object.values(CATALOGUE);
  const found = all.filter((row) => new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  const most = Math.max(...found.map(fixedParts));
  return found.filter((row) => fixedParts(row) === most);
}

const { inside, outside } = readAnswers();
for (const [address, answer] of [...Object.entries(inside), ...Object.entries(outside)]) {
  const { status, data } = answer as { readonly status: number; readonly data: unknown };
  const rows = rowsOf(address);
  // The features of some addresses may be gone.
  if (status >= 400 || rows.length === 0) continue;
  t.test(address, async (t) => {
    const faults = rows.map(({ method, answers, output }) => {
      const { error } = (answers === 'list' ? z.array(output) : output).safeParse(data);
      return error ? `${method}: ${z.prettifyError(error)}` : null;
    });
    t.ok(faults.includes(null), faults.join());
  });
}
