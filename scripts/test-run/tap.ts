/** The results of test files: counts, and failures. */

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((n, c) => n + c.passed, 0),
  failed: all.reduce((n, c) => n + c.failed, 0),
  skipped: all.reduce((n, c) => n + c.skipped, 0),
});

/** The counts of a file that ended with `code`; null: a signal ended it. */
export function countsOf(tap: string, code: number | null): Counts {
  const last = [...tap.matchAll(/^# \{ (.*) \}$/gm)].at(-1)?.[1] ?? '';
  const number = (key: string): number => Number(new RegExp(`\\b${key}: (\\d+)`).exec(last)?.[1] ?? 0);
  return {
    passed: number('pass'),
    // A file that ends abnormally without a failed assertion (a crash, nothing found) has failed.
    failed: Math.max(number('fail'), code === 0 && number('pass') + number('skip') > 0 ? 0 : 1),
    skipped: number('skip') + number('todo'),
  };
}

const CONTEXT_LINES = 40;
const MAX_LINES = 400;
const LAST_CHARACTERS = 4000;

/** The failed assertions with their diagnostics; for a file that ended before it had any, its last output. */
export function failures(tap: string): string {
  const lines = tap.split('\n');
  const shown: string[] = [];
  lines.forEach((line, i) => {
    if (!/^\s*not ok/.test(line) || /# (TODO|SKIP)/.test(line)) return;
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    shown.push(line);
    for (const next of lines.slice(i + 1, i + 1 + CONTEXT_LINES)) {
      const deeper = (/^\s*/.exec(next)?.[0].length ?? 0) > indent;
      if (!deeper && next.trim() !== '') break;
      shown.push(next);
    }
  });
  return shown.slice(0, MAX_LINES).join('\n') || tap.slice(-LAST_CHARACTERS);
}
