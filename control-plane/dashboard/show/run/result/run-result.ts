/** A run in lists: its outcome as text, and the faults of its calls. Pure. */
import type { RunResult } from '../../../../contract/run-result.ts';
import type { RunStatus } from '../../../../contract/run-status.ts';
import { count, plural } from '../../basics/figures.ts';
import { titleOf } from '../../heard/finding-words.ts';

export type RunSeen = { readonly status: RunStatus; readonly result: RunResult | null };

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The number of findings that are listed individually; others are counted together. */
const NAMED = 2;

/**
 * The findings of its answered calls, most frequent first; null: no call had a fault. Endpoints are counted, because both ends of
 * a call may have the finding.
 */
export function foundWords({ result }: RunSeen): string | null {
  const found = result?.findings ?? [];
  if (found.length === 0) return null;
  const named = found.slice(0, NAMED).map((f) => `${titleOf(f.finding)} (${count(f.count)})`);
  const others = found.length - named.length;
  return [...named, ...(others > 0 ? [`${plural(others, 'other fault')}`] : [])].join(' · ');
}
