/**
 * Computes how many endpoints of each sub-population are active at the same time: by the timetable, not by their
 * number. Pure.
 */
import { maxAtOnce } from '@carillon/proto/at-once.ts';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import { isOneRequest } from '../group/scenario.ts';
import { isLasting } from '../load/callers.ts';
import { instants } from '../load/load.ts';
import { deal } from '../load/timetable.ts';

/** The time for allocating ports, set-up and release. Unanswered calls take longer. */
export const CALL_MARGIN_MS = 2500;

type Peaked = Pick<TestConfig, 'groups' | 'load'>;
type Caller = { readonly id: string; readonly group: Group; readonly endpoints: number };

/** The time beyond a call's duration that callees of the test take to answer. */
function answeringMs({ callee }: Group, groups: readonly Group[]): number {
  const called = callee.mode === 'GROUP' ? groups.find(({ id }) => id === callee.groupId) : undefined;
  const { answerDelaySeconds = 0, ringSeconds = 0 } = called?.signalling ?? {};
  return (answerDelaySeconds + ringSeconds) * 1000;
}

/**
 * The peaks by sub-population, never more than its endpoints. Callers count from their registration, or shortly before
 * their call, to its end and CALL_MARGIN_MS. Callees count as many as their callers; all of them count if they register
 * or outside callers call.
 */
export function peaks(
  { groups, load }: Peaked,
  times: { readonly buildupSeconds: number; readonly durationSeconds: number },
  registersAt: (registrarId: string) => boolean,
): ReadonlyMap<string, number> {
  const callers = groups.flatMap((group) =>
    group.subPopulations.flatMap(({ id, role, endpoints }): Caller[] =>
      role === 'CALLER' ? [{ id, group, endpoints }] : [],
    ),
  );
  const sizes = callers.map(({ endpoints }) => endpoints);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const registering = callers.map(({ group }) => registersAt(group.registrarId) && !isOneRequest(group));
  // Endpoints with several calls count as concurrent calls: a slow far end occupies all of them.
  const lasts = isLasting({ groups });
  const starts = lasts ? [] : deal(sizes, instants(load, total, times.buildupSeconds), registering);
  const found = new Map<string, number>(lasts ? callers.map(({ id, endpoints }) => [id, endpoints]) : []);
  for (const [i, { id, group }] of lasts ? [] : callers.entries()) {
    const rows = starts[i] ?? [];
    const [first] = rows;
    const leadMs = registering[i] && first ? first.callAtMs - first.registerAtMs : 0;
    const lengthMs = isOneRequest(group) ? 0 : times.durationSeconds * 1000;
    const lastsMs = leadMs + answeringMs(group, groups) + lengthMs + CALL_MARGIN_MS;
    found.set(
      id,
      maxAtOnce(
        rows.map(({ callAtMs }) => callAtMs),
        lastsMs,
      ),
    );
  }
  for (const group of groups) {
    const calling = groups.filter(({ callee }) => callee.mode === 'GROUP' && callee.groupId === group.id);
    const called = calling.flatMap((one) => one.subPopulations).reduce((sum, { id }) => sum + (found.get(id) ?? 0), 0);
    const isBounded = calling.length > 0 && !registersAt(group.registrarId);
    for (const { id, role, endpoints } of group.subPopulations)
      if (role === 'CALLEE') found.set(id, isBounded ? Math.min(endpoints, called) : endpoints);
  }
  return found;
}
