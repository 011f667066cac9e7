/** The tables of the feature. Generated: npm run generate. */
import type { ColumnType } from 'kysely';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import type { Generated, Timestamp } from '../../../store/tables.gen.ts';
import type { SearchAnswer, SearchSettings, TrialEvidence } from '../contract/capacity.ts';
import type { SearchStatus, TrialPhase, TrialResult } from '../contract/words.ts';

export interface CapacitySearches {
  answer: ColumnType<SearchAnswer, string, string> | null;
  buildup_seconds: number;
  config: ColumnType<TestConfig, string, string>;
  created_at: Timestamp;
  due_at: Timestamp | null;
  duration_seconds: number;
  ended_at: Timestamp | null;
  error: string | null;
  id: string;
  organization_id: string;
  project_id: string;
  settings: ColumnType<SearchSettings, string, string>;
  started_by: string | null;
  status: SearchStatus;
  test_id: string;
  test_name: string;
  trial_count: Generated<number>;
}

export interface CapacityTrials {
  ended_at: Timestamp | null;
  evidence: ColumnType<TrialEvidence, string, string> | null;
  level: number;
  number: number;
  phase: TrialPhase;
  result: TrialResult | null;
  run_id: string;
  search_id: string;
  started_at: Timestamp;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    capacity_searches: CapacitySearches;
    capacity_trials: CapacityTrials;
  }
}
