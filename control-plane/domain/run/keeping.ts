/**
 * Of which calls of a run detail is kept (messages, events, samples, what is known of streams); figures are of all. Pure.
 * Agents decide by it: agent/run/report/keeping.ts.
 */
import type { CallSample } from '@carillon/proto/call-sample.ts';
import type { TestConfig } from '../../contract/test/test.ts';
import { plannedCalls } from './planned-calls.ts';

export type Keeping = CallSample & {
  /** Calls of one agent's part of a group that failed alike, or have the same finding, beyond the sample. */
  readonly ofCluster: number;
};

/**
 * Nobody reads more calls than this one by one: up to so many are kept whole, and of more about so many are the sample. An error of one
 * in a hundred shows in a sample of a thousand ten times.
 */
const KEPT_CALLS = 1000;
/** Pages of the list: calls that failed alike look alike. */
const OF_CLUSTER = 100;

type Planned = {
  readonly id: string;
  readonly config: Pick<TestConfig, 'groups' | 'load'>;
  readonly buildupSeconds: number;
  readonly durationSeconds: number;
};

/** Null: of every call. */
export function keepingOf({ id, config, ...times }: Planned): Keeping | null {
  const calls = plannedCalls(config, times);
  if (calls <= KEPT_CALLS) return null;
  return { oneIn: Math.ceil(calls / KEPT_CALLS), seed: seedOf(id), ofCluster: OF_CLUSTER };
}

/** By the run: who runs a test again sees other calls of it. The end of an identifier is chance. */
const seedOf = (runId: string): number => Number.parseInt(runId.slice(-8), 16) & 0x7fffffff;
