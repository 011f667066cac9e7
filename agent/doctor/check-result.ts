/** One thing looked at. FAIL: the agent cannot do its work; WARN: it can, with less or less exactly; UNKNOWN: this host does not tell. */
export type CheckResult = {
  readonly check: string;
  readonly state: 'OK' | 'WARN' | 'FAIL' | 'UNKNOWN';
  readonly said: string;
  /** What its owner may do; null where nothing is to be done. */
  readonly cure: string | null;
};

export const ok = (check: string, said: string): CheckResult => ({ check, state: 'OK', said, cure: null });
export const warn = (check: string, said: string, cure: string): CheckResult => ({ check, state: 'WARN', said, cure });
export const fail = (check: string, said: string, cure: string): CheckResult => ({ check, state: 'FAIL', said, cure });
export const unknown = (check: string, said: string): CheckResult => ({ check, state: 'UNKNOWN', said, cure: null });
