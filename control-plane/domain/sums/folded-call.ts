/** An ended call, or an endpoint without a call: the input of sums. Pure. */
import type { EndpointType } from '../../contract/test-settings/words.ts';
import type { ReportedOutcome } from '../run/facts.ts';
import type { ReachedPhases } from '../run/reached-phases.ts';

export type FoldedCall = {
  readonly outcome: ReportedOutcome;
  /** All reports about its phases, in this batch and earlier ones. */
  readonly phases: ReachedPhases;
  readonly answered: boolean;
  readonly endpointType: EndpointType;
  readonly countsAsCall: boolean;
  readonly calleeUri: string;
  readonly registrarUri: string;
  /** The id of its row; null: it has no row. */
  readonly id: string | null;
};

/** Example calls are the first ones with a row. */
export type Example = { readonly id: string; readonly atMs: number; readonly number: number };
const MAX_EXAMPLES = 3;

export const firstExamples = (examples: readonly Example[]): Example[] =>
  [...examples].sort((a, b) => a.atMs - b.atMs || a.number - b.number).slice(0, MAX_EXAMPLES);

/** The common value; null: one has none, or they differ. */
export const agreed = <T>(a: T | null, b: T | null): T | null => (a === b ? a : null);
