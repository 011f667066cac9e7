/** The fields that canaries add to the start of a run, to a run in full, and to executions of probes. */
import { Id } from '../../contract/envelope.ts';
import { Canary, CanaryStart } from './contract/canary.ts';

export const RUN_START_FIELDS = { canary: CanaryStart.optional() };

export const RUN_FIELDS = { canary: Canary.nullable().describe('results of the canary so far; null: no canary') };

export const EXECUTION_FIELDS = {
  canaryOf: Id.nullable().describe(
    'the load run of which this is a canary execution, so it is not counted; null: not a canary execution',
  ),
};

export const RUN_START_EXAMPLE = {
  canary: { probeId: '01a21874-70aa-7e1c-a2b4-6d0f3c8e5b92', calls: 3, everySeconds: 5 },
};
