/** Which runs can be the baseline of their test. Pure. */
import type { Output } from '../../../../contract/catalogue.ts';

/** A VOID run cannot be a baseline: its figures show the agents' own noise. */
export const mayBeBaseline = ({ status, validity }: Pick<Output<'getTestRun'>, 'status' | 'validity'>): boolean =>
  status === 'COMPLETED' && validity !== null && validity.verdict !== 'VOID';
