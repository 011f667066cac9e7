/** When agents have applied a change of the load, by their own clocks: what they place by the new plan, and how late. */
import type { RunCall } from '../../../../scripts/peers/lab/lab.ts';

/** A change, the instant from which the plan has it, and when its request was answered, in Unix milliseconds. */
export type AnsweredChange = { readonly callsPerSecond: number; readonly fromMs: number; readonly answeredMs: number };

export type AppliedChange = AnsweredChange & {
  /** From the answer to the agent that was the last to place calls by the new plan; of a pause, to the last INVITE. */
  readonly afterMs: number;
  /** Agents that have placed a call by the new plan; null: it is a pause. */
  readonly agents: number | null;
};

type Placed = Pick<RunCall, 'plannedAt' | 'inviteAt'> & { readonly worker: Pick<RunCall['worker'], 'id'> };

/**
 * Of each change until the next. An agent that has a change after the first instant at which it should have placed a call by it places
 * this call as late. Negative times are 0: it was before the answer.
 */
export function appliedBy(calls: readonly Placed[], changes: readonly AnsweredChange[]): AppliedChange[] {
  const placed = calls.flatMap(({ plannedAt, inviteAt, worker }) =>
    plannedAt === null || inviteAt === null
      ? []
      : [{ worker: worker.id, plannedMs: Date.parse(plannedAt), inviteMs: Date.parse(inviteAt) }],
  );
  return changes.map((change, i) => {
    const { callsPerSecond, fromMs, answeredMs } = change;
    const untilMs = changes[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const afterMs = (atMs: number): number => Math.max(0, atMs - answeredMs);
    const earlier = placed.filter(({ plannedMs }) => plannedMs < untilMs);
    if (callsPerSecond === 0)
      return {
        ...change,
        agents: null,
        afterMs: afterMs(Math.max(fromMs, ...earlier.map(({ inviteMs }) => inviteMs))),
      };
    const first = new Map<string, (typeof placed)[number]>();
    for (const call of earlier) {
      const known = first.get(call.worker);
      if (call.plannedMs >= fromMs && !(known && known.plannedMs <= call.plannedMs)) first.set(call.worker, call);
    }
    const lateMs = [...first.values()].map(({ plannedMs, inviteMs }) => inviteMs - plannedMs);
    return { ...change, agents: first.size, afterMs: afterMs(fromMs + Math.max(0, ...lateMs)) };
  });
}
