/** The types of columns that SQL cannot say, for the generator of tables.gen.ts. */
const json = (type: string) => `ColumnType<${type}, string, string>`;

export default {
  imports: {
    '../contract/capacity.ts': ['SearchAnswer', 'SearchSettings', 'TrialEvidence'],
    '../contract/words.ts': ['SearchStatus', 'TrialPhase', 'TrialResult'],
    '../../../contract/test-settings/test.ts': ['TestConfig'],
  },
  columns: {
    'capacity_searches.status': 'SearchStatus',
    'capacity_searches.settings': json('SearchSettings'),
    'capacity_searches.config': json('TestConfig'),
    'capacity_searches.answer': `${json('SearchAnswer')} | null`,
    'capacity_trials.phase': 'TrialPhase',
    'capacity_trials.result': 'TrialResult | null',
    'capacity_trials.evidence': `${json('TrialEvidence')} | null`,
  },
};
