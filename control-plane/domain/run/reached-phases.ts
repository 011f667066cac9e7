/** The phases of endpoints in a batch, one row per endpoint: written once, for any number of phases. Pure. */
import { PHASES } from '../../contract/run/words.ts';
import type { PhaseFacts } from './facts.ts';

const CALLING = PHASES.indexOf('CALLING');
const INCALL = PHASES.indexOf('INCALL');
const DISCONNECTING = PHASES.indexOf('DISCONNECTING');
const CLOSED = PHASES.indexOf('CLOSED');

/** Instants in Unix milliseconds, the first of their kind; NaN: not among these phases. */
export type ReachedPhases = {
  readonly number: number;
  /** Indices into contract PHASES: the highest, and the highest that preceded its hanging up; 0: none. */
  phase: number;
  reached: number;
  calledUnixMs: number;
  answeredUnixMs: number;
  leftUnixMs: number;
  closedUnixMs: number;
};

export const noPhases = (number: number): ReachedPhases => ({
  number,
  phase: 0,
  reached: 0,
  calledUnixMs: Number.NaN,
  answeredUnixMs: Number.NaN,
  leftUnixMs: Number.NaN,
  closedUnixMs: Number.NaN,
});

const first = (one: number, other: number): number => (one <= other ? one : other);

/** The phases by endpoint, in the order of first reports. */
export function reachedPhases(facts: readonly PhaseFacts[]): Map<number, ReachedPhases> {
  const rows = new Map<number, ReachedPhases>();
  for (const phases of facts) addTo(rows, phases);
  return rows;
}

function addTo(rows: Map<number, ReachedPhases>, { endpoint, phase, unixMs }: PhaseFacts): void {
  for (let i = 0; i < endpoint.length; i++) {
    const number = endpoint[i] as number;
    const reached = phase[i] as number;
    const at = unixMs[i] as number;
    let row = rows.get(number);
    if (row === undefined) {
      row = noPhases(number);
      rows.set(number, row);
    }
    row.phase = Math.max(row.phase, reached);
    if (reached < DISCONNECTING) row.reached = Math.max(row.reached, reached);
    if (reached >= CALLING && reached <= INCALL) row.calledUnixMs = first(row.calledUnixMs, at);
    if (reached === INCALL) row.answeredUnixMs = first(row.answeredUnixMs, at);
    if (reached >= DISCONNECTING) row.leftUnixMs = first(row.leftUnixMs, at);
    if (reached === CLOSED) row.closedUnixMs = first(row.closedUnixMs, at);
  }
}
