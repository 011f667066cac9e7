/** States in colour and with their word, so that colour is not needed. */
import type { ReactNode } from 'react';
import type { Severity } from '../../../contract/probe/words.ts';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import type { WorkerStatus } from '../../../contract/worker-words.ts';
import { HEALTH, NOISE, SEVERITY, type Tone, VERDICT, WAITING_WORKER, WORKER } from './tones.ts';

export { plain, type Tone, toneOfHealth } from './tones.ts';

type MarkProps = {
  tone: Tone;
  moving?: boolean;
  /** True: the text is a sentence rather than a word. */
  wraps?: boolean;
  children: ReactNode;
};
export const Mark = ({ tone, moving, wraps, children }: MarkProps) => (
  <span className={`mark ${tone}`} data-moving={moving} data-wraps={wraps}>
    {children}
  </span>
);

export const Health = ({ state }: { state: HealthState }) => <Mark tone={HEALTH[state][0]}>{HEALTH[state][1]}</Mark>;

export function WorkerState({ worker }: { worker: { readonly status: WorkerStatus; readonly isEnrolled: boolean } }) {
  const [tone, word] = worker.isEnrolled ? WORKER[worker.status] : WAITING_WORKER;
  return <Mark tone={tone}>{word}</Mark>;
}
export const SeverityMark = ({ severity }: { severity: Severity }) => (
  <Mark tone={SEVERITY[severity][0]}>{SEVERITY[severity][1]}</Mark>
);
export const NoiseMark = ({ verdict }: { verdict: keyof typeof NOISE }) => (
  <Mark tone={NOISE[verdict][0]}>{NOISE[verdict][1]}</Mark>
);
export const VerdictMark = ({ verdict }: { verdict: keyof typeof VERDICT }) => (
  <Mark tone={VERDICT[verdict][0]}>{VERDICT[verdict][1]}</Mark>
);
