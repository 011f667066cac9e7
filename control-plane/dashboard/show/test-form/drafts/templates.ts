/** Tests to start from: what the form is filled with, and one sentence about each. Pure. */
import type { MetricKey } from '../../../../contract/metric-keys.ts';
import { suggestedLimits } from '../../heard/suggested-limits.ts';
import { type DraftGroup, FIRST_PARTS, PLAIN_GROUP } from './group-draft.ts';
import { type Draft, EMPTY } from './test-draft.ts';

export type TestTemplate = {
  /** It orders the templates; places of the core are multiples of ten. */
  readonly place: number;
  readonly name: string;
  readonly sentence: string;
  /** CALL: calls to an address, which the user names. REGISTER: at a registrar, which the user chooses. */
  readonly does: 'CALL' | 'REGISTER';
  /** What differs from an empty form. */
  readonly draft: Partial<Pick<Draft, 'endpoints' | 'callsEach' | 'load' | 'buildup' | 'durationSeconds' | 'source'>>;
  /** What decides whether a run passes, by the limits that are suggested. */
  readonly judgedBy: readonly MetricKey[];
  readonly group?: Partial<DraftGroup>;
};

export const TEST_TEMPLATES: readonly TestTemplate[] = [
  {
    place: 10,
    name: 'Trunk load',
    sentence: 'Calls at a steady rate: does the trunk carry them?',
    does: 'CALL',
    draft: {
      load: { shape: 'RATE', callsPerSecond: 10, seconds: 120 },
      durationSeconds: 10,
      endpoints: 125,
      callsEach: null,
    },
    judgedBy: ['successShare'],
  },
  {
    place: 20,
    name: 'Registration storm',
    sentence: 'All endpoints register at once, as after a power cut.',
    does: 'REGISTER',
    draft: {
      endpoints: 100,
      buildup: 2,
      durationSeconds: 60,
    },
    judgedBy: ['registerRtt'],
    group: { registerRetry: FIRST_PARTS.registerRetry },
  },
  {
    place: 30,
    name: 'IVR walk',
    sentence: 'A few calls that press a digit for each menu.',
    does: 'CALL',
    draft: {
      endpoints: 5,
      buildup: 5,
      durationSeconds: 30,
      // A tone would talk over the menu.
      source: 'SILENCE',
    },
    judgedBy: ['successShare'],
    group: {
      actions: [3, 8, 13].map((afterSeconds, i) => ({
        trigger: { on: 'ANSWERED', afterSeconds },
        action: { do: 'SEND_DTMF', digits: `${i + 1}`, by: 'RFC4733' },
      })),
      expectations: { ...PLAIN_GROUP.expectations, farEndHangsUp: true, farEndMayPause: true },
    },
  },
  {
    place: 40,
    name: 'WebRTC',
    sentence: 'Calls as browsers place them: Opus, ICE, DTLS-SRTP.',
    does: 'CALL',
    draft: { endpoints: 5, buildup: 5, durationSeconds: 30 },
    judgedBy: ['avgMos'],
    group: { audioCodecs: ['OPUS', 'PCMU'], encryption: 'DTLS', ice: 'HOST' },
  },
];

/** The form of a template. What the user has typed already stays. */
export const filledBy = (
  { does, draft, judgedBy, group }: TestTemplate,
  { name, description, uri, uris, region, regions, workerIds }: Draft,
  cloudId: string,
): Draft => ({
  ...EMPTY,
  name,
  description,
  uri,
  uris,
  region,
  regions,
  workerIds,
  does,
  // No server is chosen for the user.
  registrarId: does === 'CALL' ? cloudId : '',
  ...draft,
  thresholds: judgedBy.map(suggestedLimits),
  group: { ...PLAIN_GROUP, ...group },
});
