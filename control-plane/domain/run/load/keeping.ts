/**
 * Selects the calls of a run whose detail is kept (messages, events, samples, stream details); figures include all
 * calls. Pure. Agents apply it: agent/run/report/keeping.ts.
 */
import type { CallSample } from '@carillon/proto/call-sample.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { plannedCalls } from './planned-calls.ts';

export type Keeping = CallSample & {
  /** The number of calls, beyond the sample, of one agent's part of a group with the same failure or finding. */
  readonly ofCluster: number;
};

/**
 * A user never reads more calls individually: up to this many, all are kept; above, about this many are sampled. An
 * error of one in a hundred appears ten times in a sample of a thousand.
 */
const KEPT_CALLS = 1000;
/** This fills a few pages of the list: calls that failed in the same way look alike. */
const OF_CLUSTER = 100;

type Planned = {
  readonly id: string;
  readonly config: Pick<TestConfig, 'groups' | 'load'>;
  readonly buildupSeconds: number;
  readonly durationSeconds: number;
};

/** Null: the detail of every call is kept. */
export function keepingOf({ id, config, ...times }: Planned): Keeping | null {
  const calls = plannedCalls(config, times);
  if (calls <= KEPT_CALLS) return null;
  return { oneIn: Math.ceil(calls / KEPT_CALLS), seed: sampleSeed(id), ofCluster: OF_CLUSTER };
}

/** The seed depends on the run, so that a repeated test samples other calls. The end of an identifier is random. */
const sampleSeed = (runId: string): number => Number.parseInt(runId.slice(-8), 16) & 0x7fffffff;
