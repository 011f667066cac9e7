/** The allocations that the book holds: what they occupy, by state, and which are known to be gone. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { ALLOCATION, type AllocationState } from './allocation-machine.ts';
import type { HeldAllocation, ShareThread } from './held-allocation.ts';
import { HeldAllocations } from './held-allocations.ts';

const STATES = Object.keys(ALLOCATION.transitions) as AllocationState[];
const OCCUPYING: readonly AllocationState[] = ['JUDGING', 'TAKEN', 'READY', 'ENDING'];

type Some = Partial<Pick<HeldAllocation, 'state' | 'endpoints' | 'streams' | 'stopping'>>;
const held = (owner: number, some: Some = {}, listeners: readonly number[] = []): HeldAllocation =>
  ({
    ...{ id: `a${owner}`, owner, state: 'READY', endpoints: 1, streams: 2, stopping: false, ...some },
    shares: new Map(listeners.map((listener) => [listener, {}])),
  }) as unknown as HeldAllocation;

t.test('what occupies the agent, by state', async (t) => {
  for (const state of STATES) {
    const all = new HeldAllocations();
    all.add(held(1, { state, endpoints: 5, streams: 7 }));
    const isOccupying = OCCUPYING.includes(state);
    t.same(
      [all.endpoints, all.endpointsGoingOn, all.streams, all.isIdle],
      isOccupying ? [5, 5, 7, false] : [0, 0, 0, true],
      state,
    );
    t.same(all.ids, ['a1'], 'it is held in every state');
  }
});

t.test('sums are those of the open ones, whatever was added, changed and removed', async () => {
  const one = fc.record({
    owner: fc.integer({ min: 1, max: 6 }),
    isRemoved: fc.boolean(),
    some: fc.record({
      state: fc.constantFrom(...STATES),
      endpoints: fc.nat(100),
      streams: fc.nat(100),
      stopping: fc.boolean(),
    }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 30 }), (steps) => {
      const all = new HeldAllocations();
      const model = new Map<number, HeldAllocation>();
      for (const { owner, isRemoved, some } of steps) {
        const known = model.get(owner);
        if (known && isRemoved) {
          all.remove(known);
          model.delete(owner);
        } else if (known) Object.assign(known, some);
        else {
          model.set(owner, held(owner, some));
          all.add(model.get(owner) as HeldAllocation);
        }
        const open = [...model.values()].filter(({ state }) => OCCUPYING.includes(state));
        const total = (list: HeldAllocation[], of: (h: HeldAllocation) => number) =>
          list.reduce((sum, h) => sum + of(h), 0);
        const goingOn = open.filter(({ stopping }) => !stopping);
        const isRight =
          all.endpoints === total(open, (h) => h.endpoints) &&
          all.endpointsGoingOn === total(goingOn, (h) => h.endpoints) &&
          all.streams === total(open, (h) => h.streams) &&
          all.isIdle === (open.length === 0) &&
          [...all.all()].every((h) => all.get(h.id) === h && all.ofOwner(h.owner) === h) &&
          all.ids.length === model.size;
        if (!isRight) return false;
      }
      return true;
    }),
  );
});

t.test('a removed one is found by neither key, and is known to be gone', async (t) => {
  const all = new HeldAllocations();
  const one = held(3);
  t.notOk(all.isGone('a3'), 'not held yet');
  all.add(one);
  t.notOk(all.isGone('a3'), 'held');
  all.remove(one);
  t.same([all.get('a3'), all.ofOwner(3), all.ids], [undefined, undefined, []]);
  t.ok(all.isGone('a3'));
});

t.test('of the gone ones the last 10,000 are remembered', async (t) => {
  const all = new HeldAllocations();
  for (let owner = 0; owner <= 10_000; owner++) {
    const one = held(owner);
    all.add(one);
    all.remove(one);
  }
  t.same(
    ['a0', 'a1', 'a10000'].map((id) => all.isGone(id)),
    [false, true, true],
  );
});

t.test('orders go to the threads with a share of an open one, in the order asked for', async (t) => {
  const all = new HeldAllocations();
  all.add(held(1, {}, [0, 2]));
  all.add(held(2, { state: 'TOLD' }, [0]));
  all.add(held(3, {}, [1, 7]));
  const threads = [0, 1, 2].map(() => ({ tell: () => undefined }) as ShareThread);
  const told: [string, number][] = [];
  all.each(threads, ['a3', 'unknown', 'a2', 'a1'], ({ id }, thread) => told.push([id, threads.indexOf(thread)]));
  t.same(told, [
    ['a3', 1],
    ['a1', 0],
    ['a1', 2],
  ]);
});
