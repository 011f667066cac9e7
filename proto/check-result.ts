/** The checks of a doctor, for the operator of a host: what each has found, and how to mend it. Pure. */
import { plain } from './base/plain-text.ts';

/**
 * The result of one check. FAIL: the program cannot work; WARN: it works, but not as well as it could; UNKNOWN: the result
 * cannot be determined on this host.
 */
export type CheckResult = {
  readonly check: string;
  readonly state: 'OK' | 'WARN' | 'FAIL' | 'UNKNOWN';
  readonly said: string;
  /** What the operator can do; null: nothing is needed. */
  readonly cure: string | null;
};

export const ok = (check: string, said: string): CheckResult => ({ check, state: 'OK', said, cure: null });
export const warn = (check: string, said: string, cure: string): CheckResult => ({ check, state: 'WARN', said, cure });
export const fail = (check: string, said: string, cure: string): CheckResult => ({ check, state: 'FAIL', said, cure });
export const unknown = (check: string, said: string): CheckResult => ({ check, state: 'UNKNOWN', said, cure: null });

/** The lines of a table. */
export const tableOf = (results: readonly CheckResult[]): string[] =>
  results.flatMap(({ check, state, said, cure }) => [
    `${state.padEnd(8)} ${check.padEnd(20)} ${plain(said)}`,
    ...(cure === null ? [] : [`${''.padEnd(29)} -> ${cure}`]),
  ]);

/** 1 if a problem must be solved before the program can work. */
export const exitCodeOf = (results: readonly CheckResult[]): number =>
  results.some(({ state }) => state === 'FAIL') ? 1 : 0;
