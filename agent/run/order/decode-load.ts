/**
 * Converts the load of an allocation whose endpoints place more than one call, and the part of each share. Impossible
 * values are refused by name.
 */
import { wire } from '@carillon/proto';
import type { LoadOrder } from '@carillon/proto/load/load-clock.ts';
import { type LoadPart, partsWithin } from '@carillon/proto/load/load-part.ts';
import { type LoadStep, readStep } from '@carillon/proto/load/load-step.ts';
import { paceWord } from '@carillon/proto/load/shapes/shapes.ts';
import { AllocationRefused } from '../limits/allocation-refused.ts';
import type { CallsPlan, LoadPlan } from '../plan.ts';

type Allocation = wire.agent.v1.Allocation;
type Load = NonNullable<Allocation['load']>;

const MAX_STEPS = 1000;

/** One plan for each share, with the share's number of endpoints. @throws AllocationRefused LOAD or MALFORMED */
export function decodeLoad(allocation: Allocation, sizes: readonly number[]): LoadPlan[] | null {
  const { load, role, group } = allocation;
  if (!load || role !== wire.agent.v1.Role.CALLER) return null;
  if ((group?.mode || 'CALL') !== 'CALL')
    throw new AllocationRefused('LOAD', 'this agent supports loads of calls only');
  const size = sizes.reduce((sum, one) => sum + one, 0);
  const part: LoadPart = { from: load.partFrom ?? 0, until: load.partUntil ?? 0, of: load.parts ?? 0 };
  const calls = decodeCalls(load, size);
  const each = (part.until - part.from) / size;
  if (!(part.until <= part.of && Number.isInteger(each) && each >= 1))
    throw malformed(`part ${part.from} to ${part.until} of ${part.of} for ${size} endpoints`);
  const order = decodeOrder(load);
  return partsWithin(
    part,
    sizes.map((one) => one * each),
  ).map((part) => ({ order, part, ...calls }));
}

/** The number of calls that each callee accepts; null: one. @throws AllocationRefused MALFORMED */
export function decodeReceives({ load, role, endpoints }: Allocation): CallsPlan | null {
  if (!load || role === wire.agent.v1.Role.CALLER) return null;
  return decodeCalls(load, endpoints?.number?.length ?? 0);
}

function decodeCalls(load: Load, size: number): CallsPlan {
  const { callsEach } = load;
  const runEndpoints = load.runEndpoints ?? 0;
  if (runEndpoints < size) throw malformed(`${size} endpoints of ${runEndpoints}`);
  return { callsEach: callsEach || ENDLESS, runEndpoints };
}

const ENDLESS = Number.POSITIVE_INFINITY;

/** Null: the values are impossible. */
export function decodeSteps(steps: Load['steps']): LoadStep[] | null {
  const given = steps ?? [];
  const all = given.flatMap((step) => readStep(step) ?? []);
  return all.length === given.length && all.length > 0 && all.length <= MAX_STEPS ? all : null;
}

function decodeOrder({ shape, steps, calls, seed }: Load): LoadOrder {
  const known = paceWord(shape ?? '');
  if (!known) throw new AllocationRefused('LOAD', `this agent does not know the load ${JSON.stringify(shape)}`);
  const all = decodeSteps(steps);
  if (!all) throw malformed(`${steps?.length ?? 0} steps, or one without a rate`);
  return { shape: known, steps: all, calls: calls || ENDLESS, seed: seed ?? 0 };
}

const malformed = (what: string) => new AllocationRefused('MALFORMED', `its load cannot be read: ${what}`);
