/** The address of a created resource (RFC 9110, 10.2.2). */
import { CATALOGUE } from '../catalogue.ts';
import type { OperationRow } from '../contract/catalogue.ts';

const ROWS: readonly OperationRow[] = Object.values(CATALOGUE);
const RUN = '/projects/{projectId}/test-runs/{testRunId}';
const ONE_OF = /^\/\{\w+\}$/;

/** The path of the catalogue that reads it; undefined: no such path. */
export function readingPath(row: OperationRow, answered: readonly string[]): string | undefined {
  if (row.status !== 201) return undefined;
  if (answered.includes('testRunId')) return RUN;
  return ROWS.find(
    ({ method, by, path }) =>
      method === 'GET' && by === row.by && path.startsWith(row.path) && ONE_OF.test(path.slice(row.path.length)),
  )?.path;
}

/** `values`: input and output; the last parameter of the path is the new `id`. */
export const locationOf = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? values['id'])));
