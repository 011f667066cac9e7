/** Facts of one allocation, from batch to batch. */
import type { TracedHeader } from '../../rtp/figures/header-trace.ts';
import type { StreamSamples } from '../../rtp/figures/sampler.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { Closed, ReportedState, ShareFacts } from './facts.ts';

/** What has gathered of one allocation since the last batch. */
export type Pending = {
  readonly id: string;
  readonly facts: ShareFacts[];
  samples: StreamSamples[];
  readonly records: StreamRecord[];
  /** Endpoints that have closed. */
  readonly closed: Closed[];
  readonly headers: TracedHeader[];
  state: ReportedState | null;
  reasonCode: string;
  reason: string;
};

export const newPending = (id: string): Pending => ({
  id,
  facts: [],
  samples: [],
  records: [],
  closed: [],
  headers: [],
  state: null,
  reasonCode: '',
  reason: '',
});

/** Nothing; facts; facts that somebody waits for: an allocation is ready or has ended, or no more calls are to be placed. */
export type Gathered = 'NOTHING' | 'FACTS' | 'URGENT';

export function gatheredIn(all: Iterable<Pending>): Gathered {
  let gathered: Gathered = 'NOTHING';
  for (const { state, facts } of all) {
    if (state !== null || facts.some(({ breaches }) => breaches.length > 0)) return 'URGENT';
    gathered = 'FACTS';
  }
  return gathered;
}
