/** What a preflight judges: a test, what its project has, and the agents that may carry it. */
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import type { AccountNames } from '../group/accounts.ts';
import type { RegistrarPlan } from '../plan/plan.ts';
import type { RunRefusal } from './needs.ts';
import type { NumberPolicy } from './refused-numbers.ts';

export type WorkerPolicy = NumberPolicy & {
  readonly targetNetworks: readonly string[];
  readonly maxCallsPerSecond: number;
  readonly maxDurationSeconds: number;
  readonly maxMinutesADay?: number | null;
};

export type Carrier = {
  readonly name: string;
  readonly policy: WorkerPolicy;
  /** The ids of the sub-populations that it may carry. */
  readonly carries: readonly string[];
};

export type Circumstances = {
  readonly config: TestConfig;
  readonly buildupSeconds: number;
  readonly durationSeconds: number;
  readonly registrars: ReadonlyMap<string, RegistrarPlan & { readonly name?: string }>;
  readonly accounts: ReadonlyMap<string, readonly (AccountNames & { readonly hasSecret: boolean })[]>;
  /** The first missing registrar, account or media file; null: none. */
  readonly missing: RunRefusal | null;
  /** The reason why the plan does not allow it; null: it does. */
  readonly beyondPlan: RunRefusal | null;
  readonly plan: string;
  /** The reason why no worker supports a group; null: each group has one. */
  readonly unmanned: string | null;
  /** The reason why some do not fit; null: all fit. */
  readonly short: string | null;
  /** The workers that may run a part of it. */
  readonly workers: readonly Carrier[];
};
