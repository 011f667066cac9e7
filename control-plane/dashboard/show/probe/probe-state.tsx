/** The state of a probe, as a mark in a row. */
import type { Output } from '../../../contract/catalogue.ts';
import { minuteWords } from '../basics/instants.ts';
import { Health, Mark } from '../basics/words.tsx';
import { notRunning } from './probe-words.ts';

type Probe = Output<'listProbes'>;

type StateProps = { probe: Pick<Probe, 'enabled' | 'autoPausedAt' | 'lastSkipReason' | 'status'> };

export function ProbeState({ probe }: StateProps) {
  const stopped = notRunning(probe);
  if (stopped === null) return <Health state={probe.status} />;
  const [tone, word] = stopped;
  return <Mark tone={tone}>{word}</Mark>;
}

/** This is empty if no window is open. */
export const InMaintenance = ({ until }: { until: string | null }) =>
  until === null ? null : <span className="chip accent">In maintenance until {minuteWords(until)}</span>;
