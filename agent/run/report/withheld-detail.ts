/** Detail of an allocation's calls of which it is not known yet whether it is kept: it is told when they end, or never. */

import type { MessageBlock } from '../../capture/message-block.ts';
import { WithheldMessages } from '../../capture/withheld-messages.ts';
import type { SharePlan } from '../plan.ts';
import type { ActionsDone, Closed, PhaseChanges, ShareFacts } from './facts.ts';
import { isTold, Keeper } from './keeping.ts';

/** What is to be told of a call that is kept. */
export type CallDetail = { readonly phases: PhaseChanges; actions: ActionsDone | null };

export class WithheldDetail {
  readonly #keeper: Keeper;
  readonly #plan: SharePlan;
  readonly #calls = new Map<number, CallDetail>();
  readonly #messages = new WithheldMessages();

  constructor(plan: SharePlan) {
    this.#keeper = new Keeper(plan);
    this.#plan = plan;
  }

  add({ progress, withheldActions, withheldMessages }: ShareFacts): void {
    for (const [i, endpoint] of progress.endpoint.entries()) {
      const { phases } = this.#of(endpoint);
      phases.endpoint.push(endpoint);
      phases.phase.push(progress.phase[i] as number);
      phases.atMs.push(progress.atMs[i] as number);
    }
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

  /** Null: it is not kept, or was told as it came. */
  settle({ outcome, closedAtMs }: Closed): { readonly isKept: boolean; readonly detail: CallDetail | null } {
    const { endpoint } = outcome;
    const detail = this.#calls.get(endpoint) ?? null;
    this.#calls.delete(endpoint);
    if (isTold(this.#plan, endpoint)) return { isKept: true, detail: null };
    const isKept = this.#keeper.keeps(outcome);
    if (isKept) this.#messages.keep(endpoint, closedAtMs);
    else this.#messages.drop(endpoint);
    return { isKept, detail: isKept ? detail : null };
  }

  /** Messages of calls that are kept, as far as the owner lets them leave. */
  takeMessages(mayKeep: { readonly messages: boolean; readonly bodies: boolean }): MessageBlock[] {
    if (!mayKeep.messages || (this.#plan.keepBodies && !mayKeep.bodies)) this.#messages.clear();
    return this.#messages.take();
  }

  #of(endpoint: number): CallDetail {
    let detail = this.#calls.get(endpoint);
    if (detail === undefined) {
      detail = { phases: { endpoint: [], phase: [], atMs: [] }, actions: null };
      this.#calls.set(endpoint, detail);
    }
    return detail;
  }
}
