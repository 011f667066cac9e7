/**
 * Takes the steps of this thread's SIP machines. Refused steps are counted until the agent's main thread logs them,
 * without a line per message.
 */
import { step, type Transitions } from '@carillon/proto/base/machine.ts';

/** Counts by machine, state and event: a repeated refusal allocates nothing. */
const refused = new Map<string, Map<string, Map<string, number>>>();

/** The inner map of `key`, created if missing. */
function inner<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = new Map<string, V>();
  map.set(key, made);
  return made;
}

export function countRefused(machine: string, state: string, event: string): void {
  const events = inner(inner(refused, machine), state);
  events.set(event, (events.get(event) ?? 0) + 1);
}

/** Like `step` of proto/base/machine.ts; null is counted. */
export function takeStep<S extends string, E extends string>(
  machine: string,
  transitions: Transitions<S, E>,
  state: S,
  event: E,
): S | null {
  const next = step(transitions, state, event);
  if (next === null) countRefused(machine, state, event);
  return next;
}

/** The refused steps since the last call, by step. */
export function takeRefused(): Readonly<Record<string, number>> {
  const taken: Record<string, number> = {};
  for (const [machine, states] of refused)
    for (const [state, events] of states)
      for (const [event, n] of events) taken[`${machine}: ${event} in ${state}`] = n;
  refused.clear();
  return taken;
}
