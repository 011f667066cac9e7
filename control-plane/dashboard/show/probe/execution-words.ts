/** An execution of a probe in lists: its state, the text below its sentence, its steps. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import type { ProbeMode } from '../../../contract/test-settings/words.ts';
import { number } from '../basics/figures.ts';
import { HEALTH, plain, type Tone } from '../basics/tones.ts';
import { causedBy, causeWords } from '../heard/finding-words.ts';
import { withUnit } from '../heard/passed.ts';

export type ListedExecution = Output<'listProbeInstances'>;

/** UNKNOWN is also the state of an execution that is not graded yet. */
export function executionState(e: Pick<ListedExecution, 'status' | 'startedAt' | 'completedAt'>): {
  readonly tone: Tone;
  readonly word: string;
  readonly isOpen: boolean;
} {
  if (e.completedAt !== null) return { tone: HEALTH[e.status][0], word: HEALTH[e.status][1], isOpen: false };
  return { tone: 'accent', word: e.startedAt === null ? 'Waiting' : 'Running', isOpen: true };
}

type Aside = Pick<ListedExecution, 'message' | 'cause' | 'party' | 'workerName'>;

/**
 * The cause and party of a failure, and its worker unless the sentence names it:
 * `No audio came · caused by the network · worker berlin-1`.
 */
export const executionAside = ({ message, cause, party, workerName }: Aside): string =>
  [
    ...(cause === null ? [] : [causeWords(cause)]),
    ...(party === null ? [] : [causedBy(party)]),
    ...(workerName === null || message?.includes(`worker ${workerName}`) ? [] : [`worker ${workerName}`]),
  ].join(' · ');

/** The thresholds that were crossed. The worst comes first: `Mean jitter 45 ms: unhealthy`. */
export const crossedThresholds = ({ thresholdResults }: Pick<ListedExecution, 'thresholdResults'>) =>
  (['UNHEALTHY', 'DEGRADED'] as const).flatMap((state) =>
    thresholdResults
      .filter((r) => r.status === state)
      .map((r) => ({
        key: r.metricKey,
        tone: HEALTH[state][0],
        words: `${r.displayName} ${withUnit(r.value, r.unit)}: ${plain(state).toLowerCase()}`,
      })),
  );

type Step = { readonly key: string; readonly name: string; readonly explain: string };

const DNS: Step = { key: 'dnsMs', name: 'DNS', explain: 'From the first query to the address of the target' };
const REGISTER: Step = { key: 'registerMs', name: 'REGISTER', explain: 'From REGISTER to its final response' };

const STEPS: Readonly<Record<ProbeMode, readonly Step[]>> = {
  CALL: [
    DNS,
    REGISTER,
    { key: 'tryingMs', name: '100', explain: 'From the INVITE to 100 Trying' },
    { key: 'ringingMs', name: '180', explain: 'From the INVITE to 180 Ringing' },
    { key: 'answerMs', name: 'Answer', explain: 'From the INVITE to the answer' },
    { key: 'firstMediaMs', name: 'First media', explain: 'From the answer to the first media packet' },
    { key: 'byeMs', name: 'BYE', explain: 'From BYE to its final response' },
  ],
  REGISTER: [DNS, REGISTER],
  OPTIONS: [DNS, { key: 'optionsMs', name: 'OPTIONS', explain: 'From OPTIONS to its final response' }],
};

export const stepsOf = (mode: ProbeMode): readonly Step[] => STEPS[mode];

/** The milliseconds, or a dash if they were not measured. */
export const stepFigure = ({ steps }: Pick<ListedExecution, 'steps'>, { key }: Step): string => number(steps?.[key], 1);
