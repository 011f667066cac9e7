/** Probes to start from: what the form is filled with, and the question that each answers. Pure. */
import type { MetricKey } from '../../../contract/metric-keys.ts';
import type { ProbeMode } from '../../../contract/test-settings/words.ts';
import { newProbe, type ProbeDraft } from './probe-draft.ts';

export type ProbeTemplate = {
  readonly name: string;
  readonly sentence: string;
  readonly does: ProbeMode;
  /** The duration of the call, or of the registration; null: there is none. */
  readonly durationSeconds: number | null;
  /** What decides how healthy an execution is, by the limits that are suggested. A failed one is unhealthy anyway. */
  readonly judgedBy: MetricKey;
};

export const PROBE_TEMPLATES: readonly ProbeTemplate[] = [
  {
    name: 'Trunk is up',
    sentence: 'OPTIONS: does the far end answer, and how soon?',
    does: 'OPTIONS',
    durationSeconds: null,
    judgedBy: 'optionsRtt',
  },
  {
    name: 'Calls get through',
    sentence: 'A short call: is it answered, and how soon?',
    does: 'CALL',
    durationSeconds: 5,
    judgedBy: 'callSetup',
  },
  {
    name: 'Both ends hear',
    sentence: 'A longer call: does audio flow both ways, and how good is it?',
    does: 'CALL',
    durationSeconds: 30,
    judgedBy: 'avgMos',
  },
  {
    name: 'Phones can register',
    sentence: 'REGISTER with an account: is it accepted, and how soon?',
    does: 'REGISTER',
    durationSeconds: 5,
    judgedBy: 'registerRtt',
  },
];

/** The form of a template. What the user has typed already stays. */
export function probeFilledBy(
  { does, durationSeconds }: ProbeTemplate,
  { name, description, uri, region }: ProbeDraft,
  cloudId: string,
): ProbeDraft {
  const first = newProbe(cloudId);
  return {
    ...first,
    name,
    description,
    uri,
    region,
    mode: does,
    durationSeconds: durationSeconds ?? first.durationSeconds,
    // No server is chosen for the user.
    registrarId: does === 'REGISTER' ? '' : cloudId,
  };
}
