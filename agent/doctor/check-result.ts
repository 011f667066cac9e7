/**
 * The result of one check. FAIL: the agent cannot work; WARN: it works, but with less capacity or precision; UNKNOWN:
 * the result cannot be determined on this host.
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
