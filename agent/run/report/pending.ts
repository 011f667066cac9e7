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
