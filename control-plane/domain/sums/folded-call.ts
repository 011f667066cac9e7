/** A call that has ended, or an endpoint that placed none: what sums take from it. Pure. */
import type { EndpointType } from '../../contract/words.ts';
import type { ReportedOutcome } from '../run/facts.ts';
import type { ReachedPhases } from '../run/reached-phases.ts';

export type FoldedCall = {
  readonly outcome: ReportedOutcome;
  /** All that was told of them, in this batch and before. */
  readonly phases: ReachedPhases;
  readonly answered: boolean;
  readonly endpointType: EndpointType;
  readonly countsAsCall: boolean;
  readonly calleeUri: string;
  /** Of its registrar. */
  readonly registrarUri: string;
  /** Of its row; null: it has none. */
  readonly id: string | null;
};

/** Calls that serve as examples are the first of theirs that have a row. */
export type Example = { readonly id: string; readonly atMs: number; readonly number: number };
const MOST_EXAMPLES = 3;

export const firstExamples = (examples: readonly Example[]): Example[] =>
  [...examples].sort((a, b) => a.atMs - b.atMs || a.number - b.number).slice(0, MOST_EXAMPLES);

/** What both say; null: one says nothing, or not the same. */
export const agreed = <T>(a: T | null, b: T | null): T | null => (a === b ? a : null);
