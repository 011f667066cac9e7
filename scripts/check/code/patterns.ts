/** The regular expressions of the product, and the time that each takes with a text that is made for it. */
import { runInNewContext } from 'node:vm';
import { checkSync } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { read } from '../sources.ts';

export type Pattern = { readonly file: string; readonly source: string; readonly flags: string };

/** The literals of a file. Expressions that are built at run time are not found. */
export function patternsOf(file: string): Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) found.push({ file, source: regex.pattern, flags: regex.flags });
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(read(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

/** The limit of the time for one pattern. Most take a few milliseconds. A second, longer attempt is for a busy machine. */
const LOOKS_MS = [3000, 60_000];

/** A text for which the pattern takes more than linear time; null: no such text; undefined: it cannot be decided. */
export function hostileText({ source, flags }: Pattern): string | null | undefined {
  for (const timeout of LOOKS_MS) {
    const found = checkSync(source, flags, { timeout });
    if (found.status !== 'unknown') return found.status === 'vulnerable' ? found.attack.string : null;
  }
  return undefined;
}

/** V8 gives up after this time. Without a limit, an attempt with exponential time would not end. */
const MAX_LOOK_MS = 10_000;

/** The processor time of one attempt to match the text, in ms. */
export function costMs({ source, flags }: Pattern, text: string): number {
  const before = process.cpuUsage();
  try {
    runInNewContext('new RegExp(source, flags).exec(text)', { source, flags, text }, { timeout: MAX_LOOK_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
