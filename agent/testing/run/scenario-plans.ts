/** Scenarios of a caller, its callee and a third party that a REFER may reach. */
import type { ActionPlan, GroupPlan, StepPlan, TriggerPlan } from '../../run/plan.ts';
import { AUDIO, endpoint, PairWorld, sharePlan, VIDEO } from './pair.ts';

export const on = (word: TriggerPlan['on'], afterMs = 0, heard = ''): TriggerPlan => ({ on: word, afterMs, heard });

export const act = (trigger: TriggerPlan, step: StepPlan): ActionPlan => ({ trigger, step });

export const keys = (digits: string, by: 'RFC4733' | 'INFO'): StepPlan => ({ do: 'SEND_DTMF', digits, by });

export const refer: StepPlan = { do: 'REFER', target: 'sip:e2@127.0.0.1:5060' };

export const DEFERRED_VIDEO = [AUDIO, { ...VIDEO, deferred: true }];

export type ScenarioGroup = Partial<GroupPlan>;

/** A caller (0), its callee (1), and a third party that a REFER may reach (2). */
export async function call(
  caller: ScenarioGroup,
  callee: ScenarioGroup = {},
  refusals: PairWorld['refusals'] = {},
  target: ScenarioGroup = {},
) {
  const world = new PairWorld();
  Object.assign(world.refusals, refusals);
  await world.open(sharePlan('CALLEE', callee));
  await world.open(sharePlan('CALLEE', target, { owner: 3, endpoints: [endpoint(2)], receiveWindowMs: 20_000 }));
  await world.open(sharePlan('CALLER', caller));
  world.start();
  return world;
}
