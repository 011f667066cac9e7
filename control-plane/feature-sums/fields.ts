/** What the features of features.ts have in fields.ts. Generated: npm run generate. */
import {
  EXECUTION_FIELDS as EXECUTION_FIELDS_OF_CANARY,
  RUN_FIELDS as RUN_FIELDS_OF_CANARY,
  RUN_START_EXAMPLE as RUN_START_EXAMPLE_OF_CANARY,
  RUN_START_FIELDS as RUN_START_FIELDS_OF_CANARY,
} from '../features/canary/fields.ts';
import { WORKER_FIELDS as WORKER_FIELDS_OF_POOLS } from '../features/pools/fields.ts';
import {
  RUN_FIELDS as RUN_FIELDS_OF_WAITING_RUNS,
  RUN_START_FIELDS as RUN_START_FIELDS_OF_WAITING_RUNS,
} from '../features/waiting-runs/fields.ts';

/** Fields of the request that starts a run. */
export const FEATURE_RUN_START_FIELDS = { ...RUN_START_FIELDS_OF_CANARY, ...RUN_START_FIELDS_OF_WAITING_RUNS } as const;
/** Examples of these fields. */
export const FEATURE_RUN_START_EXAMPLE = { ...RUN_START_EXAMPLE_OF_CANARY } as const;
/** Fields of a run in full. */
export const FEATURE_RUN_FIELDS = { ...RUN_FIELDS_OF_CANARY, ...RUN_FIELDS_OF_WAITING_RUNS } as const;
/** Fields of an execution of a probe. */
export const FEATURE_EXECUTION_FIELDS = { ...EXECUTION_FIELDS_OF_CANARY } as const;
/** Fields of a worker. */
export const FEATURE_WORKER_FIELDS = { ...WORKER_FIELDS_OF_POOLS } as const;
