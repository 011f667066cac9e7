/**
 * The withheld detail of calls for which it is not known yet whether they are kept: it is reported when they end, or never.
 */

import type { MessageBlock } from '../../capture/message-block.ts';
import { WithheldMessages } from '../../capture/withheld-messages.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import { addRow, noSamples, partsOf, type StreamSamples } from '../../rtp/figures/stream-samples.ts';
import { NumberTable } from '../number-table.ts';
import type { SharePlan } from '../plan.ts';
import type { ActionsDone, Closed, PhaseChanges, ShareFacts } from './facts.ts';
import { isReported, Keeper } from './keeping.ts';

/** The detail of a call that is kept. Most calls are not, so it stays small until there is more than progress. */
export type CallDetail = {
  readonly endpoint: number;
  /** Its phases, each followed by its instant. */
  readonly progress: number[];
  records: StreamRecord[] | null;
  actions: ActionsDone | null;
  samples: StreamSamples | null;
};

/**
 * Withheld intervals of streams per allocation: 25 MB. Those that do not fit are in the run's sums, but are not kept.
 */
const MAX_SAMPLES = 100_000;

export function phasesOf({ endpoint, progress }: CallDetail): PhaseChanges {
  const phase = progress.filter((_, i) => i % 2 === 0);
  return { endpoint: phase.map(() => endpoint), phase, atMs: progress.filter((_, i) => i % 2 === 1) };
}

export class WithheldDetail {
  readonly #keeper: Keeper;
  readonly #plan: SharePlan;
  readonly #calls = new NumberTable<CallDetail>();
  readonly #messages = new WithheldMessages();
  #samples = 0;

  constructor(plan: SharePlan) {
    this.#keeper = new Keeper(plan);
    this.#plan = plan;
  }

  add({ progress, withheldActions, withheldMessages }: ShareFacts): void {
    const { endpoint: endpoints, phase, atMs } = progress;
    for (let i = 0; i < endpoints.length; i++)
      this.#of(endpoints[i] as number).progress.push(phase[i] as number, atMs[i] as number);
    for (const [i, endpoint] of withheldActions.endpoint.entries()) {
      const detail = this.#of(endpoint);
      detail.actions ??= { endpoint: [], failed: [], detail: [], atMs: [] };
      const { actions } = detail;
      actions.endpoint.push(endpoint);
      actions.failed.push(withheldActions.failed[i] as boolean);
      actions.detail.push(withheldActions.detail[i] as string);
      actions.atMs.push(withheldActions.atMs[i] as number);
    }
    this.#messages.add(withheldMessages);
  }

  /** Divides the samples into those of calls that are reported immediately, and withheld ones. */
  divide(samples: StreamSamples): { readonly reported: StreamSamples | null; readonly withheld: StreamSamples | null } {
    const { endpointNumber } = samples;
    const divided = partsOf(samples, (row) => isReported(this.#plan, endpointNumber[row] as number));
    const withheld = divided.get(false) ?? null;
    withheld?.endpointNumber.forEach((endpoint, row) => {
      if (this.#samples >= MAX_SAMPLES) return;
      const detail = this.#of(endpoint);
      detail.samples ??= noSamples();
      addRow(detail.samples, withheld, row);
      this.#samples++;
    });
    return { reported: divided.get(true) ?? null, withheld };
  }

  /** False: the record is reported now. */
  hold(record: StreamRecord): boolean {
    if (isReported(this.#plan, record.endpointNumber)) return false;
    const detail = this.#of(record.endpointNumber);
    detail.records ??= [];
    detail.records.push(record);
    return true;
  }

  /** Returns the remaining records: their calls have ended without them. */
  takeRecords(): StreamRecord[] {
    const left = [...this.#calls.values()].flatMap(({ records }) => records ?? []);
    this.#calls.clear();
    return left;
  }

  /** `detail` null: the call has no withheld detail, or it was already reported. */
  settle({ outcome, closedAtMs }: Closed): { readonly isKept: boolean; readonly detail: CallDetail | null } {
    const { endpoint } = outcome;
    const detail = this.#calls.get(endpoint) ?? null;
    this.#calls.delete(endpoint);
    this.#samples -= detail?.samples?.owner.length ?? 0;
    if (isReported(this.#plan, endpoint)) return { isKept: true, detail: null };
    const isKept = this.#keeper.keeps(outcome);
    if (isKept) this.#messages.keep(endpoint, closedAtMs);
    else this.#messages.drop(endpoint);
    return { isKept, detail };
  }

  /** The messages of kept calls, as far as the owner allows their export. */
  takeMessages(mayKeep: { readonly messages: boolean; readonly bodies: boolean }): MessageBlock[] {
    if (!mayKeep.messages || (this.#plan.keepBodies && !mayKeep.bodies)) this.#messages.clear();
    return this.#messages.take();
  }

  #of(endpoint: number): CallDetail {
    let detail = this.#calls.get(endpoint);
    if (detail === undefined) {
      detail = { endpoint, progress: [], records: null, actions: null, samples: null };
      this.#calls.set(endpoint, detail);
    }
    return detail;
  }
}
