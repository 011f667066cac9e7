/** Facts of one allocation, from batch to batch. */
import type { MessageBlock } from '../../capture/message-block.ts';
import type { TracedHeader } from '../../rtp/figures/header-trace.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { StreamSamples } from '../../rtp/figures/stream-samples.ts';
import type { Closed, ReportedState, ShareFacts } from './facts.ts';
import type { CallDetail, WithheldDetail } from './withheld-detail.ts';

/** Facts of one allocation since the last batch. */
export class Pending {
  readonly id: string;
  /** Null: the detail of every call is reported immediately. */
  readonly #withheld: WithheldDetail | null;
  readonly facts: ShareFacts[] = [];
  readonly samples: StreamSamples[] = [];
  /** Samples of calls for which it is not known yet whether they are kept. */
  readonly summed: StreamSamples[] = [];
  readonly records: StreamRecord[] = [];
  /** Records of calls that are not kept. */
  readonly figures: StreamRecord[] = [];
  /** Endpoints that have closed. */
  readonly closed: (Closed & { readonly isKept: boolean })[] = [];
  /** The withheld detail of those calls that are now kept. */
  readonly details: CallDetail[] = [];
  messages: readonly MessageBlock[] = [];
  readonly headers: TracedHeader[] = [];
  state: ReportedState | null = null;
  reasonCode = '';
  reason = '';

  constructor(id: string, withheld: WithheldDetail | null) {
    this.id = id;
    this.#withheld = withheld;
  }

  get isOfLargeRun(): boolean {
    return this.#withheld !== null;
  }

  add(facts: ShareFacts): void {
    this.facts.push(facts);
    this.#withheld?.add(facts);
  }

  close(closed: Closed): void {
    const settled = this.#withheld?.settle(closed);
    const isKept = settled?.isKept ?? true;
    const detail = settled?.detail ?? null;
    if (detail?.records) (isKept ? this.records : this.figures).push(...detail.records);
    if (detail !== null && isKept) this.details.push(detail);
    this.closed.push({ ...closed, isKept });
  }

  addSamples(samples: StreamSamples): void {
    const { reported, withheld } = this.#withheld?.divide(samples) ?? { reported: samples, withheld: null };
    if (reported !== null) this.samples.push(reported);
    if (withheld !== null) this.summed.push(withheld);
  }

  /** Must be called before the end of the call. */
  addRecord(record: StreamRecord): void {
    if (!this.#withheld?.hold(record)) this.records.push(record);
  }

  /** Nothing more will be added. `mayKeep`: what the policy allows to be exported now. */
  complete(mayKeep: { readonly messages: boolean; readonly bodies: boolean }): void {
    this.messages = this.#withheld?.takeMessages(mayKeep) ?? [];
    // A call may have more streams than its outcome waited for.
    if (this.state === 'DONE') this.figures.push(...(this.#withheld?.takeRecords() ?? []));
  }
}

/**
 * NOTHING: there are no facts. FIGURES: facts of large runs, which have the detail of few calls. FACTS: other facts.
 * URGENT: an allocation is ready, or no more calls may be placed. END: the end of an allocation.
 */
export type Gathered = 'NOTHING' | 'FIGURES' | 'FACTS' | 'URGENT' | 'END';

export function gatheredIn(all: Iterable<Pending>): Gathered {
  let gathered: Gathered = 'NOTHING';
  for (const { state, facts, isOfLargeRun } of all) {
    if (state === 'DONE') return 'END';
    if (gathered === 'URGENT') continue;
    if (state !== null || facts.some(({ breaches }) => breaches.length > 0)) gathered = 'URGENT';
    else if (!isOfLargeRun) gathered = 'FACTS';
    else if (gathered === 'NOTHING') gathered = 'FIGURES';
  }
  return gathered;
}
