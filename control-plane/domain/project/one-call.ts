/** A probe as a draft. Pure. */
import {
  defaultsOf,
  GROUP_SETTINGS,
  type ProbeSettings,
  SUB_POPULATION_SETTINGS,
  TEST_SETTINGS,
  TRACK_SETTINGS,
} from '../../contract/test-settings/settings.ts';
import type { GroupMode } from '../../contract/test-settings/words.ts';
import type { GroupDraft, TestDraft } from './test-draft.ts';

/** A probe runs as a test with one caller. */
export const oneCall = (
  call: Pick<GroupDraft, 'registrar' | 'callee' | 'placement'> & ProbeSettings,
  mode: GroupMode,
): TestDraft => ({
  maxExecutionSeconds: null,
  thresholds: [],
  ...defaultsOf(TEST_SETTINGS),
  breaker: null,
  groups: [
    {
      name: 'probe',
      ...defaultsOf(GROUP_SETTINGS),
      ...call,
      mode,
      mediaTracks: [{ kind: 'AUDIO', source: 'TONE', mediaFile: null, ...defaultsOf(TRACK_SETTINGS) }],
      subPopulations: [
        { name: 'probe', role: 'CALLER', endpoints: 1, ...defaultsOf(SUB_POPULATION_SETTINGS), accounts: null },
      ],
    },
  ],
});
